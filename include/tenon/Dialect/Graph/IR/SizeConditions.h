//===- SizeConditions.h - conditions on sizes at run time -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// With symbolic sizes, inference can't decide every check: whether n equals m,
// or whether a slice of n elements lies inside 512. The undecided checks become
// conditions. An artifact has to check them when it is given its inputs, before
// it computes.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_SIZECONDITIONS_H
#define TENON_DIALECT_GRAPH_IR_SIZECONDITIONS_H

#include "mlir/IR/Operation.h"
#include "tenon/Dialect/Graph/IR/SymInt.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace tenon::graph {

struct SizeCondition {
  /// The condition holds if this value is at least 0.
  SymInt value;
  /// The expected and the actual value, in terms of the symbols.
  std::string text;
};

/// The conditions that are recorded on `root`, and those of all ops inside it,
/// without duplicates, in the order of the ops. Conditions that hold for all
/// sizes are omitted. A text begins with the name of the op's location, if it
/// has one, which is the name of the model's node.
llvm::SmallVector<SizeCondition> collectSizeConditions(mlir::Operation *root);

/// Stores the conditions of `root` (`further` first) as its attribute
/// `graph.conditions`. Rewrites assume that their source is valid, so ops that
/// demand a condition may be gone when the artifact is made.
void recordSizeConditions(mlir::Operation *root,
                          llvm::ArrayRef<SizeCondition> further = {});

/// The conditions that `work` records with the functions below. Each value is
/// kept once.
llvm::SmallVector<SizeCondition> collectWhile(llvm::function_ref<void()> work);

/// Checks that `attr` has the form that `recordSizeConditions` writes.
bool isSizeConditions(mlir::Attribute attr);

/// For inference: records that `value` must be at least 0, if conditions are
/// being collected and it is not always so.
void requireNotNegative(const SymInt &value, const llvm::Twine &text);
/// The same, but only if `count` is at least 1.
void requireNotNegativeIfAny(const SymInt &count, const SymInt &value,
                             const llvm::Twine &text);
/// Records that two sizes must be equal.
void requireEqual(const SymInt &expected, const SymInt &found);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_SIZECONDITIONS_H
