//===- SearchBacktrackQueue.cpp - the queue of graphs ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchBacktrackQueue.h"

using namespace tenon::optimize::backtrack;

/// The maximum number of waiting rewrites, and of ops of the graphs that they
/// are rewrites of.
static constexpr size_t kMostWaiting = 10000, kMostOps = 1000000;

std::shared_ptr<Graph> EntryQueue::own(std::shared_ptr<Graph> graph) {
  size_t ops = graph->nodes.size();
  liveOps += ops;
  Graph *pointer = graph.get();
  return std::shared_ptr<Graph>(
      pointer, [this, ops, graph = std::move(graph)](Graph *) mutable {
        liveOps -= ops;
        graph.reset();
      });
}

void EntryQueue::insert(std::shared_ptr<Entry> entry) {
  best.insert(entry);
  if (best.size() > numBest)
    best.erase(std::prev(best.end()));
  waiting.insert(std::move(entry));
  while (waiting.size() > kMostWaiting ||
         (waiting.size() > 1 && liveOps > kMostOps)) {
    waiting.erase(std::prev(waiting.end()));
    ++dropped;
  }
}

std::shared_ptr<Entry> EntryQueue::takeCheapest() {
  std::shared_ptr<Entry> entry = *waiting.begin();
  waiting.erase(waiting.begin());
  return entry;
}
