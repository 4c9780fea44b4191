//===- DeviceRuntime.h - parts of the runtime by kind of device -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_DEVICERUNTIME_H
#define TENON_LIB_RUNTIME_DEVICERUNTIME_H

#include "ModelImpl.h"

#include <memory>
#include <vector>

namespace tenon::runtime {

/// Creates instances on one kind of device.
struct DeviceRuntime {
  /// An instance on the device that the options ask for, of the first of
  /// `programs` (one or more) that has images for it. `hasCpu`: messages may
  /// say that the artifact also has a program for the CPU.
  artifact::Expected<std::unique_ptr<Model::Impl>> (*createModel)(
      const std::vector<const tenon_program *> &programs,
      const LoadSettings &settings, bool hasCpu);
  /// How many devices there are; null: it is not asked.
  artifact::Expected<int32_t> (*countDevices)(bool hasCpu);
};

} // namespace tenon::runtime

/// Defined in Cuda/CudaModelLoad.cpp.
extern "C" const tenon::runtime::DeviceRuntime tenon_runtime_cuda;

/// Creates instances of pipelines; defined in Pipeline/PipelineLoad.cpp.
extern "C" const tenon::runtime::DeviceRuntime tenon_runtime_pipeline;

#endif // TENON_LIB_RUNTIME_DEVICERUNTIME_H
