//===- GraphCache.cpp - the CUDA graphs for one set of sizes ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphCache.h"

#include <algorithm>

namespace tenon::runtime::cuda {

static constexpr size_t maxGraphs = 8;
static constexpr size_t maxRecent = 16;
/// A graph expires if this many calls without a graph were made since its last
/// use. The limit exceeds the number of remembered calls: a call that
/// alternates with the graph is either forgotten before it recurs, or recurs
/// while the graph has not expired.
static constexpr uint64_t maxAge = 4 * maxRecent;

CudaGraph *GraphCache::find(const GraphKey &key) {
  for (const std::unique_ptr<CudaGraph> &graph : graphs)
    if (graph->key == key) {
      graph->lastUse = misses;
      return graph.get();
    }
  return nullptr;
}

std::vector<std::unique_ptr<CudaGraph>>::iterator GraphCache::findStalest() {
  return std::min_element(
      graphs.begin(), graphs.end(),
      [](const auto &a, const auto &b) { return a->lastUse < b->lastUse; });
}

bool GraphCache::comesAgain(const GraphKey &key) {
  ++misses;
  if (std::find(recent.begin(), recent.end(), key) != recent.end())
    return graphs.size() < maxGraphs ||
           misses - (*findStalest())->lastUse > maxAge;
  if (recent.size() == maxRecent)
    recent.pop_front();
  recent.push_back(key);
  return false;
}

CudaGraph &GraphCache::add(std::unique_ptr<CudaGraph> graph) {
  if (graphs.size() == maxGraphs)
    graphs.erase(findStalest());
  recent.erase(std::remove(recent.begin(), recent.end(), graph->key),
               recent.end());
  graph->lastUse = misses;
  graphs.push_back(std::move(graph));
  return *graphs.back();
}

} // namespace tenon::runtime::cuda
