//===- Prove.h - proofs and refutations of rules --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_PROVE_H
#define TENON_PROVE_PROVE_H

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/ProofKernel/Solver.h"

namespace tenon::prove {

struct ProveOptions {
  /// Bound of one question to the solver, in its own deterministic unit; all
  /// questions about a rule may take three times as much, and the first that
  /// reaches its bound is the last. 0: no bound.
  uint64_t rlimit = defaultRlimit;
  /// Not empty: every question is written to the file `<dumpPrefix>-N.smt2`,
  /// with the expected answer in its first line.
  std::string dumpPrefix;
  /// Whether small sizes are tried before and after; without, a wrong rule is
  /// unknown at best. For tests of the proofs themselves.
  bool refute = true;
  /// Whether values are tried at which an intermediate overflows or cancels
  /// (rule::ChangesRange); without, nothing is said of that.
  bool seekRangeChanges = true;
};

/// Decides whether both sides of `rule` (which must verify) compute the same
/// for all sizes. Never fails: the certificate's status and reason say what was
/// found. The result depends on the rule, the options and the solver's version
/// alone.
rule::Certificate proveRule(rule::RuleOp rule,
                            const ProveOptions &options = {});

/// What became of a proof when one condition of its rule was dropped.
struct Necessity {
  enum Verdict {
    /// Sizes that violate it are known at which the rule is wrong.
    Needed,
    /// The rule is proved without it.
    NotNeeded,
    Undecided
  };
  std::string condition;
  Verdict verdict;
  std::string reason;
};
llvm::StringRef stringify(Necessity::Verdict verdict);

/// Drops each condition of `rule`, whose proof gave `proved`. Conditions are
/// dropped one at a time: of two that imply each other, none is needed.
std::vector<Necessity> checkNecessity(rule::RuleOp rule,
                                      const rule::Certificate &proved,
                                      const ProveOptions &options = {});

} // namespace tenon::prove

#endif // TENON_PROVE_PROVE_H
