//===- Kernels.h - the loaded kernels of a program ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_KERNELS_H
#define TENON_LIB_RUNTIME_CUDA_KERNELS_H

#include "Device.h"

#include "tenon/Artifact/Program.h"

#include <vector>

namespace tenon::runtime::cuda {

/// One image on the device, and the function of each kernel step. The device's
/// context must be current when it is created and destroyed.
class Kernels {
public:
  Kernels() = default;
  Kernels(const Kernels &) = delete;
  Kernels &operator=(const Kernels &) = delete;
  ~Kernels() { unload(); }

  /// Loads the first of `images` (one or more) that the driver accepts: the
  /// driver may be older than the tools that made some of them. If it accepts
  /// none, fails with the driver's reason for the first image. Also fails if a
  /// step can't run.
  artifact::Status load(Device &device, const tenon_program &program,
                        const std::vector<const tenon_gpu_image *> &images);

  void unload();

  /// Returns null for steps of other kinds.
  Function get(int32_t step) const { return functions[step]; }

private:
  /// A kernel of the image.
  struct Loaded {
    Function function = nullptr;
    int maxThreads = 0; // the limit for a block
    /// Shared memory that a launch may use beyond what the kernel declares.
    int32_t sharedBytes = 0;
  };
  artifact::Status loadImage(const tenon_program &program,
                             const tenon_gpu_image &image);
  artifact::Status prepareStep(const tenon_step &step, Loaded &kernel);

  Device *device = nullptr;
  Module module = nullptr;
  Result refusal = Success;        // the driver's result for the last image
  std::vector<Function> functions; // by step
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_KERNELS_H
