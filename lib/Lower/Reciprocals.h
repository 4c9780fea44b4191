//===- Reciprocals.h - reciprocals of loop-invariant divisors -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division occupies a vector unit as long as ten products. If a loop divides
// everything by one number (softmax, norms, averages), it multiplies by the
// reciprocal instead, which adds an error of one unit in the last place.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_RECIPROCALS_H
#define TENON_LIB_LOWER_RECIPROCALS_H

#include "ExprEmitter.h"

namespace tenon::lower {

/// Returns the divisors of `body` that do not depend on the variable `var`.
/// Returns none if an error in the last bit may be amplified by a later
/// rounding or comparison.
llvm::SmallVector<graph::Expr> findSharedDivisors(const graph::Expr &body,
                                                  unsigned var);

/// If `from < to` at run time, runs `loop`, with products instead of divisions
/// if the magnitudes of the divisors are such that no reciprocal overflows or
/// loses bits.
void emitWithReciprocals(ExprEmitter &at, mlir::Value from, mlir::Value to,
                         llvm::ArrayRef<graph::Expr> divisors,
                         llvm::function_ref<void(ExprEmitter &)> loop);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_RECIPROCALS_H
