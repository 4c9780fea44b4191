//===- OperandTypes.h - checks that inference and verifiers share ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inference runs on parsed ops before any verifier, so it makes no assumptions:
// operands may not be tensors, and axes may not exist.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_OPERANDTYPES_H
#define TENON_DIALECT_GRAPH_IR_OPERANDTYPES_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace tenon::graph {

/// Whether `type` may be the element type of a tensor of the dialect.
bool isElementType(mlir::Type type);

/// Fails with a diagnostic unless every operand is a ranked tensor of an
/// element type of the dialect.
mlir::LogicalResult checkTensors(std::optional<mlir::Location> loc,
                                 mlir::ValueRange operands);

/// Fails with a diagnostic unless the constant entries are in [0, rank) and in
/// ascending order.
mlir::LogicalResult checkAscendingAxes(std::optional<mlir::Location> loc,
                                       DimsAttr axes, int64_t rank);

/// Merges two shapes into the most specific one. If the ranks or a size
/// provably differ, fails with a diagnostic that names both operands.
mlir::FailureOr<Shape> unifyShapes(std::optional<mlir::Location> loc,
                                   llvm::StringRef nameA, const Shape &a,
                                   llvm::StringRef nameB, const Shape &b);

/// A shape for diagnostics: [2, n].
std::string describe(const Shape &shape);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_OPERANDTYPES_H
