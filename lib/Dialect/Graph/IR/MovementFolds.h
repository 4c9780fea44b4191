//===- MovementFolds.h - folding of movement ops on constants -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_MOVEMENTFOLDS_H
#define TENON_DIALECT_GRAPH_IR_MOVEMENTFOLDS_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

/// The constant result of an op whose index form only addresses and selects,
/// evaluated on constant operands. Returns null if an operand is not constant,
/// or if the result has no static shape or more than 4096 elements. Splats are
/// folded at any size.
mlir::Attribute foldMovement(mlir::Operation *op,
                             llvm::ArrayRef<mlir::Attribute> operands);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_MOVEMENTFOLDS_H
