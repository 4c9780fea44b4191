//===- ScalarFunctions.cpp - code for functions of elements ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprEmitter.h"

#include "tenon/Dialect/Graph/IR/IndexArithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

Value ExprEmitter::emitApply(Expr expr) {
  SmallVector<Value, 2> operands;
  Type type = expr->operands.front()->type;
  if (expr->fn == ScalarFn::Pow && isa<FloatType>(type) &&
      expr->operands[1].getKind() == ExprKind::Constant) {
    // Small constant powers become products, which vectorize and are as
    // accurate as pow itself guarantees (1 ulp).
    double power = expr->operands[1]->number;
    if (power == 2.0 || power == 3.0) {
      Value x = emitElement(expr->operands[0]);
      Value square = roundResult(
          arith::MulFOp::create(builder, loc, x, x, context.fastMath), type);
      if (power == 2.0)
        return square;
      return roundResult(
          arith::MulFOp::create(builder, loc, square, x, context.fastMath),
          type);
    }
    if (power == 0.5 || power == 0.75) {
      // Square roots vectorize. They differ from pow at -0, which the sum (or
      // the product) corrects, and at minus infinity.
      Value x = emitElement(expr->operands[0]);
      Value root = math::SqrtOp::create(builder, loc, x);
      Value value =
          power == 0.5
              ? Value(arith::AddFOp::create(builder, loc, root,
                                            floatConstant(0.0, x.getType())))
              : Value(arith::MulFOp::create(
                    builder, loc, root,
                    math::SqrtOp::create(builder, loc, root)));
      double infinity = std::numeric_limits<double>::infinity();
      Value isLowest =
          arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x,
                                floatConstant(-infinity, x.getType()));
      return roundResult(
          arith::SelectOp::create(builder, loc, isLowest,
                                  floatConstant(infinity, x.getType()), value),
          type);
    }
  }
  if (expr->fn == ScalarFn::Div)
    if (Value reciprocal = reciprocals.lookup(expr->operands[1].getPointer()))
      return emitFloatApply(ScalarFn::Mul,
                            {emitElement(expr->operands[0]), reciprocal});
  for (const Expr &operand : expr->operands)
    operands.push_back(emitElement(operand));
  if (isa<FloatType>(type)) {
    arith::FastMathFlags flags =
        isIndexArithmetic(expr) ? arith::FastMathFlags::none : context.fastMath;
    Value value = emitFloatApply(expr->fn, operands, flags);
    return isa<FloatType>(expr->type) ? roundResult(value, expr->type) : value;
  }
  return emitIntApply(expr->fn, operands, isUnsigned(type) || isBool(type));
}

namespace {
/// Stands for no operation.
struct None {};
} // namespace

template <typename Op>
static Value createOp(OpBuilder &builder, Location loc, ArrayRef<Value> x,
                      arith::FastMathFlags fast) {
  if constexpr (std::is_same_v<Op, None>)
    return {};
  else if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
    return Op::create(builder, loc, x[0], fast);
  else
    return Op::create(builder, loc, x[0], x[1], fast);
}

/// The one operation that computes a function; null if there is none.
static Value createOp(OpBuilder &builder, Location loc, ScalarFn fn,
                      ArrayRef<Value> x, arith::FastMathFlags fast) {
  switch (fn) {
#define SCALAR_FN(NAME, TEXT, ARITY, TYPES, RESULT, COST, ULPS, PARITY, TREND, \
                  DOMAIN, RANGE, OP, ...)                                      \
  case ScalarFn::NAME:                                                         \
    return createOp<OP>(builder, loc, x, fast);
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
  }
  llvm_unreachable("unknown function");
}

Value ExprEmitter::emitFloatApply(ScalarFn fn, ArrayRef<Value> x,
                                  arith::FastMathFlags flags) {
  // Reassociation is only for the sums of reductions (see combine). With the
  // flag, LLVM would also simplify exp(log(x)) to x, which loses NaN.
  arith::FastMathFlags fast = flags & ~arith::FastMathFlags::reassoc;
  auto compare = [&](arith::CmpFPredicate predicate) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, x[0], x[1]);
  };
  auto constant = [&](double value) {
    return floatConstant(value, x[0].getType());
  };
  switch (fn) {
  case ScalarFn::Sign: {
    // The result is copysign(1, x) if x is neither 0 nor NaN, else x itself.
    Value one = math::CopySignOp::create(builder, loc, constant(1.0), x[0]);
    Value nonzero = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::ONE, x[0], constant(0.0));
    return arith::SelectOp::create(builder, loc, nonzero, one, x[0]);
  }
  case ScalarFn::IsNan:
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x[0],
                                 x[0]);
  case ScalarFn::IsInf: {
    Value magnitude = math::AbsFOp::create(builder, loc, x[0]);
    return arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, magnitude,
        constant(std::numeric_limits<double>::infinity()));
  }
  case ScalarFn::Max:
    return arith::MaximumFOp::create(builder, loc, x[0], x[1]);
  case ScalarFn::Min:
    return arith::MinimumFOp::create(builder, loc, x[0], x[1]);
  case ScalarFn::Equal:
    return compare(arith::CmpFPredicate::OEQ);
  case ScalarFn::Less:
    return compare(arith::CmpFPredicate::OLT);
  case ScalarFn::LessEqual:
    return compare(arith::CmpFPredicate::OLE);
  default:
    break;
  }
  if (Value result = createOp(builder, loc, fn, x, fast))
    return result;
  // Loads of what is emitted already stand for the operands.
  SmallVector<Expr, 2> operands;
  for (Value value : x) {
    operands.push_back(Expr::load(operands.size(), {}, value.getType()));
    setValue(operands.back(), value);
  }
  Expr formula = getFormula(fn, operands);
  assert(formula && "not a function of floating-point elements");
  return emitElement(formula);
}

/// Converts a float to an integer: truncates, saturates, and maps NaN to 0.
static Value saturatingToInt(OpBuilder &builder, Location loc, Value value,
                             IntegerType type, bool isUnsigned) {
  // In f64 every bound is exact except those of 64 bits, which become 2^63 (or
  // 2^64); values that reach these saturate by a comparison.
  if (!value.getType().isF64())
    value = arith::ExtFOp::create(builder, loc, builder.getF64Type(), value);
  unsigned width = type.getWidth();
  double low = isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  auto real = [&](double number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(number));
  };
  auto integer = [&](const llvm::APInt &number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, number));
  };
  using Predicate = arith::CmpFPredicate;
  Value belowHigh =
      arith::CmpFOp::create(builder, loc, Predicate::OLT, value, real(high));
  Value aboveLow =
      arith::CmpFOp::create(builder, loc, Predicate::OGE, value, real(low));
  Value inside = arith::AndIOp::create(builder, loc, belowHigh, aboveLow);
  Value safe = arith::SelectOp::create(builder, loc, inside, value, real(0.0));
  Value converted =
      isUnsigned
          ? arith::FPToUIOp::create(builder, loc, type, safe).getResult()
          : arith::FPToSIOp::create(builder, loc, type, safe).getResult();
  Value tooHigh =
      arith::CmpFOp::create(builder, loc, Predicate::OGE, value, real(high));
  Value tooLow =
      arith::CmpFOp::create(builder, loc, Predicate::OLT, value, real(low));
  llvm::APInt largest = isUnsigned ? llvm::APInt::getMaxValue(width)
                                   : llvm::APInt::getSignedMaxValue(width);
  llvm::APInt least = isUnsigned ? llvm::APInt::getMinValue(width)
                                 : llvm::APInt::getSignedMinValue(width);
  Value result = arith::SelectOp::create(builder, loc, tooHigh,
                                         integer(largest), converted);
  return arith::SelectOp::create(builder, loc, tooLow, integer(least), result);
}

Value ExprEmitter::emitCast(Value value, Type from, Type to) {
  Type target = computeType(to);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (isBool(to) && !isBool(from)) {
    if (fromFloat)
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE,
                                   value, floatConstant(0.0, value.getType()));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 intConstant(0, value.getType()));
  }
  if (fromFloat && toFloat) {
    unsigned have = value.getType().getIntOrFloatBitWidth();
    unsigned want = target.getIntOrFloatBitWidth();
    if (have < want)
      value = arith::ExtFOp::create(builder, loc, target, value);
    else if (have > want)
      value = arith::TruncFOp::create(builder, loc, target, value);
    return roundTo(value, to);
  }
  bool fromUnsigned = isUnsigned(from) || isBool(from);
  if (toFloat) {
    value =
        fromUnsigned
            ? arith::UIToFPOp::create(builder, loc, target, value).getResult()
            : arith::SIToFPOp::create(builder, loc, target, value).getResult();
    return roundTo(value, to);
  }
  if (fromFloat)
    return saturatingToInt(builder, loc, value, cast<IntegerType>(target),
                           isUnsigned(to));
  unsigned have = value.getType().getIntOrFloatBitWidth();
  unsigned want = target.getIntOrFloatBitWidth();
  if (have == want)
    return value;
  if (have > want)
    return arith::TruncIOp::create(builder, loc, target, value);
  return fromUnsigned
             ? arith::ExtUIOp::create(builder, loc, target, value).getResult()
             : arith::ExtSIOp::create(builder, loc, target, value).getResult();
}
