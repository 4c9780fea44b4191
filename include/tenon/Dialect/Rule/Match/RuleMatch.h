//===- RuleMatch.h - matching rules in graphs -----------------------------===//
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

/// Checks certificates: returns what is wrong with one, or an empty string.
using CertificateChecker =
    std::function<std::string(RuleOp, const Certificate &)>;

/// A certificate that is checked before its rule fires for the first time. May
/// be used by several threads.
class PendingCheck {
public:
  explicit PendingCheck(CertificateChecker checker)
      : checker(std::move(checker)) {}
  /// Warns if the certificate does not hold.
  bool holds(RuleOp rule, const Certificate &certificate);

private:
  CertificateChecker checker;
  std::once_flag once;
  bool isTrue = false;
};

struct ProvedRule {
  RuleOp op;
  Certificate certificate;
  /// Null if the certificate is trusted.
  std::shared_ptr<PendingCheck> check;
};

/// A match of the source of a rule, or of a pattern. Values are representatives
/// of the view that was matched.
struct RuleMatch {
  /// The operands, and the values that the rule's results replace.
  llvm::SmallVector<mlir::Value> operands, results;
  SymbolMap symbols;
  /// The sizes of leading axes; `lifted` says which operands have them.
  graph::Shape batch;
  llvm::SmallVector<bool> lifted;
  /// The graph's op for every op of the source, in the order of the source.
  llvm::SmallVector<mlir::Operation *> ops;

  // The move operations are noexcept, so that vectors move elements as they
  // grow, even if members may throw.
  RuleMatch() = default;
  RuleMatch(const RuleMatch &) = default;
  RuleMatch(RuleMatch &&) noexcept = default;
  RuleMatch &operator=(const RuleMatch &) = default;
  RuleMatch &operator=(RuleMatch &&) noexcept = default;
};

/// Restrictions of a search.
struct MatchFilter {
  /// Whether an op may be a root; null: any op.
  llvm::function_ref<bool(mlir::Operation *)> root = nullptr;
  /// Candidates for a later root that reads no bound value, given the op of
  /// the first root; null: all ops of its name.
  llvm::function_ref<llvm::SmallVector<mlir::Operation *>(mlir::OperationName,
                                                          mlir::Operation *)>
      related = nullptr;
  /// Whether to report a match of these ops (one per op of the source); null:
  /// report all.
  llvm::function_ref<bool(llvm::ArrayRef<mlir::Operation *>)> accept = nullptr;
  /// The only op that may match each op of the source; empty: no restriction.
  /// Two ops of the source may match the same op only with this restriction, or
  /// with `shares`.
  llvm::ArrayRef<mlir::Operation *> fixed;
  /// Whether two ops of the source, not both roots, may match the same op.
  bool shares = false;
};

/// The source of a rule or a pattern, prepared for matching.
class RulePattern {
public:
  enum class Check {
    /// A rule whose certificate does not hold has no matches.
    Matches,
    /// The certificate is not checked: a search checks only those of the rules
    /// that its result uses.
    Nothing
  };
  /// f32 matches all element types that the rule was proved for.
  explicit RulePattern(const ProvedRule &rule, Check check = Check::Matches);
  /// Element types must be equal.
  explicit RulePattern(PatternOp pattern);
  ~RulePattern();
  RulePattern(RulePattern &&) noexcept;
  RulePattern &operator=(RulePattern &&) noexcept;

  /// Only for patterns that were built from a rule.
  const ProvedRule &getRule() const;
  /// The number of ops that compute the source's results.
  unsigned getNumRoots() const;
  unsigned getNumOps() const;
  /// The maximum number of ops from a root to an operand.
  unsigned getDepth() const;
  /// Whether each root after the first reads a value that the preceding roots
  /// bind.
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

/// Whether the conditions on sizes are known to hold.
bool checkSizeConditions(SourceInterface source, const RuleMatch &match);

/// Whether all conditions are known to hold. Appends to `support` the values
/// that a condition on elements depends on: pairs of an operand and the
/// constant it equals, result by result.
bool checkConditions(
    SourceInterface source, const RuleMatch &match, const MatchView &view,
    llvm::SmallVectorImpl<std::pair<mlir::Value, mlir::OpResult>> *support =
        nullptr);

/// Whether every symbol of the target has a value.
bool hasTargetSymbols(RuleOp rule, const SymbolMap &symbols);

/// Replaces a match in a block by the rule's target: its results are replaced,
/// and ops of the source without uses are erased. If an operand depends on a
/// result, or the target is not valid for these sizes, fails and does not
/// change the block. The target's ops are appended to `built`.
mlir::LogicalResult
applyMatch(RuleOp rule, const RuleMatch &match,
           llvm::SmallVectorImpl<mlir::Operation *> *built = nullptr);

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_MATCH_RULEMATCH_H
