//===- Extraction.h - the cheapest graph in an e-graph --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Describes extraction as a separate problem: e-classes are numbers, and
// e-nodes provide some classes and need others. A choice is a set of e-nodes
// that provides every root and everything that the set itself needs, without a
// cycle. Its cost is the sum of the costs of its nodes, each counted once
// regardless of the number of its uses.
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
  /// The classes that the node provides: one per result of its op.
  llvm::SmallVector<unsigned, 2> outputs;
  /// The classes that the node needs. A class may occur more than once.
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
  /// The chosen nodes, each before those that need its results.
  std::vector<unsigned> nodes;
  /// For each class, the node that provides it in this choice, or -1 if it is
  /// not needed.
  std::vector<int> provider;
  /// The sum of the costs of `nodes`.
  double cost = 0;
  /// Whether the solver proved that no choice is cheaper.
  bool optimal = false;
};

} // namespace tenon::egraph

#endif // TENON_EGRAPH_EXTRACTION_H
