//===- ScalarDerivatives.cpp - derivatives of scalar forms ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpDerivatives.h"
#include "tenon/Dialect/Graph/IR/NumberExpr.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

static bool isNumber(const Expr &expr, double value) {
  return expr && expr->kind == ExprKind::Constant && isFloat(expr->type) &&
         expr->number == value;
}

static Expr multiply(const Expr &a, const Expr &b) {
  if (isNumber(a, 1))
    return b;
  if (isNumber(b, 1))
    return a;
  return Expr::apply(ScalarFn::Mul, {a, b});
}

static Expr negate(const Expr &expr) {
  if (expr->kind == ExprKind::Constant)
    return Expr::constant(-expr->number, expr->type);
  return Expr::apply(ScalarFn::Neg, {expr});
}

static Expr orZero(const Expr &expr, Type type) {
  return expr ? expr : Expr::constant(0, type);
}

namespace {
class ScalarDerivative {
public:
  explicit ScalarDerivative(unsigned operand) : operand(operand) {}

  /// Null if the derivative is 0.
  Expr derive(const Expr &expr) {
    auto it = derived.find(expr.getPointer());
    if (it != derived.end())
      return it->second;
    Expr result = deriveNew(expr);
    derived[expr.getPointer()] = result;
    return result;
  }
  bool hasFailed() const { return failed; }

private:
  Expr deriveNew(const Expr &expr) {
    switch (expr.getKind()) {
    case ExprKind::Load:
      return expr->operand == operand ? Expr::constant(1, expr->type) : Expr();
    case ExprKind::Cast: {
      if (!isFloat(expr->type) || !isFloat(expr->operands[0]->type))
        return {};
      Expr inner = derive(expr->operands[0]);
      if (inner && inner.getKind() == ExprKind::Constant)
        return Expr::constant(inner->number, expr->type);
      return inner ? Expr::cast(inner, expr->type) : Expr();
    }
    case ExprKind::Select:
      return select(expr->operands[0], derive(expr->operands[1]),
                    derive(expr->operands[2]), expr->type);
    case ExprKind::Apply:
      return isFloat(expr->type) ? deriveApply(expr) : Expr();
    default:
      return {};
    }
  }

  static Expr select(const Expr &condition, const Expr &then,
                     const Expr &otherwise, Type type) {
    if (!then && !otherwise)
      return {};
    return Expr::select(condition, orZero(then, type), orZero(otherwise, type));
  }

  static Expr add(const Expr &a, const Expr &b) {
    if (!a || !b)
      return a ? a : b;
    return Expr::apply(ScalarFn::Add, {a, b});
  }

  /// Selects the derivative of the operand that is the maximum or minimum: a
  /// product with 0 would turn an infinite derivative of the other into NaN.
  Expr deriveExtremum(const Expr &expr) {
    Expr a = expr->operands[0], b = expr->operands[1];
    Expr da = derive(a), db = derive(b);
    if (!da && !db)
      return {};
    bool isMax = expr->fn == ScalarFn::Max;
    Expr firstWins = isMax ? less(b, a) : less(a, b);
    Expr secondWins = isMax ? less(a, b) : less(b, a);
    Type type = expr->type;
    Expr both = Expr::apply(
        ScalarFn::Mul, {Expr::constant(0.5, type), orZero(add(da, db), type)});
    return Expr::select(firstWins, orZero(da, type),
                        Expr::select(secondWins, orZero(db, type), both));
  }

  Expr deriveApply(const Expr &expr) {
    if (expr->fn == ScalarFn::Max || expr->fn == ScalarFn::Min)
      return deriveExtremum(expr);
    Expr sum;
    for (unsigned number = 0; number < expr->operands.size(); ++number) {
      Expr inner = derive(expr->operands[number]);
      if (!inner)
        continue;
      Expr outer = getDerivative(expr->fn, number, expr->operands, expr);
      if (!outer) {
        failed = true;
        return {};
      }
      if (isNumber(outer, 0))
        continue;
      if (expr->fn == ScalarFn::Sub && number == 1) {
        sum = sum ? Expr::apply(ScalarFn::Sub, {sum, inner}) : negate(inner);
        continue;
      }
      sum = add(sum,
                isNumber(outer, -1) ? negate(inner) : multiply(outer, inner));
    }
    return sum;
  }

  unsigned operand;
  bool failed = false;
  llvm::DenseMap<const ExprNode *, Expr> derived;
};
} // namespace

FailureOr<Expr> differentiate::deriveScalar(const Expr &body,
                                            unsigned operand) {
  ScalarDerivative derivative(operand);
  Expr result = derivative.derive(body);
  if (derivative.hasFailed())
    return failure();
  return result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Value buildFunction(Compose &c, ScalarFn fn, ArrayRef<Value> x) {
  // The first op of a function in the table takes numbers, or truth values.
#define SCALAR_OP(OP, FN)                                                      \
  if (fn == ScalarFn::FN) {                                                    \
    if constexpr (OP::hasTrait<OpTrait::OneOperand>())                         \
      return c.op<OP>(x[0]);                                                   \
    else                                                                       \
      return c.op<OP>(x[0], x[1]);                                             \
  }
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
  llvm_unreachable("a function in a derivative without an op");
}

Value ScalarBuilder::build(const Expr &expr) {
  if (Value known = built.lookup(expr.getPointer()))
    return known;
  SmallVector<Value> x;
  if (expr.getKind() != ExprKind::Load && expr.getKind() != ExprKind::Constant)
    for (const Expr &operand : expr->operands)
      x.push_back(build(operand));
  Value value;
  switch (expr.getKind()) {
  case ExprKind::Load:
    value = operands[expr->operand];
    break;
  case ExprKind::Constant:
    value = isFloat(expr->type) ? c.full(expr->number, expr->type, shape)
                                : c.full(expr->integer, expr->type, shape);
    break;
  case ExprKind::Apply:
    value = buildFunction(c, expr->fn, x);
    break;
  case ExprKind::Cast:
    value = c.cast(x[0], expr->type);
    break;
  case ExprKind::Select:
    value = c.op<WhereOp>(x[0], x[1], x[2]);
    break;
  case ExprKind::FromBoolElement:
    value = x[0];
    break;
  case ExprKind::And:
    value = c.op<AndOp>(x[0], x[1]);
    break;
  case ExprKind::Or:
    value = c.op<OrOp>(x[0], x[1]);
    break;
  case ExprKind::Not:
    value = c.op<NotOp>(x[0]);
    break;
  default:
    llvm_unreachable("an index in the derivative of a scalar form");
  }
  bind(expr, value);
  return value;
}

Value ScalarBuilder::multiply(Value cotangent, const Expr &factor) {
  // Moved and negated cotangents need no wider type.
  if (isNumber(factor, 1))
    return cotangent;
  if (isNumber(factor, 0))
    return c.fullLike(0, cotangent);
  if (isNumber(factor, -1))
    return c.op<NegOp>(cotangent);
  if (factor.getKind() == ExprKind::Select)
    return c.op<WhereOp>(build(factor->operands[0]),
                         multiply(cotangent, factor->operands[1]),
                         multiply(cotangent, factor->operands[2]));
  return c.mul(cotangent, build(factor));
}
