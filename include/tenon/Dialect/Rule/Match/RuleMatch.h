//===- RuleMatch.h - places where a rule applies --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_MATCH_RULEMATCH_H
#define TENON_DIALECT_RULE_MATCH_RULEMATCH_H

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Dialect/Rule/IR/Instantiate.h"
#include "tenon/Dialect/Rule/Match/MatchView.h"

#include <functional>
#include <memory>
#include <mutex>

namespace tenon::rule {

/// Whether certificates hold: what is wrong with one; empty: nothing.
using CertificateChecker =
    std::function<std::string(RuleOp, const Certificate &)>;

/// A certificate that is checked when its rule is first to fire. May be asked
/// by several threads.
class PendingCheck {
public:
  explicit PendingCheck(CertificateChecker checker)
      : checker(std::move(checker)) {}
  /// Warns where it does not hold.
  bool holds(RuleOp rule, const Certificate &certificate);

private:
  CertificateChecker checker;
  std::once_flag once;
  bool isTrue = false;
};

struct ProvedRule {
  RuleOp op;
  Certificate certificate;
  /// Null: the certificate is trusted.
  std::shared_ptr<PendingCheck> check;
};

/// A place in a graph where the source of a rule, or a pattern, stands. Values
/// are representatives of the view that was matched.
struct RuleMatch {
  /// The operands, and the values that the rule's results replace.
  llvm::SmallVector<mlir::Value> operands, results;
  SymbolMap symbols;
  /// Sizes of leading axes; `lifted` says which operands have them.
  graph::Shape batch;
  llvm::SmallVector<bool> lifted;
  /// The graph's op for every op of the source, in the source's order.
  llvm::SmallVector<mlir::Operation *> ops;

  // Lists of them grow: to move one is never an error, whatever its members
  // say.
  RuleMatch() = default;
  RuleMatch(const RuleMatch &) = default;
  RuleMatch(RuleMatch &&) noexcept = default;
  RuleMatch &operator=(const RuleMatch &) = default;
  RuleMatch &operator=(RuleMatch &&) noexcept = default;
};

/// What narrows a search.
struct MatchFilter {
  /// Whether an op may be a root; null: all.
  llvm::function_ref<bool(mlir::Operation *)> root = nullptr;
  /// Candidates for a later root that reads nothing which is bound, given the
  /// roots before; null: all ops of its name.
  llvm::function_ref<llvm::SmallVector<mlir::Operation *>(mlir::OperationName,
                                                          mlir::Operation *)>
      related = nullptr;
  /// Whether a match at these ops, by op of the source, is of interest; null:
  /// all are.
  llvm::function_ref<bool(llvm::ArrayRef<mlir::Operation *>)> accept = nullptr;
  /// By op of the source: the only op that it may be; empty: no bound. Only
  /// then may two ops of the source be the same op.
  llvm::ArrayRef<mlir::Operation *> fixed;
};

/// The source of a rule, or a pattern, prepared for matching.
class RulePattern {
public:
  enum class Check {
    /// A rule whose certificate does not hold matches nothing.
    Matches,
    /// The certificate is not looked at: a search checks those of the rules
    /// that
    /// what it takes rests on.
    Nothing
  };
  /// Elements of f32 stand for all that the rule was proved for.
  explicit RulePattern(const ProvedRule &rule, Check check = Check::Matches);
  /// Element types are exact.
  explicit RulePattern(PatternOp pattern);
  ~RulePattern();
  RulePattern(RulePattern &&) noexcept;
  RulePattern &operator=(RulePattern &&) noexcept;

  /// Only of what was made of a rule.
  const ProvedRule &getRule() const;
  /// Ops that give the source's results.
  unsigned getNumRoots() const;
  unsigned getNumOps() const;
  /// Ops from a root to an operand at most.
  unsigned getDepth() const;
  /// Whether each root after the first reads a value that the others bind.
  bool isConnected() const;

  /// Calls `visit` for every match, in order, until it returns true; returns
  /// whether it did. Conditions are not checked.
  bool visitMatches(const MatchView &view,
                    llvm::function_ref<bool(const RuleMatch &)> visit,
                    const MatchFilter &filter = {}) const;

  struct Impl;

private:
  std::unique_ptr<Impl> impl;
};

/// Whether the conditions are known to hold. Values that a condition on
/// elements rests on (an operand and the constant that it is equal to, result
/// by result) are appended to `support`.
bool checkConditions(
    SourceInterface source, const RuleMatch &match, const MatchView &view,
    llvm::SmallVectorImpl<std::pair<mlir::Value, mlir::OpResult>> *support =
        nullptr);

/// Whether every symbol of the target has a value.
bool hasTargetSymbols(RuleOp rule, const SymbolMap &symbols);

/// Replaces a match in a block by the rule's target: its results are replaced,
/// and ops of the source that nothing needs any more are erased. Fails, leaving
/// the block as it was, where an operand depends on a result, or where the
/// target is not valid for these sizes. The target's ops are appended to
/// `built`.
mlir::LogicalResult
applyMatch(RuleOp rule, const RuleMatch &match,
           llvm::SmallVectorImpl<mlir::Operation *> *built = nullptr);

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_MATCH_RULEMATCH_H
