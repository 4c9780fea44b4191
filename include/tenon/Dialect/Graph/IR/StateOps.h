//===- StateOps.h - tensors that outlive a run ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function has its states in one of two forms: it reads and writes them by
// ops, or, after `--graph-functionalize-state`, it takes and returns them:
//
//   arguments  its own, then one per state that it reads or writes
//   results    its own, then one per state that it writes, then index checks
//
// Those of states carry `graph.state = @NAME`.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_STATEOPS_H
#define TENON_DIALECT_GRAPH_IR_STATEOPS_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tenon::graph {

/// What reads and writes of states have their effects on.
struct StateResource : mlir::SideEffects::Resource::Base<StateResource> {
  llvm::StringRef getName() final { return "State"; }
};

/// The state that an argument or a result stands for; null if it is the
/// function's own.
mlir::FlatSymbolRefAttr getArgumentState(mlir::FunctionOpInterface function,
                                         unsigned argument);
mlir::FlatSymbolRefAttr getResultState(mlir::FunctionOpInterface function,
                                       unsigned result);

/// How many arguments are the function's own; those of states follow them.
unsigned countOwnArguments(mlir::FunctionOpInterface function);

/// Checks `graph.state` of an argument or a result. That the state exists is
/// checked only if the function is in a symbol table.
mlir::LogicalResult verifyArgumentState(mlir::Operation *function,
                                        unsigned argument,
                                        mlir::Attribute state);
mlir::LogicalResult verifyResultState(mlir::Operation *function,
                                      unsigned result, mlir::Attribute state);

} // namespace tenon::graph

#define GET_OP_CLASSES
#include "tenon/Dialect/Graph/IR/StateOps.h.inc"

#endif // TENON_DIALECT_GRAPH_IR_STATEOPS_H
