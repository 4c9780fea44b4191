//===- FormExpressions.h - expressions that many index forms share --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_FORMEXPRESSIONS_H
#define TENON_DIALECT_GRAPH_IR_FORMEXPRESSIONS_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/NumberExpr.h"

namespace tenon::graph {

/// The variables first .. first + count - 1.
llvm::SmallVector<Expr> getVars(unsigned count, unsigned first = 0);

/// Loads the element of the operand at `indices`.
Expr loadOf(mlir::Value operand, unsigned number, llvm::ArrayRef<Expr> indices);

/// The index at which result variable `var` reads an axis of a broadcast
/// operand. It is 0 if only the operand's axis has one element. If the result's
/// axis also has one element, it is the variable, which shows that both are the
/// same axis, so that rows can be shared.
Expr getBroadcastIndex(const SymInt &size, const SymInt &resultSize,
                       unsigned var);

/// Converts an element of an index tensor to an index: negative elements count
/// from the end of an axis of `size` elements.
Expr getWrappedIndex(Expr element, const SymInt &size);
/// The same, clamped to [0, size).
Expr getClampedIndex(Expr element, const SymInt &size);

/// Row-major position of `indices` in a box of `sizes`.
Expr linearize(llvm::ArrayRef<Expr> indices, llvm::ArrayRef<SymInt> sizes);
/// The inverse of linearize. The first index needs no remainder.
llvm::SmallVector<Expr> delinearize(Expr position,
                                    llvm::ArrayRef<SymInt> sizes);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_FORMEXPRESSIONS_H
