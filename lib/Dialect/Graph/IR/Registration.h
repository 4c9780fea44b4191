//===- Registration.h - parts of the graph dialect ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_IR_REGISTRATION_H
#define TENON_LIB_DIALECT_GRAPH_IR_REGISTRATION_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

/// Registers all ops, instead of the generated function: see TypeSyntax.h.
void registerOps(GraphDialect &dialect);
/// Sizes in MLIR bytecode.
void registerBytecode(GraphDialect &dialect);

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_IR_REGISTRATION_H
