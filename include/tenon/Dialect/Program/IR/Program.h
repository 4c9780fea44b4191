//===- Program.h - the program dialect ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_PROGRAM_IR_PROGRAM_H
#define TENON_DIALECT_PROGRAM_IR_PROGRAM_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "tenon/Dialect/Program/IR/ProgramDialect.h.inc"
#include "tenon/Dialect/Program/IR/ProgramEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tenon/Dialect/Program/IR/ProgramTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Program/IR/ProgramAttrs.h.inc"

#define GET_OP_CLASSES
#include "tenon/Dialect/Program/IR/ProgramOps.h.inc"

namespace tenon::program {

/// The type of what a buffer holds.
mlir::RankedTensorType getTensorType(mlir::Value buffer);

/// The bytes of a tensor in memory, one per bool.
graph::SymInt countBytes(mlir::RankedTensorType type);

/// Whether a step stands for itself; a check belongs to the step before it.
bool isStep(mlir::Operation *op);

/// The entries of a module, those of one device after those of another.
llvm::SmallVector<EntryOp> getEntries(mlir::ModuleOp module);

} // namespace tenon::program

#endif // TENON_DIALECT_PROGRAM_IR_PROGRAM_H
