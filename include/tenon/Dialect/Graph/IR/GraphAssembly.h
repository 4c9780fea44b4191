//===- GraphAssembly.h - parts of the graph dialect's syntax --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_GRAPHASSEMBLY_H
#define TENON_DIALECT_GRAPH_IR_GRAPHASSEMBLY_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

/// Parses a sum of products such as `2 * n + max(m, 1)`.
mlir::FailureOr<SymInt> parseSymInt(mlir::AsmParser &parser);

/// Parses a list of integers, `[1, 2 * p]`.
mlir::ParseResult parseInts(mlir::OpAsmParser &parser, DimsAttr &ints);
void printInts(mlir::OpAsmPrinter &printer, mlir::Operation *op, DimsAttr ints);

/// Parses one integer without brackets; it is stored as a list of one.
mlir::ParseResult parseInt(mlir::OpAsmParser &parser, DimsAttr &ints);
void printInt(mlir::OpAsmPrinter &printer, mlir::Operation *op, DimsAttr ints);

/// Parses `channels_first` or `channels_last`, if one of them follows.
class LayoutAttr;
mlir::OptionalParseResult parseOptionalLayout(mlir::OpAsmParser &parser,
                                              LayoutAttr &layout);
void printOptionalLayout(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         LayoutAttr layout);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_GRAPHASSEMBLY_H
