//===- Reciprocals.h - divisors that a loop shares ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division takes a vector unit as long as ten products. Where a loop divides
// everything by one number (softmax, norms, averages), it multiplies by its
// reciprocal instead, which is off by one more unit in the last place.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_RECIPROCALS_H
#define TENON_LIB_LOWER_RECIPROCALS_H

#include "ExprEmitter.h"

namespace tenon::lower {

/// The divisors of `body` that do not depend on the variable `var`. None where
/// a last bit may decide more than itself: before a rounding or a comparison.
llvm::SmallVector<graph::Expr> findSharedDivisors(const graph::Expr &body,
                                                  unsigned var);

/// Emits `loop` where `from < to`; with products instead of divisions where the
/// divisors are of a size that makes no reciprocal overflow or lose bits.
void emitWithReciprocals(ExprEmitter &at, mlir::Value from, mlir::Value to,
                         llvm::ArrayRef<graph::Expr> divisors,
                         llvm::function_ref<void(ExprEmitter &)> loop);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_RECIPROCALS_H
