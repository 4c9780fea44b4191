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

#include "FormPieces.h"

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
#define TENON_FN(OP, FN)                                                       \
  Expr OP::getScalarForm(ArrayRef<Expr> x) {                                   \
    return Expr::apply(ScalarFn::FN, x);                                       \
  }

TENON_FN(NegOp, Neg)
TENON_FN(AbsOp, Abs)
TENON_FN(SignOp, Sign)
TENON_FN(FloorOp, Floor)
TENON_FN(CeilOp, Ceil)
TENON_FN(RoundOp, RoundEven)
TENON_FN(SqrtOp, Sqrt)
TENON_FN(ExpOp, Exp)
TENON_FN(LogOp, Log)
TENON_FN(SinOp, Sin)
TENON_FN(CosOp, Cos)
TENON_FN(TanOp, Tan)
TENON_FN(AsinOp, Asin)
TENON_FN(AcosOp, Acos)
TENON_FN(AtanOp, Atan)
TENON_FN(SinhOp, Sinh)
TENON_FN(CoshOp, Cosh)
TENON_FN(TanhOp, Tanh)
TENON_FN(AsinhOp, Asinh)
TENON_FN(AcoshOp, Acosh)
TENON_FN(AtanhOp, Atanh)
TENON_FN(ErfOp, Erf)
TENON_FN(AddOp, Add)
TENON_FN(SubOp, Sub)
TENON_FN(MulOp, Mul)
TENON_FN(DivOp, Div)
TENON_FN(PowOp, Pow)
TENON_FN(ModOp, Mod)
TENON_FN(FmodOp, Fmod)
TENON_FN(MaximumOp, Max)
TENON_FN(MinimumOp, Min)
TENON_FN(NotOp, Not)
TENON_FN(AndOp, And)
TENON_FN(OrOp, Or)
TENON_FN(XorOp, Xor)
TENON_FN(BitNotOp, Not)
TENON_FN(BitAndOp, And)
TENON_FN(BitOrOp, Or)
TENON_FN(BitXorOp, Xor)
TENON_FN(ShiftLeftOp, ShiftLeft)
TENON_FN(ShiftRightOp, ShiftRight)
TENON_FN(EqualOp, Equal)
TENON_FN(LessOp, Less)
TENON_FN(LessEqualOp, LessEqual)
TENON_FN(IsNanOp, IsNan)

//===----------------------------------------------------------------------===//
// Operators for formulas
//===----------------------------------------------------------------------===//

namespace {
/// An element with the operators of its type. Numbers take the type of the
/// other operand.
struct Num {
  Expr expr;
  Num(Expr expr) : expr(std::move(expr)) {}
  Num number(double value) const { return Expr::constant(value, expr->type); }
};

Num apply(ScalarFn fn, Num a, Num b) {
  return Expr::apply(fn, {a.expr, b.expr});
}
Num operator+(Num a, Num b) { return apply(ScalarFn::Add, a, b); }
Num operator-(Num a, Num b) { return apply(ScalarFn::Sub, a, b); }
Num operator*(Num a, Num b) { return apply(ScalarFn::Mul, a, b); }
Num operator/(Num a, Num b) { return apply(ScalarFn::Div, a, b); }
Num operator+(double a, Num b) { return b.number(a) + b; }
Num operator*(double a, Num b) { return b.number(a) * b; }
Num operator/(double a, Num b) { return b.number(a) / b; }
Num operator+(Num a, double b) { return a + a.number(b); }
Num operator-(Num a, double b) { return a - a.number(b); }
Num operator/(Num a, double b) { return a / a.number(b); }
Num operator-(Num a) { return Num(Expr::apply(ScalarFn::Neg, {a.expr})); }

Num call(ScalarFn fn, Num x) { return Expr::apply(fn, {x.expr}); }
Num exp(Num x) { return call(ScalarFn::Exp, x); }
Num maximum(Num a, double b) { return apply(ScalarFn::Max, a, a.number(b)); }
Num minimum(Num a, double b) { return apply(ScalarFn::Min, a, a.number(b)); }

Expr less(Num a, Num b) {
  return Expr::fromBool(Expr::apply(ScalarFn::Less, {a.expr, b.expr}));
}
Expr less(Num a, double b) { return less(a, a.number(b)); }
Expr less(double a, Num b) { return less(b.number(a), b); }

Num select(Expr condition, Num then, Num otherwise) {
  return Expr::select(condition, then.expr, otherwise.expr);
}
} // namespace

/// Applies `formula` in the accumulator type of `x`.
static Expr widened(Expr x, llvm::function_ref<Num(Num)> formula) {
  Type type = x->type;
  Num wide = Expr::cast(x, getAccumulationType(type));
  return Expr::cast(formula(wide).expr, type);
}

static Num sigmoid(Num x) { return 1.0 / (1.0 + exp(-x)); }

/// log(1 + exp(x)); the exponential never overflows.
static Num softplus(Num x) {
  return call(ScalarFn::Log, 1.0 + exp(-call(ScalarFn::Abs, x))) +
         maximum(x, 0.0);
}

static Num clip(Num x, double low, double high) {
  return minimum(maximum(x, low), high);
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

Expr ReciprocalOp::getScalarForm(ArrayRef<Expr> x) {
  return (1.0 / Num(x[0])).expr;
}

Expr RsqrtOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], [](Num x) { return 1.0 / call(ScalarFn::Sqrt, x); });
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
  return widened(x[0], [](Num x) { return x * sigmoid(x); });
}

Expr SoftplusOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], softplus);
}

Expr SoftsignOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0],
                 [](Num x) { return x / (1.0 + call(ScalarFn::Abs, x)); });
}

Expr MishOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0],
                 [](Num x) { return x * call(ScalarFn::Tanh, softplus(x)); });
}

Expr HardSwishOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], [](Num x) { return x * clip(x / 6.0 + 0.5, 0, 1); });
}

Expr PreluOp::getScalarForm(ArrayRef<Expr> x) {
  return select(less(x[0], 0.0), Num(x[1]) * Num(x[0]), x[0]).expr;
}

Expr GeluOp::getScalarForm(ArrayRef<Expr> x) {
  return widened(x[0], [&](Num x) {
    if (!getTanh())
      return 0.5 * x * (1.0 + call(ScalarFn::Erf, M_SQRT1_2 * x));
    Num inner = M_2_SQRTPI * M_SQRT1_2 * (x + 0.044715 * (x * x * x));
    return 0.5 * x * (1.0 + call(ScalarFn::Tanh, inner));
  });
}

Expr LeakyReluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  return widened(x[0],
                 [&](Num x) { return select(less(x, 0.0), alpha * x, x); });
}

Expr EluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  return widened(x[0], [&](Num x) {
    return select(less(0.0, x), x, alpha * (exp(x) - 1.0));
  });
}

Expr CeluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  return widened(x[0], [&](Num x) {
    return maximum(x, 0.0) + minimum(alpha * (exp(x / alpha) - 1.0), 0.0);
  });
}

Expr SeluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  double gamma = getGamma().convertToDouble();
  return widened(x[0], [&](Num x) {
    return gamma * select(less(0.0, x), x, alpha * (exp(x) - 1.0));
  });
}

Expr HardSigmoidOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  double beta = getBeta().convertToDouble();
  return widened(x[0], [&](Num x) { return clip(alpha * x + beta, 0, 1); });
}

Expr ThresholdedReluOp::getScalarForm(ArrayRef<Expr> x) {
  double alpha = getAlpha().convertToDouble();
  return widened(x[0],
                 [&](Num x) { return select(less(alpha, x), x, x.number(0)); });
}

Expr ShrinkOp::getScalarForm(ArrayRef<Expr> x) {
  double lambda = getLambda().convertToDouble();
  double bias = getBias().convertToDouble();
  return widened(x[0], [&](Num x) {
    return select(less(x, -lambda), x + bias,
                  select(less(lambda, x), x - bias, x.number(0)));
  });
}

Expr ClipOp::getScalarForm(ArrayRef<Expr> x) {
  return clip(x[0], getLow().convertToDouble(), getHigh().convertToDouble())
      .expr;
}
