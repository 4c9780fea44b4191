//===- Equations.h - proved equations as rewrites of graphs ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows from an equation that is known already need not be enumerated:
// a graph with an instance of it has an equal one that comes first in the order
// of graphs (unfailing completion, Bachmair, Dershowitz and Plaisted 1989;
// QuickSpec 2, Smallbone and others 2017, prunes in the same way).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_EQUATIONS_H
#define TENON_DISCOVER_EQUATIONS_H

#include "tenon/Discover/Generalize.h"

namespace tenon::discover {

/// Equations between graphs with one result, an instance of which rewrites in
/// whichever direction leads to the graph that comes first; and rules that
/// merge graphs.
class Equations {
public:
  explicit Equations(Terms &terms) : terms(terms) {}

  void add(const Candidate &candidate, const Generalized &statement);

  /// A graph that equals `value` by one equation at its root, and comes before
  /// it. `value` may be new to `terms`, and so may what is returned.
  std::optional<ValueId> rewriteRoot(ValueId value);
  /// The graph that no equation rewrites, neither at its root nor below it.
  ValueId normalize(ValueId value);

  /// A rule whose target computes all results of the source by one op.
  void addSiblings(const Candidate &candidate, const Generalized &statement);
  /// Whether such a rule leads from the results of `candidate` to a graph that
  /// the equations make the candidate's target.
  bool followsFromSiblings(const Candidate &candidate);

private:
  /// One direction.
  struct Rewrite {
    ValueId from, to;
    std::shared_ptr<const Generalized> statement;
    /// For each operand of the root of `from`: the family of its op; nothing
    /// for an input.
    llvm::SmallVector<std::optional<unsigned>, 2> operands;
  };
  struct Siblings {
    Candidate candidate;
    std::shared_ptr<const Generalized> statement;
  };
  struct Match;
  bool match(ValueId pattern, ValueId subject, Match &match) const;
  std::optional<unsigned> getFamily(ValueId value) const;
  bool mayMatch(const Rewrite &rewrite, ValueId value) const;
  bool bindSizes(const Generalized &statement, Match &match) const;
  std::optional<ValueId> instantiate(ValueId pattern, Match &match);
  /// The same op on operands that no equation rewrites.
  ValueId normalizeOperands(ValueId value);

  Terms &terms;
  /// By the family of the root of `from`.
  std::map<unsigned, std::vector<Rewrite>> byRoot;
  std::vector<Siblings> siblings;
  /// What values are normalized to, until there are more equations, or values
  /// are forgotten.
  llvm::DenseMap<ValueId, ValueId> normalForms;
  uint64_t forgotten = 0;
};

} // namespace tenon::discover

#endif // TENON_DISCOVER_EQUATIONS_H
