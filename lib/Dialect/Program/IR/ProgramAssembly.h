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
/// The name of a library, as a keyword.
mlir::ParseResult parseLibrary(mlir::OpAsmParser &parser, LibraryAttr &library);
void printLibrary(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  LibraryAttr library);

mlir::ParseResult parseTypes(mlir::OpAsmParser &parser, mlir::ArrayAttr &types);
void printTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                mlir::ArrayAttr types);

} // namespace tenon::program

#endif // TENON_LIB_DIALECT_PROGRAM_IR_PROGRAMASSEMBLY_H
