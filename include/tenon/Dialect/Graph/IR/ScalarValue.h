//===- ScalarValue.h - values of scalar functions -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that the column VALUE of ScalarFn.def uses in addition to those of
// the C++ library.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_SCALARVALUE_H
#define TENON_DIALECT_GRAPH_IR_SCALARVALUE_H

#include "tenon/Dialect/Graph/IR/InverseErf.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>

namespace tenon::graph::scalar {

/// -1, 0 or 1; zeros and NaN stay themselves.
template <typename T> T sign(T x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/// The larger number; NaN if one is NaN.
template <typename T> T larger(T x, T y) {
  return x != x ? x : y != y ? y : x < y ? y : x;
}

/// The smaller number; NaN if one is NaN.
template <typename T> T smaller(T x, T y) {
  return x != x ? x : y != y ? y : y < x ? y : x;
}

/// The remainder with the divisor's sign.
template <typename T> T floorRemainder(T x, T y) {
  T rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/// Stands for the value of a function of integers or bools only.
template <typename T> T ofBits(T) {
  llvm_unreachable("not a function of floating-point numbers");
}

} // namespace tenon::graph::scalar

#endif // TENON_DIALECT_GRAPH_IR_SCALARVALUE_H
