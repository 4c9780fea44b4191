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

#include <optional>
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

/// Checks that `attr` has the form that `recordSizeConditions` writes.
bool isSizeConditions(mlir::Attribute attr);

/// Conditions that are being collected; null: they are not. Inference is given
/// them by its location, since MLIR's interface for it has no other place.
using Conditions = llvm::SmallVectorImpl<SizeCondition> *;
Conditions getConditions(std::optional<mlir::Location> location);

/// Record that `value` must be at least 0, if it is not always so. The second
/// form is for inference.
void requireNotNegative(Conditions conditions, const SymInt &value,
                        const llvm::Twine &text);
void requireNotNegative(std::optional<mlir::Location> location,
                        const SymInt &value, const llvm::Twine &text);
/// The same, but only if `count` is at least 1.
void requireNotNegativeIfAny(std::optional<mlir::Location> location,
                             const SymInt &count, const SymInt &value,
                             const llvm::Twine &text);
/// Records that two sizes must be equal.
void requireEqual(std::optional<mlir::Location> location,
                  const SymInt &expected, const SymInt &found);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_SIZECONDITIONS_H
