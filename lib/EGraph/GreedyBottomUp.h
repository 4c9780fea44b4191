//===- GreedyBottomUp.h - an initial choice, from the leaves up -----------===//
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
  /// For each class, the node that provides it, or -1 if there is none.
  /// Following these nodes never leads into a cycle.
  std::vector<int> provider;
  /// For each class, its cost if it is the only root, with each node below it
  /// counted once.
  std::vector<double> reach;
};

/// Settles classes in the order of their cost, like Dijkstra's algorithm.
BottomUpChoice chooseBottomUp(const ExtractionIndex &index);

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_GREEDYBOTTOMUP_H
