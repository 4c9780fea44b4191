//===- ScalarFormulas.cpp - derivatives and formulas of functions ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The columns DX and DY and the formulas of ScalarFn.def, as expressions.
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/InverseErf.h"
#include "tenon/Dialect/Graph/IR/NumberExpr.h"

#include <cmath>

using namespace tenon::graph;

static Expr both(Expr a, Expr b) { return Expr::logicalAnd(a, b); }

/// The part of a derivative that goes to the larger operand: 1 if `larger` is
/// it, 1/2 if both are equal, and else 0.
static NumberExpr share(NumberExpr smaller, NumberExpr larger) {
  Expr isEqual = Expr::fromBool(call(ScalarFn::Equal, smaller, larger).expr);
  return select(less(smaller, larger), larger.number(1),
                select(isEqual, larger.number(0.5), larger.number(0)));
}

/// Moves a remainder with the dividend's sign to the side of the divisor. The
/// product of both may be too small to have a sign.
static NumberExpr floorRemainder(NumberExpr rest, NumberExpr divisor) {
  NumberExpr moved = rest + divisor;
  return select(
      less(rest, 0.0), select(less(0.0, divisor), moved, rest),
      select(less(0.0, rest), select(less(divisor, 0.0), moved, rest), rest));
}

Expr tenon::graph::getDerivative(ScalarFn fn, unsigned operand,
                                 llvm::ArrayRef<Expr> operands,
                                 const Expr &result) {
  assert(operand < arity(fn) && operands.size() == arity(fn) &&
         "expected an operand of the function");
  NumberExpr x(operands.front()), y(operands.back()), r(result), none{Expr()};
  auto constant = [&](double value) { return x.number(value); };
  switch (fn) {
#define SCALAR_FN(NAME, TEXT, ARITY, TYPES, RESULT, COST, ULPS, PARITY, TREND, \
                  DOMAIN, RANGE, OP, DEVICE, VALUE, DX, DY)                    \
  case ScalarFn::NAME:                                                         \
    return (operand == 0 ? NumberExpr(DX) : NumberExpr(DY)).expr;
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
  }
  llvm_unreachable("unknown function");
}

Expr tenon::graph::getFormula(ScalarFn fn, llvm::ArrayRef<Expr> operands) {
  assert(operands.size() == arity(fn) && "wrong number of operands");
  NumberExpr x(operands.front()), y(operands.back());
  switch (fn) {
#define SCALAR_FORMULA(NAME, FORMULA)                                          \
  case ScalarFn::NAME:                                                         \
    return (FORMULA).expr;
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
  default:
    return {};
  }
}
