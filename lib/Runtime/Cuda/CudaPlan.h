//===- CudaPlan.h - the plan for one set of sizes -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_CUDAPLAN_H
#define TENON_LIB_RUNTIME_CUDA_CUDAPLAN_H

#include "GraphCache.h"

namespace tenon::runtime::cuda {

struct CudaPlan {
  std::vector<int64_t> symbols;
  std::vector<int64_t> byteSizes; // by buffer of the entry
  std::vector<int64_t> extents;   // by step of the entry
  /// By buffer of the entry; 0 for inputs and outputs.
  std::vector<DeviceAddress> addresses;
  /// By tensor of the call (inputs, then outputs): its offset in the staging
  /// memory, and its size; 0 bytes: it is not copied.
  std::vector<int64_t> stagingOffsets, tensorBytes;
  int64_t stagingBytes = 0;
  GraphCache graphs;
  /// Whether all steps have been launched once outside of a graph.
  bool wasLaunched = false;
  /// How often this happened for tensors at addresses without a graph.
  int inPlaceRuns = 0;
  uint64_t lastUse = 0;
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CUDAPLAN_H
