//===- ElementwiseForms.cpp - index forms of elementwise ops --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element of the result as an expression over the operands' elements.
// Activations with several steps compute f16 and bf16 in f32 and round once.
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "tenon/Dialect/Graph/IR/NumberExpr.h"

#include <cmath>

using namespace mlir;
using namespace tenon::graph;

SmallVector<IndexForm> tenon::graph::elementwiseIndexForms(Operation *op) {
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Expr> index;
  for (int64_t axis = 0; axis < result.getRank(); ++axis)
    index.push_back(Expr::var(axis));
  SmallVector<Expr> elements;
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    elements.push_back(
        Expr::load(number, index,
                   cast<RankedTensorType>(operand.getType()).getElementType()));
  Expr body = cast<ElementwiseInterface>(op).getScalarForm(elements);
  return {IndexForm{getShape(result), result.getElementType(), body}};
}

/// Ops that are one scalar function.
#define SCALAR_OP(OP, FN)                                                      \
  Expr OP::getScalarForm(ArrayRef<Expr> x) {                                   \
    return Expr::apply(ScalarFn::FN, x);                                       \
  }
#include "tenon/Dialect/Graph/IR/ScalarFn.def"

/// Applies `formula` in the accumulator type of `x`.
static Expr widened(Expr x,
                    llvm::function_ref<NumberExpr(NumberExpr)> formula) {
  Type type = x->type;
  NumberExpr wide = Expr::cast(x, getAccumulationType(type));
  return Expr::cast(formula(wide).expr, type);
}

static NumberExpr sigmoid(NumberExpr x) { return 1.0 / (1.0 + exp(-x)); }

/// log(1 + exp(x)); the exponential never overflows.
static NumberExpr softplus(NumberExpr x) {
  return log(1.0 + exp(-abs(x))) + maximum(x, 0.0);
}

static NumberExpr clip(NumberExpr x, double low, double high) {
  return minimum(maximum(x, low), high);
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

Expr ReciprocalOp::getScalarForm(ArrayRef<Expr> x) {
  return (1.0 / NumberExpr(x[0])).expr;
}

Expr RsqrtOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], [](NumberExpr x) { return 1.0 / sqrt(x); });
}

Expr IsInfOp::getScalarForm(ArrayRef<Expr> x) {
  Expr result = Expr::apply(ScalarFn::IsInf, {x[0]});
  Expr zero = Expr::constant(0, x[0]->type);
  if (getOnlyPositive())
    result = Expr::apply(ScalarFn::And,
                         {result, Expr::apply(ScalarFn::Less, {zero, x[0]})});
  if (getOnlyNegative())
    result = Expr::apply(ScalarFn::And,
                         {result, Expr::apply(ScalarFn::Less, {x[0], zero})});
  return result;
}

Expr WhereOp::getScalarForm(ArrayRef<Expr> x) {
  return Expr::select(Expr::fromBool(x[0]), x[1], x[2]);
}

Expr CastOp::getScalarForm(ArrayRef<Expr> x) {
  Type from = x[0]->type;
  if (!isBool(getTo()) || isBool(from))
    return Expr::cast(x[0], getTo());
  // NaN is not equal to 0, so it is true.
  Expr isZero = Expr::apply(ScalarFn::Equal, {x[0], Expr::constant(0, from)});
  return Expr::apply(ScalarFn::Not, {isZero});
}

Expr ReluOp::getScalarForm(ArrayRef<Expr> x) { return maximum(x[0], 0.0).expr; }

Expr SigmoidOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], sigmoid);
}

Expr SiluOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], [](NumberExpr x) { return x * sigmoid(x); });
}

Expr SoftplusOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], softplus);
}

Expr SoftsignOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], [](NumberExpr x) { return x / (1.0 + abs(x)); });
}

Expr MishOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(
      x[0], [](NumberExpr x) { return x * call(ScalarFn::Tanh, softplus(x)); });
}

Expr HardSwishOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0],
                 [](NumberExpr x) { return x * clip(x / 6.0 + 0.5, 0, 1); });
}

Expr PreluOp::getScalarForm(ArrayRef<Expr> x) {
  return select(less(x[0], 0.0), NumberExpr(x[1]) * NumberExpr(x[0]), x[0])
      .expr;
}

Expr GeluOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], [&](NumberExpr x) {
    if (!getTanh())
      return 0.5 * x * (1.0 + call(ScalarFn::Erf, M_SQRT1_2 * x));
    NumberExpr inner = M_2_SQRTPI * M_SQRT1_2 * (x + 0.044715 * (x * x * x));
    return 0.5 * x * (1.0 + call(ScalarFn::Tanh, inner));
  });
}

Expr LeakyReluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  return widened(
      x[0], [&](NumberExpr x) { return select(less(x, 0.0), alpha * x, x); });
}

Expr EluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  return widened(x[0], [&](NumberExpr x) {
    return select(less(0.0, x), x, alpha * (exp(x) - 1.0));
  });
}

Expr CeluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  return widened(x[0], [&](NumberExpr x) {
    return maximum(x, 0.0) + minimum(alpha * (exp(x / alpha) - 1.0), 0.0);
  });
}

Expr SeluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  double gamma = getGamma().convertToDouble();
  return widened(x[0], [&](NumberExpr x) {
    return gamma * select(less(0.0, x), x, alpha * (exp(x) - 1.0));
  });
}

Expr HardSigmoidOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  double beta = getBeta().convertToDouble();
  return widened(x[0],
                 [&](NumberExpr x) { return clip(alpha * x + beta, 0, 1); });
}

Expr ThresholdedReluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  return widened(x[0], [&](NumberExpr x) {
    return select(less(alpha, x), x, x.number(0));
  });
}

Expr ShrinkOp::getScalarForm(ArrayRef<Expr> x) {
  double lambda = getLambda().convertToDouble();
  double bias = getBias().convertToDouble();
  return widened(x[0], [&](NumberExpr x) {
    return select(less(x, -lambda), x + bias,
                  select(less(lambda, x), x - bias, x.number(0)));
  });
}

Expr ClipOp::getScalarForm(ArrayRef<Expr> x) {
  return clip(x[0], getLow().convertToDouble(), getHigh().convertToDouble())
      .expr;
}
