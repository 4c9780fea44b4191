//===- Pipe.h - the pipe dialect ------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_PIPE_IR_PIPE_H
#define TENON_DIALECT_PIPE_IR_PIPE_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tenon/Dialect/Pipe/IR/PipeDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Pipe/IR/PipeAttrs.h.inc"

#define GET_OP_CLASSES
#include "tenon/Dialect/Pipe/IR/PipeOps.h.inc"

namespace tenon::pipe {

/// The mesh of a function that each of its positions runs; null if it has none.
MeshAttr findMesh(mlir::Operation *function);
void removeMesh(mlir::Operation *function);

} // namespace tenon::pipe

#endif // TENON_DIALECT_PIPE_IR_PIPE_H
