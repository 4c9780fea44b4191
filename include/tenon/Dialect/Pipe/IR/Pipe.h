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

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tenon/Dialect/Pipe/IR/PipeDialect.h.inc"

#define GET_OP_CLASSES
#include "tenon/Dialect/Pipe/IR/PipeOps.h.inc"

#endif // TENON_DIALECT_PIPE_IR_PIPE_H
