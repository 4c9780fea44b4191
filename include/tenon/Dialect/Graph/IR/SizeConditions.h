//===- SizeConditions.h - what sizes must satisfy at run time -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// With symbolic sizes, inference can't decide every check: whether n equals m,
// or a slice of n elements lies inside 512. What it leaves open are conditions,
// which whoever knows the sizes (an artifact, when it is given its inputs) has
// to check before it computes.
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
  /// Holds where this is at least 0.
  SymInt value;
  /// What was expected and what was found, in terms of the symbols.
  std::string text;
};

/// The conditions that are recorded on `root`, and those of all ops inside it,
/// each once, in the order of the ops. Conditions that hold for all sizes are
/// left out. A text begins with the name of the op's location, if it has one:
/// that is the model's node.
llvm::SmallVector<SizeCondition> collectSizeConditions(mlir::Operation *root);

/// Keeps the conditions of `root` (`further` first) as its attribute
/// `graph.conditions`: a source is taken to be valid when it is rewritten, so
/// that ops which demand a condition may be gone when the artifact is made.
void recordSizeConditions(mlir::Operation *root,
                          llvm::ArrayRef<SizeCondition> further = {});

/// What `work` notes with the functions below. Conditions of one value are
/// kept once.
llvm::SmallVector<SizeCondition> collectWhile(llvm::function_ref<void()> work);

/// That `attr` is what `recordSizeConditions` writes.
bool isSizeConditions(mlir::Attribute attr);

/// For inference: notes that `value` has to be at least 0, if somebody collects
/// conditions, and unless it always is.
void requireNotNegative(const SymInt &value, const llvm::Twine &text);
/// The same, but only where `count` is at least 1.
void requireNotNegativeIfAny(const SymInt &count, const SymInt &value,
                             const llvm::Twine &text);
/// Notes that two sizes have to be equal.
void requireEqual(const SymInt &expected, const SymInt &found);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_SIZECONDITIONS_H
