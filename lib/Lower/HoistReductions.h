//===- HoistReductions.h - reductions that a loop repeats -----------------===//
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

/// The reductions of `body` that are the same in every iteration of a loop
/// whose variables, and whose loads, `varies` knows. Those that a selection
/// guards are not among them: they may not exist.
llvm::SmallVector<graph::Expr>
findInvariantReductions(const graph::Expr &body,
                        llvm::function_ref<bool(const graph::Expr &)> varies);

/// Emits `loop` where `from < to`, after `invariants`, which `at` then knows.
/// LLVM hoists no loop out of another, and its vectorizer takes time that grows
/// exponentially with what is unrolled instead.
void emitAfterInvariants(ExprEmitter &at, mlir::Value from, mlir::Value to,
                         llvm::ArrayRef<graph::Expr> invariants,
                         llvm::function_ref<void(ExprEmitter &)> loop);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_HOISTREDUCTIONS_H
