//===- CudaImageTest.cpp - tests of which images a device takes ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cuda/Image.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tenon::runtime::cuda;

/// "cubin sm_80, ptx sm_75": the images that a device takes, the best first.
static std::string rank(std::vector<tenon_gpu_image> images, int capability) {
  tenon_program program = {};
  program.num_images = static_cast<int32_t>(images.size());
  program.images = images.data();
  std::vector<tenon_gpu_image> ranked;
  for (const tenon_gpu_image *image :
       rankImages(program, capability / 10, capability % 10))
    ranked.push_back(*image);
  program.num_images = static_cast<int32_t>(ranked.size());
  program.images = ranked.data();
  return describeImages(program);
}

static tenon_gpu_image cubin(const char *arch) {
  return {arch, TENON_IMAGE_CUBIN, "", 0};
}
static tenon_gpu_image ptx(const char *arch) {
  return {arch, TENON_IMAGE_PTX, "", 0};
}

TEST(CudaImage, ReadsArchitectures) {
  EXPECT_EQ(parseArchitecture("sm_80")->major, 8);
  EXPECT_EQ(parseArchitecture("compute_103f")->major, 10);
  EXPECT_EQ(parseArchitecture("compute_103f")->minor, 3);
  EXPECT_EQ(parseArchitecture("sm_90a")->suffix, 'a');
  for (const char *text : {"", "80", "sm_", "sm_8", "sm_80b", "sm_80aa", "x"})
    EXPECT_FALSE(parseArchitecture(text)) << text;
  EXPECT_FALSE(parseArchitecture(nullptr));
}

TEST(CudaImage, MachineCodeRunsOnLaterMinors) {
  EXPECT_EQ(rank({cubin("sm_80"), cubin("sm_86"), cubin("sm_90")}, 89),
            "cubin sm_86, cubin sm_80");
  EXPECT_EQ(rank({cubin("sm_86"), cubin("sm_80")}, 80), "cubin sm_80");
  EXPECT_EQ(rank({cubin("sm_86")}, 80), "");
  EXPECT_EQ(rank({cubin("sm_80")}, 90), "");
  EXPECT_EQ(rank({cubin("sm_90")}, 80), "");
  EXPECT_EQ(rank({}, 80), "");
}

TEST(CudaImage, PtxIsForLaterDevices) {
  EXPECT_EQ(rank({ptx("sm_75"), ptx("sm_80"), ptx("sm_90")}, 86),
            "ptx sm_80, ptx sm_75");
  EXPECT_EQ(rank({ptx("sm_80"), cubin("sm_80")}, 80), "cubin sm_80, ptx sm_80");
  EXPECT_EQ(rank({ptx("sm_90"), cubin("sm_80")}, 80), "cubin sm_80");
  EXPECT_EQ(rank({ptx("sm_90"), cubin("sm_80")}, 120), "ptx sm_90");
  EXPECT_EQ(rank({ptx("sm_90")}, 89), "");
  EXPECT_EQ(
      rank({ptx("sm_75"), cubin("sm_80"), ptx("sm_90"), cubin("sm_90")}, 90),
      "cubin sm_90, ptx sm_90, ptx sm_75");
}

TEST(CudaImage, SomeAreForOneDeviceOrFamily) {
  EXPECT_EQ(rank({cubin("sm_90"), cubin("sm_90a")}, 90),
            "cubin sm_90a, cubin sm_90");
  EXPECT_EQ(rank({ptx("sm_90a")}, 90), "ptx sm_90a");
  EXPECT_EQ(rank({ptx("sm_90a"), cubin("sm_90a")}, 100), "");
  EXPECT_EQ(rank({cubin("sm_100a")}, 103), "");
  EXPECT_EQ(rank({cubin("sm_100f"), ptx("sm_90")}, 103),
            "cubin sm_100f, ptx sm_90");
  EXPECT_EQ(rank({ptx("sm_100f"), ptx("sm_90")}, 120), "ptx sm_90");
}
