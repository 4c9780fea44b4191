//===- Image.h - which images of a program a device takes ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_IMAGE_H
#define TENON_LIB_RUNTIME_CUDA_IMAGE_H

#include "tenon/Artifact/Program.h"

#include <optional>
#include <string>
#include <vector>

namespace tenon::runtime::cuda {

/// What an image is for: compute capability major.minor. 'a' after it: that one
/// alone; 'f': that and later ones of its family (the same major).
struct Architecture {
  int major = 0, minor = 0;
  char suffix = 0;
};

/// Reads "sm_80", "sm_103f", "compute_90a".
std::optional<Architecture> parseArchitecture(const char *text);

/// The images that suit a device of capability major.minor, the best first.
/// Machine code runs on devices of its major with at least its minor; the
/// nearest comes first, and one for the device alone before others. After it
/// comes PTX that is not above the device, the highest first.
std::vector<const tenon_gpu_image *> rankImages(const tenon_program &program,
                                                int major, int minor);

/// "machine code for sm_80".
std::string describeImage(const tenon_gpu_image &image);

/// "cubin sm_80, ptx sm_90".
std::string describeImages(const tenon_program &program);

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_IMAGE_H
