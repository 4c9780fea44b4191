//===- ErrorForm.h - bounds of rounding errors ------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A running error bound (Higham, Accuracy and Stability of Numerical
// Algorithms, 3.3) of an element is an expression, too: its rounding error is
// at most a small multiple of the unit roundoff times
//
//   E(x) = |x|                             for an element of an operand
//   E(a + b) = E(a - b) = E(a) + E(b)
//   E(a b) = |a| E(b) + E(a) |b|
//
// up to factors that depend on how many operations there are. Where nothing
// cancels, E(a) is |a| up to such a factor: such an element is *relative*, and
// E(a b) = |a| E(b) if a is.
//
// If E of the target is proved equal to E of the source, for all contents of
// the operands, then the target cancels no more than the source. For the
// target, E may also be replaced by something larger: `Upper` takes the
// absolute values of a sum's elements for that of the sum.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROOFKERNEL_ERRORFORM_H
#define TENON_LIB_PROOFKERNEL_ERRORFORM_H

#include "tenon/ProofKernel/ElementSigns.h"

namespace tenon::prove {

/// The absolute value of operand k is operand k + absoluteOperands, as if both
/// were unrelated. Then a rule that does not subtract has its own proof for the
/// equality of the bounds, too.
inline constexpr unsigned absoluteOperands = 1u << 16;

class ErrorForms {
public:
  enum Kind { Tight, Upper };

  ErrorForms(ElementSigns &signs, Kind kind) : signs(signs), kind(kind) {}

  /// The bound of an element of a floating-point type; null if there is none,
  /// as where a condition depends on what was computed.
  graph::Expr get(const graph::Expr &element) { return compute(element).error; }

private:
  struct Bound {
    graph::Expr error;
    bool isRelative = false;
    /// Whether `error` takes the place of the absolute value.
    bool isSize = false;
  };
  const Bound &compute(const graph::Expr &element);
  Bound computeApply(const graph::Expr &apply);
  Bound computeReduce(const graph::Expr &reduce);
  Bound computeSum(const graph::Expr &a, const graph::Expr &b, bool subtracts);
  Bound computeProduct(const graph::Expr &a, const graph::Expr &b);
  Bound computeQuotient(const graph::Expr &a, const graph::Expr &b);
  Bound computeOpaque(const graph::Expr &apply);
  graph::Expr getSize(const graph::Expr &element);
  bool isNotNegative(const graph::Expr &element) {
    return signs.has(ElementSigns::NotNegative, element);
  }

  ElementSigns &signs;
  Kind kind;
  /// By node, which the bound keeps alive.
  std::map<const graph::ExprNode *, std::pair<graph::Expr, Bound>> done;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROOFKERNEL_ERRORFORM_H
