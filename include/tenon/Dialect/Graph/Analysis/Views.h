//===- Views.h - values that are the memory of others ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view is the result of an op that moves no data: the memory of its operand
// under another shape, or at another time. No kernel computes it.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_VIEWS_H
#define TENON_DIALECT_GRAPH_ANALYSIS_VIEWS_H

#include "mlir/IR/Operation.h"

namespace tenon::graph {

/// The operand whose memory the result of `op` is: of a reshape or an
/// optimization barrier. Null for other ops.
mlir::OpOperand *getViewedOperand(mlir::Operation *op);

/// Whether the result of an op is a view.
inline bool isView(mlir::Operation *op) {
  return getViewedOperand(op) != nullptr;
}

/// The value whose memory a value is: itself, if it is no view.
mlir::Value getStorage(mlir::Value value);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_VIEWS_H
