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
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Program/IR/Library.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "tenon/Dialect/Program/IR/ProgramDialect.h.inc"
namespace tenon::program {
/// Parse a number of the field of a primitive, in f32.
mlir::FailureOr<llvm::APFloat> parseNumber(mlir::AsmParser &parser);
} // namespace tenon::program

#include "tenon/Dialect/Program/IR/PrimitiveInterfaces.h.inc"
#include "tenon/Dialect/Program/IR/ProgramEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tenon/Dialect/Program/IR/ProgramTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Program/IR/ProgramAttrs.h.inc"

#define GET_OP_CLASSES
#include "tenon/Dialect/Program/IR/ProgramOps.h.inc"

namespace tenon::program {

/// The type of the tensor in a buffer.
mlir::RankedTensorType getTensorType(mlir::Value buffer);

/// The size of a tensor in memory in bytes; a bool takes one byte.
graph::SymInt countBytes(mlir::RankedTensorType type);

/// Whether an op counts as a step. A check does not: it belongs to the step
/// before it.
bool isStep(mlir::Operation *op);

/// The entries of a module, grouped by device.
llvm::SmallVector<EntryOp> getEntries(mlir::ModuleOp module);

} // namespace tenon::program

#endif // TENON_DIALECT_PROGRAM_IR_PROGRAM_H
