//===- Image.h - selecting the images for a device ------------------------===//
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

/// The target of an image: compute capability major.minor. The suffix 'a' means
/// only that one; 'f' means that one and later ones of its family (the same
/// major).
struct Architecture {
  int major = 0, minor = 0;
  char suffix = 0;
};

/// Parses "sm_80", "sm_103f" or "compute_90a".
std::optional<Architecture> parseArchitecture(const char *text);

/// Returns the images that suit a device of capability major.minor, the best
/// first. Machine code runs on devices of the same major with at least its
/// minor: the nearest comes first, and images for exactly this device precede
/// others. Then follows PTX that does not exceed the device's capability, the
/// highest first.
std::vector<const tenon_gpu_image *> rankImages(const tenon_program &program,
                                                int major, int minor);

/// For example "machine code for sm_80".
std::string describeImage(const tenon_gpu_image &image);

/// For example "cubin sm_80, ptx sm_90".
std::string describeImages(const tenon_program &program);

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_IMAGE_H
