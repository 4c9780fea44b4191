//===- SearchBacktrackCost.h - what one graph costs -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels are those of KernelGraph.h, but for one graph rather than for all
// that an e-graph holds: no choice is left but which ops run together, so that
// a pass over the ops takes the place of an extraction. Under isolated
// semantics the two agree; where ops are read through, this one is greedier.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_SEARCHBACKTRACKCOST_H
#define TENON_LIB_OPTIMIZE_SEARCHBACKTRACKCOST_H

#include "SearchBacktrackGraph.h"

#include "llvm/ADT/SetVector.h"

namespace tenon::optimize::backtrack {

/// Keeps its memory from call to call.
class GraphCost {
public:
  GraphCost(const cost::CostModel &costs, KindTable &kinds);

  /// Seconds.
  double estimate(const Graph &graph, const Outline &outline);

private:
  /// Of a value; `kept`, `uses` and `reader`, of the first result of a node
  /// for all of them.
  struct Info {
    bool weight = false, needed = false;
    /// Whether something reads it that can't compute it for itself.
    bool kept = false;
    /// What reading it takes.
    double bytes = 0;
    unsigned uses = 0;
    /// The last node that reads it.
    int reader = -1;
    /// Of a kernel that ends with what gives this value.
    double seconds = 0;
    /// In a chain behind a library's kernel: the value before.
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
  /// What a value adds to the cost where it has a kernel of its own.
  double getOwn(unsigned value) const;
  /// The first result of the node that gives a value.
  unsigned getFirst(unsigned value) const;
  unsigned getValue(unsigned operand) const { return outline->values[operand]; }

  const cost::CostModel &costs;
  KindTable &kinds;
  bool isolated;
  /// Of the call.
  const Graph *graph = nullptr;
  const Outline *outline = nullptr;
  std::vector<Info> infos;
  /// Of the kernel that `getInlined` looked at.
  llvm::SetVector<unsigned> inlined, inputs;
};

} // namespace tenon::optimize::backtrack

#endif // TENON_LIB_OPTIMIZE_SEARCHBACKTRACKCOST_H
