//===- GraphCache.h - the CUDA graphs for one set of sizes --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_GRAPHCACHE_H
#define TENON_LIB_RUNTIME_CUDA_GRAPHCACHE_H

#include "Device.h"

#include <deque>
#include <vector>

namespace tenon::runtime::cuda {

/// For each tensor of a call: its device address if the caller has it on the
/// device, or a number that is not an address if the run keeps it in the
/// model's memory.
using GraphKey = std::vector<DeviceAddress>;

/// A run as one CUDA graph: copies of tensors that the caller has in host
/// memory, and all steps. The device's context must be current when it is
/// destroyed.
struct CudaGraph {
  CudaGraph(Device &device, GraphKey key)
      : device(device), key(std::move(key)) {}
  CudaGraph(const CudaGraph &) = delete;
  CudaGraph &operator=(const CudaGraph &) = delete;
  ~CudaGraph() {
    if (exec && !device.isGone())
      device.driver().graphExecDestroy(exec);
  }

  Device &device;
  GraphExec exec = nullptr;
  const GraphKey key;
  uint64_t lastUse = 0; // value of `misses` at the last use
};

/// A graph replaces another only if that one has expired. Otherwise, callers
/// that alternate between more tensors than the cache has room for would create
/// graphs again and again.
class GraphCache {
public:
  /// Returns null if there is none.
  CudaGraph *find(const GraphKey &key);
  /// Returns whether the addresses of a call without a graph are worth one:
  /// they have recurred within a short time, and there is room.
  bool comesAgain(const GraphKey &key);
  CudaGraph &add(std::unique_ptr<CudaGraph> graph);
  bool isEmpty() const { return graphs.empty(); }
  /// Drops all graphs; recent keys are kept.
  void clear() { graphs.clear(); }

private:
  std::vector<std::unique_ptr<CudaGraph>>::iterator findStalest();

  std::vector<std::unique_ptr<CudaGraph>> graphs;
  std::deque<GraphKey> recent; // keys of recent calls without a graph
  uint64_t misses = 0;         // number of calls without a graph
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_GRAPHCACHE_H
