//===- EraseRounding.h - functions without 16-bit types ---------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that stores tensors in 16 bits changes what is rounded, so it claims
// no equality. What it does claim is that nothing else changes: with f32 for
// the 16-bit type and without casts between the two, the functions are equal.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_ERASEROUNDING_H
#define TENON_LIB_PROVE_ERASEROUNDING_H

#include "tenon/Prove/FunctionSnapshot.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tenon::prove {

/// The 16-bit floating-point type that only `after` has values of; null if
/// there is none.
mlir::FloatType findNewHalf(const FunctionSnapshot &before,
                            const FunctionSnapshot &after);

/// Writes f32 for `half`. Casts between the two are dropped, with the clipping
/// that keeps finite numbers finite. Constants are rounded as if they were
/// stored in `half`, wherever they are.
void eraseRounding(FunctionSnapshot &snapshot, mlir::FloatType half);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_ERASEROUNDING_H
