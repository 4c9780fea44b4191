//===- ExtractionIndex.h - what gives and reads each class ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An extraction problem without the nodes that no cheapest choice needs, and
// with the edges in both directions.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_EXTRACTIONINDEX_H
#define TENON_LIB_EGRAPH_EXTRACTIONINDEX_H

#include "tenon/EGraph/Extraction.h"

#include "llvm/ADT/ArrayRef.h"

namespace tenon::egraph {

/// Each list is sorted and without repetition. Left out are nodes that no
/// choice without a cycle can hold, nodes that the roots do not reach, nodes of
/// infinite cost, and nodes that another replaces at no higher cost.
struct ExtractionIndex {
  using List = llvm::SmallVector<unsigned, 4>;

  explicit ExtractionIndex(const ExtractionProblem &problem);

  /// By node. A node that is left out has no outputs. An output that the node
  /// itself needs is not listed: it can never be taken from there.
  std::vector<List> inputs, outputs;
  /// By node.
  std::vector<double> costs;
  /// By class: nodes.
  std::vector<List> givers, readers;
  List roots;
  /// Whether each root has a choice without a cycle.
  bool feasible = true;

  /// The providers of a choice, with the nodes that are left out replaced;
  /// nullopt where it is no choice, or one of infinite cost.
  std::optional<std::vector<int>> translate(const ExtractionProblem &problem,
                                            const Extraction &choice) const;

private:
  /// By node: the node that replaces it, itself where there is none.
  std::vector<unsigned> standIn;

  void drop(unsigned node);
  void dropUnderivable();
  void dropDominated();
  void dropUnreachable();
};

/// The choice that takes each class from `provider`, a node by class: only what
/// the roots need of it, in order. nullopt where a needed class has none (-1)
/// or the needs form a cycle.
std::optional<Extraction> orderExtraction(const ExtractionProblem &problem,
                                          llvm::ArrayRef<int> provider);

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_EXTRACTIONINDEX_H
