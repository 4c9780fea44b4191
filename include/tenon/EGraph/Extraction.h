//===- Extraction.h - the cheapest graph in an e-graph --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extraction as a problem on its own: e-classes are numbers, e-nodes give some
// classes and need others. A choice is a set of e-nodes that gives every root
// and everything that it needs itself, without a cycle; it costs what its nodes
// cost, each counted once however often it is read.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EGRAPH_EXTRACTION_H
#define TENON_EGRAPH_EXTRACTION_H

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <vector>

namespace tenon::egraph {

struct ExtractionNode {
  /// Classes that the node gives: one per result of its op.
  llvm::SmallVector<unsigned, 2> outputs;
  /// Classes that it needs; a class may stand there more than once.
  llvm::SmallVector<unsigned, 4> inputs;
  /// In seconds; at least 0.
  double cost = 0;
};

struct ExtractionProblem {
  unsigned numClasses = 0;
  std::vector<ExtractionNode> nodes;
  std::vector<unsigned> roots;
};

struct Extraction {
  /// Chosen nodes, each before those that need what it gives.
  std::vector<unsigned> nodes;
  /// By class: the node that gives it in this choice, or -1 where it is not
  /// needed.
  std::vector<int> provider;
  /// The sum over `nodes`.
  double cost = 0;
  /// Whether no choice is cheaper: proved by the solver.
  bool optimal = false;
};

} // namespace tenon::egraph

#endif // TENON_EGRAPH_EXTRACTION_H
