//===- Siblings.h - selection of the ops that rules join ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_SIBLINGS_H
#define TENON_LIB_EGRAPH_SIBLINGS_H

#include "tenon/EGraph/EGraph.h"

namespace tenon::egraph {

/// Chooses the matches of rules with several roots.
class SiblingChoice {
public:
  SiblingChoice(const EGraph &graph,
                llvm::ArrayRef<rule::RulePattern> patterns);

  /// Returns true if the rule has not joined the op yet.
  bool isFree(unsigned rule, mlir::Operation *op) const {
    return !joined[rule].contains(graph.getTerm(op));
  }

  /// Returns the ops that may be joined with `first` although they share no
  /// operand: readers of the parts of which it reads one, and operands of the
  /// concats that read it. All others would have to be moved together.
  llvm::SmallVector<mlir::Operation *> getRelated(mlir::OperationName name,
                                                  mlir::Operation *first) const;

  /// Returns the matches of a rule that should be applied: the most similar
  /// roots first, with each root in at most one match, now and later. Roots
  /// that are split into the same result, since they were joined with one
  /// sibling, are not joined: it would be computed twice.
  std::vector<rule::RuleMatch> choose(unsigned rule,
                                      const rule::RulePattern &pattern,
                                      std::vector<rule::RuleMatch> matches);

private:
  /// Hashes of the readers of an op's results: the direct readers, their
  /// readers, ...
  static constexpr unsigned kLevels = 4;
  using Signature = std::array<uint64_t, kLevels>;
  Signature getSignature(mlir::Value value) const;
  /// Adds what `value` is split into, also once reshaped: the results of
  /// siblings that were joined.
  void addParts(mlir::Value value, llvm::DenseSet<mlir::Value> &parts) const;
  /// Whether two roots of a match were joined from one sibling.
  bool shareParts(unsigned rule, const rule::RuleMatch &match) const;

  const EGraph &graph;
  /// For each rule, the positions of the roots among the ops of the source.
  std::vector<llvm::SmallVector<unsigned, 2>> roots;
  /// For each rule, the terms that were roots.
  std::vector<llvm::DenseSet<TermId>> joined;
};

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_SIBLINGS_H
