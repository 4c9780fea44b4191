//===- GreedyBottomUp.h - a first choice, from the leaves up --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_GREEDYBOTTOMUP_H
#define TENON_LIB_EGRAPH_GREEDYBOTTOMUP_H

#include "ExtractionIndex.h"

namespace tenon::egraph {

struct BottomUpChoice {
  /// By class: the node to take it from, -1 where there is none. Following
  /// these never leads into a cycle.
  std::vector<int> provider;
  /// By class: what it costs alone, each node on the way counted once.
  std::vector<double> reach;
};

/// Settles classes in the order of their cost, as Dijkstra's algorithm does.
BottomUpChoice chooseBottomUp(const ExtractionIndex &index);

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_GREEDYBOTTOMUP_H
