//===- CudaPlan.h - what a model keeps for one set of sizes -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_CUDAPLAN_H
#define TENON_LIB_RUNTIME_CUDA_CUDAPLAN_H

#include "Device.h"

#include <vector>

namespace tenon::runtime::cuda {

/// A run as one CUDA graph: copies of tensors that the caller has in host
/// memory, and all steps. Destroyed while the device's context is current.
struct CudaGraph {
  explicit CudaGraph(Device &device) : device(device) {}
  CudaGraph(const CudaGraph &) = delete;
  CudaGraph &operator=(const CudaGraph &) = delete;
  ~CudaGraph() {
    if (graph)
      device.driver().graphExecDestroy(graph);
  }

  Device &device;
  /// Per tensor of the call: where the caller has it on the device, or 0.
  std::vector<DeviceAddress> key;
  /// Null: calls with these addresses were seen, but not captured yet.
  GraphExec graph = nullptr;
  uint64_t lastUse = 0;
};

struct CudaPlan {
  std::vector<int64_t> symbols;
  std::vector<int64_t> byteSizes; // by buffer
  std::vector<int64_t> extents;   // by step
  /// By buffer; 0 for inputs and outputs.
  std::vector<DeviceAddress> addresses;
  /// By tensor of the call (inputs, then outputs): its place in the staging
  /// memory, and its size; 0 bytes: nothing is copied.
  std::vector<int64_t> stagingOffsets, tensorBytes;
  int64_t stagingBytes = 0;
  std::vector<std::unique_ptr<CudaGraph>> graphs;
  /// Whether all steps were launched once, outside of a graph.
  bool wasLaunched = false;
  uint64_t lastUse = 0;
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CUDAPLAN_H
