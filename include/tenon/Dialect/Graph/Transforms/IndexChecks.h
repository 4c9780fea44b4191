//===- IndexChecks.h - checks of indices at run time ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run checks the indices of the original model, since rewrites may move or
// merge the ops that read at them. The indices are therefore extracted from the
// model before it is rewritten, and added to the function as further results
// before placement. Each has `graph.check`, a dictionary of
//   reader   the op that reads at the indices, for messages
//   axes     the axis that an index addresses, per range
//   ranges   #graph.dims: first and end of each range
//   ignored  optional: a value that means "no index"
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_TRANSFORMS_INDEXCHECKS_H
#define TENON_DIALECT_GRAPH_TRANSFORMS_INDEXCHECKS_H

#include "tenon/Dialect/Graph/IR/IndexUses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tenon::graph {

/// The check of a result; `indices` of the use is the returned value.
struct IndexCheck {
  std::string reader;
  IndexUse use;
};

/// Adds a function to `checks` that computes, from the arguments of `function`,
/// the indices that a run has to check, as results with `graph.check`. Omits
/// indices that are known to be in range and those of dead ops; returns null if
/// none are left. Fails if a constant index is out of range, or if `function`
/// reads or writes states (their arguments have the values before the run).
/// `simplify` may change how they are computed.
mlir::FailureOr<mlir::func::FuncOp> extractIndexChecks(
    mlir::func::FuncOp function, mlir::ModuleOp checks,
    llvm::function_ref<mlir::LogicalResult(mlir::func::FuncOp)> simplify);

/// The module inside of `module` that has the checks of its entries, by their
/// names; null if there is none.
mlir::ModuleOp getIndexChecks(mlir::ModuleOp module);

/// Appends the results of `checks` to those of `function`, which has the same
/// arguments.
void addIndexChecks(mlir::func::FuncOp function, mlir::func::FuncOp checks);

/// Removes results with `graph.check`.
void dropIndexChecks(mlir::func::FuncOp function);

/// The number of the model's own results; those of states (see StateOps.h) and
/// then those of checks follow them.
unsigned countOwnResults(mlir::func::FuncOp function);

/// The number of results that are not checks; checks follow them.
unsigned countUncheckedResults(mlir::func::FuncOp function);

/// The check of a result; nullopt if it is the model's own or a state's.
std::optional<IndexCheck> getIndexCheck(mlir::func::FuncOp function,
                                        unsigned result);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_TRANSFORMS_INDEXCHECKS_H
