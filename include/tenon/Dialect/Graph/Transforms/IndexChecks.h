//===- IndexChecks.h - the indices that a run has to check ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run checks are the indices of the model as it was given: a rewrite may
// move or merge the ops that read at them. So they are taken from the model
// before it is rewritten, and join the function as further results before it
// is placed. Each carries `graph.check`, a dictionary of
//   reader   what reads at the indices, for messages
//   axes     the axis that an index addresses, per range
//   ranges   #graph.dims: first and end of each range
//   ignored  optional: a value that stands for no index
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_TRANSFORMS_INDEXCHECKS_H
#define TENON_DIALECT_GRAPH_TRANSFORMS_INDEXCHECKS_H

#include "tenon/Dialect/Graph/IR/IndexUses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tenon::graph {

/// A result's check; `indices` of the use is the value that is returned.
struct IndexCheck {
  std::string reader;
  IndexUse use;
};

/// The function that computes, of the arguments of `function`, the indices that
/// a run has to check, as results with `graph.check`. Indices that are known to
/// be in range are left out, and those of dead ops; null if none are left.
/// Fails where a constant index is out of range, and on reads and writes of
/// states (their arguments give what they hold before the run).
mlir::FailureOr<mlir::OwningOpRef<mlir::func::FuncOp>>
extractIndexChecks(mlir::func::FuncOp function);

/// Appends the results of `checks` to those of `function`, whose arguments are
/// the same.
void addIndexChecks(mlir::func::FuncOp function, mlir::func::FuncOp checks);

/// Removes results with `graph.check`.
void dropIndexChecks(mlir::func::FuncOp function);

/// How many results of the function are the model's own; those of states (see
/// StateOps.h) and then those of checks follow them.
unsigned countOwnResults(mlir::func::FuncOp function);

/// How many results of the function are no checks, which follow them.
unsigned countUncheckedResults(mlir::func::FuncOp function);

/// The check of a result; none if it is the model's own or a state's.
std::optional<IndexCheck> getIndexCheck(mlir::func::FuncOp function,
                                        unsigned result);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_TRANSFORMS_INDEXCHECKS_H
