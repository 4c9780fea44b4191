//===- Kernel.h - the proof kernel ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel decides whether a witness proves a rule. It derives the claim of
// the rule from the index forms of both sides, and the conditions under which
// the witness proves it; questions about integers go to the solver. The kernel
// does not search for proofs. docs/proofs.md lists what is trusted.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_KERNEL_H
#define TENON_PROOFKERNEL_KERNEL_H

#include "tenon/ProofKernel/ElementSigns.h"
#include "tenon/ProofKernel/Witness.h"

#include "tenon/Dialect/Rule/IR/Certificate.h"

namespace tenon::prove {

/// Increased whenever the kernel, or a law, changes: certificates of another
/// version are void.
constexpr int64_t kernelVersion = 12;

/// One result of both sides, which must be equal wherever `context` holds. No
/// variable is bound in both, and all variables have numbers below `next`.
struct Claim {
  graph::Expr source, target;
  FormulaRef context;
  unsigned next = 0;
};

/// The claims of a rule, for all sizes.
struct Statement {
  std::vector<Claim> claims;
  OperandSigns signs;
  std::vector<graph::IndexForm> forms; // of the results of both sides
  /// Whether sums stand for elements at indices that depend on data.
  bool readsData = false;
};

/// Returns the statement of a rule, if its ops are valid for all sizes that
/// satisfy its conditions. Otherwise returns nothing, with a reason, and sets
/// `status` to Unknown, Unsupported or Error.
std::optional<Statement> getStatement(Solver &solver, rule::RuleOp rule,
                                      rule::Status &status,
                                      std::string &reason);

/// The properties that a proof shows.
struct Theorem {
  /// The values of Certificate::elements, floatClass and rangeChanges.
  std::string elements = "any";
  unsigned floatClass = rule::Exact;
  std::map<std::string, std::string> rangeChanges;
  bool lifted = false;
  /// Its assumptions beside the rule's conditions (getHypotheses); with
  /// `lifted`, also those of the theorem with one leading axis, whose size is
  /// `liftSymbol`.
  std::vector<SymInt> hypotheses, liftHypotheses;
  std::string liftSymbol;
};

/// The SHA-256 of the meanings of both sides' ops and of their conditions on
/// sizes; empty if an op has no meaning.
std::string getMeanings(rule::RuleOp rule);

/// Checks the proof of one result.
std::optional<Theorem> checkResult(Solver &solver, const Statement &statement,
                                   const Claim &claim, const ResultProof &proof,
                                   std::string &reason);

/// Whether the batch index passes through unchanged: it is the first index of
/// every load of a lifted operand, and it occurs nowhere else. Then any number
/// of leading axes may replace it, like one index into their product.
bool carriesBatchUnchanged(llvm::ArrayRef<graph::IndexForm> forms,
                           llvm::ArrayRef<int64_t> lifted,
                           llvm::StringRef batch);

/// Checks a whole rule: its statement; the statement with f64 for f32 if f32
/// rounds numbers of its ops; and, if the witness has proofs for them, the
/// statement with a leading axis and the one with integers. Returns nothing,
/// with a reason, if the witness is not a proof. Sets `meanings`.
std::optional<Theorem> checkRule(Solver &solver, rule::RuleOp rule,
                                 const Witness &witness, std::string &meanings,
                                 std::string &reason);

/// Checks that a certificate belongs to this rule and this kernel, that its
/// witness is a proof, and that it shows what the certificate says. Returns
/// what is wrong, or an empty string.
std::string checkCertificate(Solver &solver, rule::RuleOp rule,
                             const rule::Certificate &certificate);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_KERNEL_H
