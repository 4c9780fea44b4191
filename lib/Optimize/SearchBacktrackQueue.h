//===- SearchBacktrackQueue.h - the queue of graphs -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_SEARCHBACKTRACKQUEUE_H
#define TENON_LIB_OPTIMIZE_SEARCHBACKTRACKQUEUE_H

#include "SearchBacktrackGraph.h"

#include <set>

namespace tenon::optimize::backtrack {

/// A graph that has not been built: a rewrite of a graph that has been built.
struct Entry {
  double seconds = 0;
  uint64_t number = 0;
  std::shared_ptr<Graph> from;
  unsigned rule = 0;
  rule::RuleMatch match;
};

/// Orders the cheapest first, and among equals the oldest.
struct EntryOrder {
  bool operator()(const std::shared_ptr<Entry> &a,
                  const std::shared_ptr<Entry> &b) const {
    return std::pair(a->seconds, a->number) < std::pair(b->seconds, b->number);
  }
};

/// The graphs that wait, and the best graphs so far. The size is bounded: the
/// most expensive graphs are dropped.
class EntryQueue {
public:
  explicit EntryQueue(size_t numBest) : numBest(numBest) {}

  bool empty() const { return waiting.empty(); }
  size_t size() const { return waiting.size(); }
  void insert(std::shared_ptr<Entry> entry);
  std::shared_ptr<Entry> takeCheapest();
  const std::set<std::shared_ptr<Entry>, EntryOrder> &getBest() const {
    return best;
  }
  uint64_t getNumDropped() const { return dropped; }
  /// Counts a graph's ops among those that entries keep in memory, for the
  /// lifetime of the graph.
  std::shared_ptr<Graph> own(std::shared_ptr<Graph> graph);

private:
  size_t numBest;
  /// The number of ops of live graphs. The queue must outlive these.
  size_t liveOps = 0;
  uint64_t dropped = 0;
  std::set<std::shared_ptr<Entry>, EntryOrder> waiting, best;
};

} // namespace tenon::optimize::backtrack

#endif // TENON_LIB_OPTIMIZE_SEARCHBACKTRACKQUEUE_H
