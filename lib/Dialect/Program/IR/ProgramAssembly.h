//===- ProgramAssembly.h - parsing and printing of types ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_PROGRAM_IR_PROGRAMASSEMBLY_H
#define TENON_LIB_DIALECT_PROGRAM_IR_PROGRAMASSEMBLY_H

#include "tenon/Dialect/Graph/IR/GraphAssembly.h"
#include "tenon/Dialect/Program/IR/Program.h"

namespace tenon::program {

/// Parses and prints types, separated by commas.
mlir::ParseResult parseTypes(mlir::OpAsmParser &parser, mlir::ArrayAttr &types);
void printTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::ArrayAttr types);

} // namespace tenon::program

#endif // TENON_LIB_DIALECT_PROGRAM_IR_PROGRAMASSEMBLY_H
