//===- ExtractionIndex.h - providers and readers of each class ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An extraction problem without the nodes that no cheapest choice needs, with
// edges in both directions.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_EXTRACTIONINDEX_H
#define TENON_LIB_EGRAPH_EXTRACTIONINDEX_H

#include "tenon/EGraph/Extraction.h"

#include "llvm/ADT/ArrayRef.h"

namespace tenon::egraph {

/// Each list is sorted and has no duplicates. The index omits nodes that cannot
/// be in any choice without a cycle, nodes that the roots do not reach, nodes
/// of infinite cost, and nodes that another node replaces at no higher cost.
struct ExtractionIndex {
  using List = llvm::SmallVector<unsigned, 4>;

  explicit ExtractionIndex(const ExtractionProblem &problem);

  /// Indexed by node. An omitted node has no outputs. An output that the node
  /// itself needs is not listed, because the node can never provide it.
  std::vector<List> inputs, outputs;
  /// Indexed by node.
  std::vector<double> costs;
  /// Lists of nodes, indexed by class.
  std::vector<List> givers, readers;
  List roots;
  /// Whether each root has a choice without a cycle.
  bool feasible = true;

  /// Returns the providers of a choice, with the omitted nodes replaced.
  /// Returns nullopt if `choice` is not valid, or has infinite cost.
  std::optional<std::vector<int>> translate(const ExtractionProblem &problem,
                                            const Extraction &choice) const;

private:
  /// For each node, the node that replaces it, or itself.
  std::vector<unsigned> standIn;

  void drop(unsigned node);
  void dropUnderivable();
  void dropDominated();
  void dropUnreachable();
};

/// Returns the choice in which `provider` has the node of each class: only the
/// nodes that the roots need, in order. Returns nullopt if a needed class has
/// none (-1), or if there is a cycle.
std::optional<Extraction> orderExtraction(const ExtractionProblem &problem,
                                          llvm::ArrayRef<int> provider);

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_EXTRACTIONINDEX_H
