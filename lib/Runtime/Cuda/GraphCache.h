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

/// Per tensor of a call: where the caller has it on the device, or a number
/// that is no address where the run has it in memory of the model's own.
using GraphKey = std::vector<DeviceAddress>;

/// A run as one CUDA graph: copies of tensors that the caller has in host
/// memory, and all steps. Destroyed while the device's context is current.
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
  uint64_t lastUse = 0; // by the calls without a graph until then
};

/// A graph takes the place of another only where that one is out of use, so
/// that callers with more tensors than there is room for make none again and
/// again.
class GraphCache {
public:
  /// Null: there is none.
  CudaGraph *find(const GraphKey &key);
  /// Whether the addresses of a call without a graph are worth one: they came a
  /// short time ago, too, and there is room.
  bool comesAgain(const GraphKey &key);
  CudaGraph &add(std::unique_ptr<CudaGraph> graph);
  bool isEmpty() const { return graphs.empty(); }
  /// Drops all graphs; what came is still known.
  void clear() { graphs.clear(); }

private:
  std::vector<std::unique_ptr<CudaGraph>>::iterator findStalest();

  std::vector<std::unique_ptr<CudaGraph>> graphs;
  std::deque<GraphKey> recent; // of calls without a graph
  uint64_t misses = 0;         // all of these
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_GRAPHCACHE_H
