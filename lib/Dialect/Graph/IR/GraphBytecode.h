//===- GraphBytecode.h - sizes in MLIR bytecode ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_IR_GRAPHBYTECODE_H
#define TENON_LIB_DIALECT_GRAPH_IR_GRAPHBYTECODE_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

void registerBytecode(GraphDialect &dialect);

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_IR_GRAPHBYTECODE_H
