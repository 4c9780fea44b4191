//===- IntegerFunctions.cpp - code for functions of integers --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprEmitter.h"

#include "tenon/Artifact/Philox.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// Emits the power by repeated squaring, with wrapping arithmetic. A negative
/// exponent gives the truncated reciprocal, which is 0 for a base of 0. (The
/// lowering of `math.ipowi` handles neither unsigned exponents nor that last
/// case.)
Value ExprEmitter::emitIntPower(Value base, Value exponent, bool isUnsigned) {
  Type type = base.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  using Predicate = arith::CmpIPredicate;
  Value zero = intConstant(0, type), one = intConstant(1, type);
  Value minusOne = intConstant(-1, type);
  auto compare = [&](Predicate predicate, Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  auto select = [&](Value condition, Value a, Value b) -> Value {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  };
  auto isOdd = [&](Value x) {
    return compare(Predicate::ne, arith::AndIOp::create(builder, loc, x, one),
                   zero);
  };
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // The loop carries the result, the current square, and the remaining
  // exponent.
  auto loop = scf::ForOp::create(
      builder, loc, index(0), index(isUnsigned ? width : width - 1), index(1),
      ValueRange{one, base, exponent},
      [&](OpBuilder &, Location, Value, ValueRange carried) {
        Value result = carried[0], power = carried[1], rest = carried[2];
        Value more = arith::MulIOp::create(builder, loc, result, power);
        scf::YieldOp::create(
            builder, loc,
            ValueRange{select(isOdd(rest), more, result),
                       arith::MulIOp::create(builder, loc, power, power),
                       arith::ShRUIOp::create(builder, loc, rest, one)});
      });
  if (isUnsigned)
    return loop.getResult(0);
  Value sign = select(isOdd(exponent), minusOne, one);
  Value reciprocal =
      select(compare(Predicate::eq, base, one), one,
             select(compare(Predicate::eq, base, minusOne), sign, zero));
  return select(compare(Predicate::slt, exponent, zero), reciprocal,
                loop.getResult(0));
}

/// Emits artifact::randomBits on words of 32 bits in integers of 64.
Value ExprEmitter::emitRandomBits(Value counter, Value key) {
  Type type = counter.getType();
  auto constant = [&](int64_t value) { return intConstant(value, type); };
  Value low = constant(0xFFFFFFFF), half = constant(32);
  auto lowWord = [&](Value x) -> Value {
    return arith::AndIOp::create(builder, loc, x, low);
  };
  auto highWord = [&](Value x) -> Value {
    return arith::ShRUIOp::create(builder, loc, x, half);
  };
  auto add = [&](Value x, int64_t y) -> Value {
    return lowWord(arith::AddIOp::create(builder, loc, x, constant(y)));
  };
  auto multiply = [&](Value x, int64_t y) -> Value {
    return arith::MulIOp::create(builder, loc, x, constant(y));
  };
  auto exclusiveOr = [&](Value x, Value y, Value z) -> Value {
    return arith::XOrIOp::create(builder, loc,
                                 arith::XOrIOp::create(builder, loc, x, y), z);
  };
  Value words[] = {lowWord(counter), highWord(counter), constant(0),
                   constant(0)};
  Value keys[] = {lowWord(key), highWord(key)};
  for (unsigned round = 0; round < artifact::kPhiloxRounds; ++round) {
    Value product0 = multiply(words[0], artifact::kPhiloxFactors[0]);
    Value product1 = multiply(words[2], artifact::kPhiloxFactors[1]);
    words[0] = exclusiveOr(highWord(product1), words[1], keys[0]);
    words[1] = lowWord(product1);
    words[2] = exclusiveOr(highWord(product0), words[3], keys[1]);
    words[3] = lowWord(product0);
    for (unsigned word : {0, 1})
      keys[word] = add(keys[word], artifact::kPhiloxSteps[word]);
  }
  return arith::OrIOp::create(
      builder, loc, words[0],
      arith::ShLIOp::create(builder, loc, words[1], half));
}

Value ExprEmitter::emitIntApply(ScalarFn fn, ArrayRef<Value> x,
                                bool isUnsigned) {
  Type type = x[0].getType();
  unsigned width = type.getIntOrFloatBitWidth();
  using Predicate = arith::CmpIPredicate;
  auto constant = [&](int64_t value) { return intConstant(value, type); };
  auto compare = [&](Predicate signedOne, Predicate unsignedOne) -> Value {
    return arith::CmpIOp::create(
        builder, loc, isUnsigned ? unsignedOne : signedOne, x[0], x[1]);
  };
  // Emits a division that cannot trap: division by 0 gives 0, and division by
  // -1 gives the wrapped negation.
  auto divide = [&](bool remainder) -> Value {
    Value zero = constant(0);
    Value byZero =
        arith::CmpIOp::create(builder, loc, Predicate::eq, x[1], zero);
    Value divisor =
        arith::SelectOp::create(builder, loc, byZero, constant(1), x[1]);
    Value result;
    if (isUnsigned) {
      result =
          remainder
              ? arith::RemUIOp::create(builder, loc, x[0], divisor).getResult()
              : arith::DivUIOp::create(builder, loc, x[0], divisor).getResult();
    } else {
      Value byMinusOne = arith::CmpIOp::create(builder, loc, Predicate::eq,
                                               divisor, constant(-1));
      Value safe = arith::SelectOp::create(builder, loc, byMinusOne,
                                           constant(1), divisor);
      if (remainder) {
        // Both x rem -1 and x rem 1 are 0.
        result = arith::RemSIOp::create(builder, loc, x[0], safe);
      } else {
        Value quotient = arith::DivSIOp::create(builder, loc, x[0], safe);
        Value negated = arith::SubIOp::create(builder, loc, zero, x[0]);
        result = arith::SelectOp::create(builder, loc, byMinusOne, negated,
                                         quotient);
      }
    }
    return arith::SelectOp::create(builder, loc, byZero, zero, result);
  };
  switch (fn) {
  case ScalarFn::Neg:
    return arith::SubIOp::create(builder, loc, constant(0), x[0]);
  case ScalarFn::Abs: {
    if (isUnsigned)
      return x[0];
    Value negated = arith::SubIOp::create(builder, loc, constant(0), x[0]);
    return arith::MaxSIOp::create(builder, loc, x[0], negated);
  }
  case ScalarFn::Sign: {
    Value zero = constant(0);
    Value positive = arith::CmpIOp::create(
        builder, loc, isUnsigned ? Predicate::ugt : Predicate::sgt, x[0], zero);
    Value up = arith::ExtUIOp::create(builder, loc, type, positive);
    if (isUnsigned)
      return up;
    Value negative =
        arith::CmpIOp::create(builder, loc, Predicate::slt, x[0], zero);
    Value down = arith::ExtUIOp::create(builder, loc, type, negative);
    return arith::SubIOp::create(builder, loc, up, down);
  }
  case ScalarFn::Not:
    return arith::XOrIOp::create(builder, loc, x[0], constant(-1));
  case ScalarFn::Add:
    return arith::AddIOp::create(builder, loc, x[0], x[1]);
  case ScalarFn::Sub:
    return arith::SubIOp::create(builder, loc, x[0], x[1]);
  case ScalarFn::Mul:
    return arith::MulIOp::create(builder, loc, x[0], x[1]);
  case ScalarFn::Div:
    return divide(/*remainder=*/false);
  case ScalarFn::Fmod:
    return divide(/*remainder=*/true);
  case ScalarFn::Mod: {
    Value rest = divide(/*remainder=*/true);
    if (isUnsigned)
      return rest;
    Value zero = constant(0);
    Value signs = arith::XOrIOp::create(builder, loc, rest, x[1]);
    Value differ =
        arith::CmpIOp::create(builder, loc, Predicate::slt, signs, zero);
    Value nonzero =
        arith::CmpIOp::create(builder, loc, Predicate::ne, rest, zero);
    Value move = arith::AndIOp::create(builder, loc, differ, nonzero);
    Value moved = arith::AddIOp::create(builder, loc, rest, x[1]);
    return arith::SelectOp::create(builder, loc, move, moved, rest);
  }
  case ScalarFn::Pow:
    return emitIntPower(x[0], x[1], isUnsigned);
  case ScalarFn::Max:
    return isUnsigned
               ? arith::MaxUIOp::create(builder, loc, x[0], x[1]).getResult()
               : arith::MaxSIOp::create(builder, loc, x[0], x[1]).getResult();
  case ScalarFn::Min:
    return isUnsigned
               ? arith::MinUIOp::create(builder, loc, x[0], x[1]).getResult()
               : arith::MinSIOp::create(builder, loc, x[0], x[1]).getResult();
  case ScalarFn::And:
    return arith::AndIOp::create(builder, loc, x[0], x[1]);
  case ScalarFn::Or:
    return arith::OrIOp::create(builder, loc, x[0], x[1]);
  case ScalarFn::Xor:
    return arith::XOrIOp::create(builder, loc, x[0], x[1]);
  case ScalarFn::ShiftLeft:
  case ScalarFn::ShiftRight: {
    // In LLVM, shifts by at least the width are poison (a negative count is a
    // large unsigned one). Here they give 0, or copies of the sign bit.
    Value tooFar = arith::CmpIOp::create(builder, loc, Predicate::uge, x[1],
                                         constant(width));
    if (fn == ScalarFn::ShiftRight && !isUnsigned) {
      Value count = arith::SelectOp::create(builder, loc, tooFar,
                                            constant(width - 1), x[1]);
      return arith::ShRSIOp::create(builder, loc, x[0], count);
    }
    Value count =
        arith::SelectOp::create(builder, loc, tooFar, constant(0), x[1]);
    Value shifted =
        fn == ScalarFn::ShiftLeft
            ? arith::ShLIOp::create(builder, loc, x[0], count).getResult()
            : arith::ShRUIOp::create(builder, loc, x[0], count).getResult();
    return arith::SelectOp::create(builder, loc, tooFar, constant(0), shifted);
  }
  case ScalarFn::RandomBits:
    return emitRandomBits(x[0], x[1]);
  case ScalarFn::Equal:
    return compare(Predicate::eq, Predicate::eq);
  case ScalarFn::Less:
    return compare(Predicate::slt, Predicate::ult);
  case ScalarFn::LessEqual:
    return compare(Predicate::sle, Predicate::ule);
  default:
    llvm_unreachable("not a function of integer elements");
  }
}
