//===- SearchBacktrackCost.h - the cost of one graph ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels are those of KernelGraph.h, but for one graph rather than for all
// graphs of an e-graph. The only remaining choice is which ops run together, so
// that one pass over the ops replaces an extraction. Under isolated semantics,
// both have the same result. If ops are inlined, this one is greedier.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_SEARCHBACKTRACKCOST_H
#define TENON_LIB_OPTIMIZE_SEARCHBACKTRACKCOST_H

#include "SearchBacktrackGraph.h"

#include "llvm/ADT/SetVector.h"

namespace tenon::optimize::backtrack {

/// Reuses its memory for all calls.
class GraphCost {
public:
  GraphCost(const cost::CostModel &costs, KindTable &kinds);

  /// Returns the cost in seconds.
  double estimate(const Graph &graph, const Outline &outline);

private:
  /// Properties of a value. The first result of a node has `kept`, `uses` and
  /// `reader` for all of its results.
  struct Info {
    bool weight = false, needed = false;
    /// Whether a reader that cannot recompute the value reads it.
    bool kept = false;
    /// The number of bytes for reading the value.
    double bytes = 0;
    unsigned uses = 0;
    /// The last node that reads the value.
    int reader = -1;
    /// The time of a kernel that ends with the node of this value.
    double seconds = 0;
    /// If the value is in a chain after a library's kernel, the previous value.
    int before = -1;
    bool inChain = false;
  };

  void prepare();
  cost::Work getWork(const Node &node);
  void addRead(unsigned value, cost::Work &work) const;
  bool isTail(const Node &node, unsigned chain) const;
  void followChain(const Node &root);
  void need(const Node &node);
  double take(const Node &node);
  double takeChain(const Node &node);
  double getInlined(const Node &node);
  int getInlinable(unsigned value) const;
  void readThrough(const Node &node, unsigned depth, cost::Work &work);
  /// Returns the cost of a value as a separate kernel.
  double getOwn(unsigned value) const;
  /// Returns the first result of the node that provides a value.
  unsigned getFirst(unsigned value) const;
  unsigned getValue(unsigned operand) const { return outline->values[operand]; }

  const cost::CostModel &costs;
  KindTable &kinds;
  bool isolated;
  /// The arguments of the current call.
  const Graph *graph = nullptr;
  const Outline *outline = nullptr;
  std::vector<Info> infos;
  /// The ops and inputs of the last kernel of `getInlined`.
  llvm::SetVector<unsigned> inlined, inputs;
};

} // namespace tenon::optimize::backtrack

#endif // TENON_LIB_OPTIMIZE_SEARCHBACKTRACKCOST_H
