//===- Prove.h - proving and refuting rules -------------------------------===//
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
  /// The bound of one question to the solver, in the solver's deterministic
  /// unit. All questions about a rule together may take three times as much,
  /// and after the first question that reaches its bound no more are asked. 0:
  /// no bound.
  uint64_t rlimit = defaultRlimit;
  /// If not empty, every question is written to the file `<dumpPrefix>-N.smt2`,
  /// with the expected answer in its first line.
  std::string dumpPrefix;
  /// Decisions of questions that are shared with other rules.
  std::shared_ptr<SolverMemory> memory;
  /// Whether small sizes are tried before and after the proof. Without this, a
  /// wrong rule is reported as unknown. Used to test only the proofs.
  bool refute = true;
};

/// Decides whether both sides of `rule` (which must verify) compute the same
/// for all sizes. Never fails: the certificate's status and reason say what was
/// found. The result depends only on the rule, the options and the solver's
/// version. Adds to `work` what it took, in the unit of Solver::getWork.
rule::Certificate proveRule(rule::RuleOp rule, const ProveOptions &options = {},
                            uint64_t *work = nullptr);

/// The certificate of a rule whose file may take no more work (FileWork).
rule::Certificate getRefusal(rule::RuleOp rule);

/// The result of a proof without one of the rule's conditions.
struct Necessity {
  enum Verdict {
    /// Sizes that violate the condition are known at which the rule is wrong.
    Needed,
    /// The rule is also proved without the condition.
    NotNeeded,
    Undecided
  };
  std::string condition;
  Verdict verdict;
  std::string reason;
};
llvm::StringRef stringify(Necessity::Verdict verdict);

/// Drops each condition of `rule`, whose proof gave `proved`. Conditions are
/// dropped one at a time, so if two imply each other, neither is needed. Adds
/// to `work` what it took, in the unit of Solver::getWork; what is left when
/// that is more than getMostFileWork is undecided.
std::vector<Necessity> checkNecessity(rule::RuleOp rule,
                                      const rule::Certificate &proved,
                                      const ProveOptions &options,
                                      uint64_t &work);

} // namespace tenon::prove

#endif // TENON_PROVE_PROVE_H
