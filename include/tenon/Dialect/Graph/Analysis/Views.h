//===- Views.h - values that alias others ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view is the result of an op that moves no data: it aliases the operand of
// the op (graph.reshape, graph.optimization_barrier). No kernel computes it.
// Slices and splits move data here.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_VIEWS_H
#define TENON_DIALECT_GRAPH_ANALYSIS_VIEWS_H

#include "mlir/IR/Operation.h"

namespace tenon::graph {

/// Returns the operand that the result of `op` aliases, if `op` is a reshape or
/// an optimization barrier; otherwise nullptr.
mlir::OpOperand *getViewedOperand(mlir::Operation *op);

/// Returns whether the result of `op` is a view.
inline bool isView(mlir::Operation *op) {
  return getViewedOperand(op) != nullptr;
}

/// Returns the value that `value` is a view of, through any chain of views;
/// `value` itself if it is not a view.
mlir::Value getStorage(mlir::Value value);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_VIEWS_H
