//===- HoistReductions.h - hoisting of loop-invariant reductions ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_HOISTREDUCTIONS_H
#define TENON_LIB_LOWER_HOISTREDUCTIONS_H

#include "ExprEmitter.h"

namespace tenon::lower {

/// Returns the reductions of `body` that have the same value in every iteration
/// of a loop. `varies` returns true for the loop's variables and for loads that
/// change within it. Reductions that a select guards are not returned, because
/// their elements may not exist.
llvm::SmallVector<graph::Expr>
findInvariantReductions(const graph::Expr &body,
                        llvm::function_ref<bool(const graph::Expr &)> varies);

/// If `from < to` at run time, runs `loop` after computing `invariants`, whose
/// values the loop's emitter then knows. LLVM does not hoist a loop out of
/// another loop. If the inner loop is unrolled instead, LLVM's vectorizer takes
/// exponential time.
void emitAfterInvariants(ExprEmitter &at, mlir::Value from, mlir::Value to,
                         llvm::ArrayRef<graph::Expr> invariants,
                         llvm::function_ref<void(ExprEmitter &)> loop);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_HOISTREDUCTIONS_H
