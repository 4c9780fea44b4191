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

#include <string>

namespace tenon::graph {

struct SizeCondition {
  /// Holds where this is at least 0.
  SymInt value;
  /// What was expected and what was found, in terms of the symbols.
  std::string text;
};

/// The conditions of all ops inside `root`, each once, in the order of the ops.
/// Conditions that hold for all sizes are left out.
llvm::SmallVector<SizeCondition> collectSizeConditions(mlir::Operation *root);

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
