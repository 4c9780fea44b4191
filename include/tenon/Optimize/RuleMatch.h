//===- RuleMatch.h - places where a rule applies --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_RULEMATCH_H
#define TENON_OPTIMIZE_RULEMATCH_H

#include "tenon/Dialect/Rule/IR/Instantiate.h"
#include "tenon/Optimize/RuleSet.h"

namespace tenon::optimize {

/// A place in a model where the source of a rule stands.
struct RuleMatch {
  /// The operands, and the values that the rule's results replace.
  llvm::SmallVector<mlir::Value> operands, results;
  rule::SymbolMap symbols;
  /// Sizes of leading axes; `lifted` says which operands have them.
  graph::Shape batch;
  llvm::SmallVector<bool> lifted;
  /// Ops of the model by op of the source.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> ops;
};

/// Calls `visit` for every match of the rule in `block`, in order, until it
/// returns true; returns whether it did. Conditions are not checked.
bool visitMatches(const ProvedRule &rule, mlir::Block &block,
                  llvm::function_ref<bool(const RuleMatch &)> visit);

/// Whether the rule's conditions are known to hold.
bool checkConditions(rule::RuleOp rule, const RuleMatch &match);

/// Replaces the match by the rule's target: its results are replaced, and ops
/// of the source that nothing needs any more are erased. Fails, leaving the
/// block as it was, where an operand depends on a result, or where the target
/// is not valid for these sizes.
mlir::LogicalResult applyMatch(rule::RuleOp rule, const RuleMatch &match);

} // namespace tenon::optimize

#endif // TENON_OPTIMIZE_RULEMATCH_H
