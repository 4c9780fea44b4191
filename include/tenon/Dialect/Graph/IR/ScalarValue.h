//===- ScalarValue.h - values of scalar functions -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers for the column VALUE of ScalarFn.def, for T = float and double. This
// header includes everything that VALUE needs.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_SCALARVALUE_H
#define TENON_DIALECT_GRAPH_IR_SCALARVALUE_H

#include "tenon/Dialect/Graph/IR/InverseErf.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>

namespace tenon::graph::scalar {

/// Returns 1 if `x` is positive, -1 if it is negative, and `x` if it is 0.0,
/// -0.0 or NaN.
template <typename T> T sign(T x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/// Returns the larger operand, or NaN if an operand is NaN. Returns `x` if both
/// are zeros: unlike `arith.maximumf`, it does not order -0.0 before 0.0.
template <typename T> T larger(T x, T y) {
  return x != x ? x : y != y ? y : x < y ? y : x;
}

/// Returns the smaller operand, or NaN if an operand is NaN. Returns `x` if
/// both are zeros: unlike `arith.minimumf`, it does not order -0.0 before 0.0.
template <typename T> T smaller(T x, T y) {
  return x != x ? x : y != y ? y : y < x ? y : x;
}

/// Returns x - floor(x / y) * y, computed from fmod(x, y). A result other than
/// 0 has the sign of `y`, and a zero that of `x`. The result is NaN if `y` is 0
/// or `x` is infinite. Rounding may make the result equal to `y`. If `y` is
/// infinite, the result is `x` if it is 0 or has the sign of `y`, and `y`
/// otherwise.
template <typename T> T floorRemainder(T x, T y) {
  T rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/// The VALUE of a function that is defined only on integers or on i1, such as
/// ScalarFn::And. Must not be called.
template <typename T> T ofBits(T) {
  llvm_unreachable("not a function of floating-point numbers");
}

} // namespace tenon::graph::scalar

#endif // TENON_DIALECT_GRAPH_IR_SCALARVALUE_H
