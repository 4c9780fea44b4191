//===- SearchBacktrackQueue.h - graphs that wait --------------------------===//
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

/// A graph that has not been built: a rewrite of one that has.
struct Entry {
  double seconds = 0;
  uint64_t number = 0;
  std::shared_ptr<Graph> from;
  unsigned rule = 0;
  rule::RuleMatch match;
};

/// The cheapest first; of equals, the oldest.
struct EntryOrder {
  bool operator()(const std::shared_ptr<Entry> &a,
                  const std::shared_ptr<Entry> &b) const {
    return std::pair(a->seconds, a->number) < std::pair(b->seconds, b->number);
  }
};

/// The graphs that wait, and the best that ever did. Bounded: the dearest are
/// dropped.
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
  /// Counts a graph's ops among those that entries keep in memory, for as long
  /// as it lives.
  std::shared_ptr<Graph> own(std::shared_ptr<Graph> graph);

private:
  size_t numBest;
  /// Ops of graphs that are alive; outlives them.
  size_t liveOps = 0;
  uint64_t dropped = 0;
  std::set<std::shared_ptr<Entry>, EntryOrder> waiting, best;
};

} // namespace tenon::optimize::backtrack

#endif // TENON_LIB_OPTIMIZE_SEARCHBACKTRACKQUEUE_H
