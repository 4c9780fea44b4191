//===- Kernel.h - what may be called a proof ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel decides whether a witness proves a rule. It says itself what the
// rule claims, from the index forms of both sides, and what must hold for the
// witness to show it; questions about integers go to the solver. It searches
// nothing: docs/proofs.md names what is trusted.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_KERNEL_H
#define TENON_PROOFKERNEL_KERNEL_H

#include "tenon/ProofKernel/ElementSigns.h"
#include "tenon/ProofKernel/Witness.h"

#include "tenon/Dialect/Rule/IR/Certificate.h"

namespace tenon::prove {

/// Raised whenever the kernel, or a law, changes: certificates of another one
/// are void.
constexpr int64_t kernelVersion = 8;

/// One result of both sides, which are to be equal wherever `context` holds.
/// No variable is bound in both, nor has a number of `next` or above.
struct Claim {
  graph::Expr source, target;
  FormulaRef context;
  unsigned next = 0;
};

/// What a rule says, for all sizes.
struct Statement {
  std::vector<Claim> claims;
  OperandSigns signs;
  std::vector<graph::IndexForm> forms; // of the results of both sides
};

/// The statement of a rule, if its ops are valid for all sizes that it is
/// about. Else nothing, with a reason, and `status` Unknown, Unsupported or
/// Error.
std::optional<Statement> getStatement(Solver &solver, rule::RuleOp rule,
                                      rule::Status &status,
                                      std::string &reason);

/// What a proof shows.
struct Theorem {
  /// Certificate::elements and, but for rule::ChangesRange, floatClass.
  std::string elements = "any";
  unsigned floatClass = rule::Exact;
  bool lifted = false;
};

/// SHA-256 of what the ops of both sides mean and ask of sizes; empty where an
/// op has no meaning.
std::string getMeanings(rule::RuleOp rule);

/// Checks one result.
std::optional<Theorem> checkResult(Solver &solver, const Statement &statement,
                                   const Claim &claim, const ResultProof &proof,
                                   std::string &reason);

/// Whether the batch index goes through unchanged: every load of a lifted
/// operand has it as first index, and it stands nowhere else. Then any number
/// of leading axes may stand for it, as one index of their product would.
bool carriesBatchUnchanged(llvm::ArrayRef<graph::IndexForm> forms,
                           llvm::ArrayRef<int64_t> lifted,
                           llvm::StringRef batch);

/// Checks a whole rule: its statement, that with f64 for f32 if f32 rounds
/// numbers of its ops, and where the witness speaks of them that with a leading
/// axis and that with integers. Nothing, with a reason, where the witness is no
/// proof. Sets `meanings`.
std::optional<Theorem> checkRule(Solver &solver, rule::RuleOp rule,
                                 const Witness &witness, std::string &meanings,
                                 std::string &reason);

/// Checks that a certificate is one of this rule and of this kernel, that its
/// witness is a proof, and that it shows what the certificate says. Returns
/// what is wrong; empty: nothing. Where rule::ChangesRange was seen is no part
/// of a proof.
std::string checkCertificate(Solver &solver, rule::RuleOp rule,
                             const rule::Certificate &certificate);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_KERNEL_H
