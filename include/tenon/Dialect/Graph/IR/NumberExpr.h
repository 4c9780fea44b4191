//===- NumberExpr.h - formulas over elements ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_NUMBEREXPR_H
#define TENON_DIALECT_GRAPH_IR_NUMBEREXPR_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"

namespace tenon::graph {

/// The type in which sums of elements of `element` are accumulated: f32 for the
/// 16-bit floating-point types, otherwise the type itself.
mlir::Type getAccumulationType(mlir::Type element);

/// An element with the operators of its type; numbers take the type of the
/// element that they meet.
struct NumberExpr {
  Expr expr;
  NumberExpr(Expr expr) : expr(std::move(expr)) {}
  NumberExpr number(double value) const {
    return Expr::constant(value, expr->type);
  }
};

inline bool isSingle(NumberExpr x) { return x.expr->type.isF32(); }
inline NumberExpr call(ScalarFn fn, NumberExpr x) {
  return Expr::apply(fn, {x.expr});
}
inline NumberExpr call(ScalarFn fn, NumberExpr a, NumberExpr b) {
  return Expr::apply(fn, {a.expr, b.expr});
}

#define TENON_OPERATOR(OP, FN)                                                 \
  inline NumberExpr operator OP(NumberExpr a, NumberExpr b) {                  \
    return call(ScalarFn::FN, a, b);                                           \
  }                                                                            \
  inline NumberExpr operator OP(double a, NumberExpr b) {                      \
    return call(ScalarFn::FN, b.number(a), b);                                 \
  }                                                                            \
  inline NumberExpr operator OP(NumberExpr a, double b) {                      \
    return call(ScalarFn::FN, a, a.number(b));                                 \
  }
TENON_OPERATOR(+, Add)
TENON_OPERATOR(-, Sub)
TENON_OPERATOR(*, Mul)
TENON_OPERATOR(/, Div)
#undef TENON_OPERATOR

inline NumberExpr operator-(NumberExpr x) { return call(ScalarFn::Neg, x); }
inline NumberExpr abs(NumberExpr x) { return call(ScalarFn::Abs, x); }
inline NumberExpr sign(NumberExpr x) { return call(ScalarFn::Sign, x); }
inline NumberExpr exp(NumberExpr x) { return call(ScalarFn::Exp, x); }
inline NumberExpr log(NumberExpr x) { return call(ScalarFn::Log, x); }
inline NumberExpr sqrt(NumberExpr x) { return call(ScalarFn::Sqrt, x); }
inline NumberExpr sin(NumberExpr x) { return call(ScalarFn::Sin, x); }
inline NumberExpr cos(NumberExpr x) { return call(ScalarFn::Cos, x); }
inline NumberExpr sinh(NumberExpr x) { return call(ScalarFn::Sinh, x); }
inline NumberExpr cosh(NumberExpr x) { return call(ScalarFn::Cosh, x); }
inline NumberExpr pow(NumberExpr x, NumberExpr y) {
  return call(ScalarFn::Pow, x, y);
}
inline NumberExpr fmod(NumberExpr x, NumberExpr y) {
  return call(ScalarFn::Fmod, x, y);
}
inline NumberExpr maximum(NumberExpr a, double b) {
  return call(ScalarFn::Max, a, a.number(b));
}
inline NumberExpr minimum(NumberExpr a, double b) {
  return call(ScalarFn::Min, a, a.number(b));
}

inline Expr less(NumberExpr a, NumberExpr b) {
  return Expr::fromBool(call(ScalarFn::Less, a, b).expr);
}
inline Expr less(NumberExpr a, double b) { return less(a, a.number(b)); }
inline Expr less(double a, NumberExpr b) { return less(b.number(a), b); }
inline Expr equal(NumberExpr a, double b) {
  return Expr::fromBool(call(ScalarFn::Equal, a, a.number(b)).expr);
}

inline NumberExpr select(Expr condition, NumberExpr then,
                         NumberExpr otherwise) {
  return Expr::select(condition, then.expr, otherwise.expr);
}

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_NUMBEREXPR_H
