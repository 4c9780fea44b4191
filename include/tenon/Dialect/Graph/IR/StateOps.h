//===- StateOps.h - tensors that persist between runs ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function has its states in one of two forms: it reads and writes them by
// ops, or, after `--graph-functionalize-state`, it takes them as arguments and
// returns them as results:
//
//   arguments  its own, then one per state that it reads or writes
//   results    its own, then one per state that it writes, then index checks
//
// The arguments and results of states have the attribute `graph.state = @NAME`.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_STATEOPS_H
#define TENON_DIALECT_GRAPH_IR_STATEOPS_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tenon::graph {

/// The resource of the effects of reading and writing states.
struct StateResource : mlir::SideEffects::Resource::Base<StateResource> {
  llvm::StringRef getName() final { return "State"; }
};

/// The state that an argument or a result represents; null if it is the
/// function's own.
mlir::FlatSymbolRefAttr getArgumentState(mlir::FunctionOpInterface function,
                                         unsigned argument);
mlir::FlatSymbolRefAttr getResultState(mlir::FunctionOpInterface function,
                                       unsigned result);

/// The number of the function's own arguments; those of states follow them.
unsigned countOwnArguments(mlir::FunctionOpInterface function);

/// Checks `graph.state` of an argument or a result. The existence of the state
/// is checked only if the function is in a symbol table.
mlir::LogicalResult verifyArgumentState(mlir::Operation *function,
                                        unsigned argument,
                                        mlir::Attribute state);
mlir::LogicalResult verifyResultState(mlir::Operation *function,
                                      unsigned result, mlir::Attribute state);

} // namespace tenon::graph

#define GET_OP_CLASSES
#include "tenon/Dialect/Graph/IR/StateOps.h.inc"

#endif // TENON_DIALECT_GRAPH_IR_STATEOPS_H
