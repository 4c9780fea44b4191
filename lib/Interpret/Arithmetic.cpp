//===- Arithmetic.cpp - arithmetic on elements, by domain ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "tenon/Artifact/Philox.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

//===----------------------------------------------------------------------===//
// Kinds and rounding
//===----------------------------------------------------------------------===//

bool tenon::interpret::isElementType(Type type) {
  if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return false;
  if (integer.isUnsigned())
    return integer.getWidth() == 8;
  return integer.isSignless() &&
         llvm::is_contained({1u, 8u, 32u, 64u}, integer.getWidth());
}

Kind tenon::interpret::kindOf(Type type) {
  assert(isElementType(type) && "not an element type of the graph dialect");
  if (isa<Float64Type>(type))
    return Kind::F64;
  if (isa<Float32Type>(type))
    return Kind::F32;
  if (isa<Float16Type>(type))
    return Kind::F16;
  if (isa<BFloat16Type>(type))
    return Kind::BF16;
  auto integer = cast<IntegerType>(type);
  if (integer.isUnsigned())
    return Kind::UI8;
  switch (integer.getWidth()) {
  case 1:
    return Kind::I1;
  case 8:
    return Kind::I8;
  case 32:
    return Kind::I32;
  default:
    return Kind::I64;
  }
}

/// Rounds to a binary format with `fraction` explicit bits, minimum normal
/// exponent `minExponent` and largest finite number `largest`.
static double roundBits(double value, int fraction, int minExponent,
                        double largest) {
  if (!std::isfinite(value) || value == 0)
    return value;
  if (std::fabs(value) < std::ldexp(1.0, minExponent)) {
    // A subnormal is a multiple of the smallest positive number.
    double quantum = std::ldexp(1.0, minExponent - fraction);
    return std::copysign(std::nearbyint(value / quantum) * quantum, value);
  }
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  int drop = 52 - fraction;
  uint64_t half = (uint64_t(1) << (drop - 1)) - 1;
  bits += half + ((bits >> drop) & 1);
  bits &= ~((uint64_t(1) << drop) - 1);
  std::memcpy(&value, &bits, sizeof(bits));
  if (std::fabs(value) > largest)
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return value;
}

double tenon::interpret::roundTo(Kind kind, double value) {
  switch (kind) {
  case Kind::F32:
    return static_cast<float>(value);
  case Kind::F16:
    return roundBits(value, 10, -14, 65504.0);
  case Kind::BF16:
    return roundBits(value, 7, -126, 0x1.FEp127);
  default:
    return value;
  }
}

int64_t tenon::interpret::wrapTo(Kind kind, int64_t value) {
  switch (kind) {
  case Kind::I32:
    return static_cast<int32_t>(value);
  case Kind::I8:
    return static_cast<int8_t>(value);
  case Kind::UI8:
    return static_cast<uint8_t>(value);
  case Kind::I1:
    return value & 1;
  default:
    return value;
  }
}

static unsigned widthOf(Kind kind) {
  switch (kind) {
  case Kind::I64:
    return 64;
  case Kind::I32:
    return 32;
  case Kind::I1:
    return 1;
  default:
    return 8;
  }
}

static std::pair<int64_t, int64_t> rangeOf(Kind kind) {
  switch (kind) {
  case Kind::I32:
    return {INT32_MIN, INT32_MAX};
  case Kind::I8:
    return {INT8_MIN, INT8_MAX};
  case Kind::UI8:
    return {0, UINT8_MAX};
  case Kind::I1:
    return {0, 1};
  default:
    return {INT64_MIN, INT64_MAX};
  }
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static int64_t powInteger(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  uint64_t result = 1, power = base;
  for (; exponent; exponent >>= 1, power *= power)
    if (exponent & 1)
      result *= power;
  return result;
}

/// Integers wrap. Division by zero gives 0, and so does its remainder.
static int64_t applyInteger(ScalarFn fn, Kind kind, int64_t a, int64_t b) {
  uint64_t x = a, y = b;
  switch (fn) {
  case ScalarFn::Neg:
    return 0 - x;
  case ScalarFn::Abs:
    return a < 0 ? 0 - x : x;
  case ScalarFn::Sign:
    return a > 0 ? 1 : a < 0 ? -1 : 0;
  case ScalarFn::Not:
    return ~x;
  case ScalarFn::Add:
    return x + y;
  case ScalarFn::Sub:
    return x - y;
  case ScalarFn::Mul:
    return x * y;
  case ScalarFn::Div:
    return b == 0 ? 0 : b == -1 ? 0 - x : a / b;
  case ScalarFn::Pow:
    return powInteger(a, b);
  case ScalarFn::Mod: {
    if (b == 0 || b == -1)
      return 0;
    int64_t remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b
                                                        : remainder;
  }
  case ScalarFn::Fmod:
    return b == 0 || b == -1 ? 0 : a % b;
  case ScalarFn::Max:
    return std::max(a, b);
  case ScalarFn::Min:
    return std::min(a, b);
  case ScalarFn::And:
    return x & y;
  case ScalarFn::Or:
    return x | y;
  case ScalarFn::Xor:
    return x ^ y;
  case ScalarFn::ShiftLeft:
    return y >= widthOf(kind) ? 0 : x << y;
  case ScalarFn::ShiftRight:
    return y >= widthOf(kind) ? (a < 0 ? -1 : 0) : a >> y;
  case ScalarFn::RandomBits:
    return tenon::artifact::randomBits(x, y);
  case ScalarFn::Equal:
    return a == b;
  case ScalarFn::Less:
    return a < b;
  case ScalarFn::LessEqual:
    return a <= b;
  case ScalarFn::Floor:
  case ScalarFn::Ceil:
  case ScalarFn::RoundEven:
    return a;
  case ScalarFn::IsNan:
  case ScalarFn::IsInf:
    return 0;
  default: {
    // Functions of real numbers, for integer forms that use them (an l2 norm of
    // integers), are computed in doubles and cast back.
    double result = evaluate(fn, a, b);
    Arithmetic real((Domain()));
    Cell cell;
    cell.number = result;
    return real.cast(Kind::F64, kind, cell).integer;
  }
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Cell Arithmetic::apply(ScalarFn fn, Kind kind, Cell a, Cell b) const {
  Cell result;
  if (!isFloatKind(kind)) {
    result.integer = applyInteger(fn, kind, a.integer, b.integer);
    if (!getFacts(fn).isPredicate)
      result.integer = wrapTo(kind, result.integer);
    return result;
  }
  if (isField())
    return applyField(fn, a, b);
  double number = evaluate(fn, a.number, b.number);
  if (getFacts(fn).isPredicate) {
    result.integer = number != 0;
    return result;
  }
  result.number = number;
  if (rounds(kind))
    result.number = roundTo(kind, result.number);
  return result;
}

Cell Arithmetic::cast(Kind from, Kind to, Cell value) const {
  Cell result;
  if (isFloatKind(to)) {
    if (isFloatKind(from))
      result = value;
    else if (isField())
      result.residue = field::ofInteger(value.integer);
    else
      result.number = static_cast<double>(value.integer);
    if (rounds(to))
      result.number = roundTo(to, result.number);
    return result;
  }
  if (!isFloatKind(from)) {
    result.integer =
        to == Kind::I1 ? value.integer != 0 : wrapTo(to, value.integer);
    return result;
  }
  if (isField()) {
    uint64_t residue = value.residue;
    // Small integers are preserved, so that casting an integer to a float and
    // back gives the same integer.
    if (residue < (uint64_t(1) << 32))
      result.integer = residue;
    else if (residue < field::prime &&
             field::prime - residue < (uint64_t(1) << 32))
      result.integer = -static_cast<int64_t>(field::prime - residue);
    else
      result.integer = opaque(0xCA57u, residue, 0);
    result.integer = to == Kind::I1 ? residue != 0 : wrapTo(to, result.integer);
    return result;
  }
  double number = std::trunc(value.number);
  auto [low, high] = rangeOf(to);
  if (to == Kind::I1)
    result.integer = value.number != 0;
  else if (std::isnan(number))
    result.integer = 0;
  else if (number <= static_cast<double>(low))
    result.integer = low;
  else if (number >= static_cast<double>(high))
    result.integer = high;
  else
    result.integer = static_cast<int64_t>(number);
  return result;
}

Cell Arithmetic::constant(Kind kind, double number, int64_t integer) const {
  Cell result;
  if (!isFloatKind(kind))
    result.integer = wrapTo(kind, integer);
  else if (isField())
    result.residue = field::ofDouble(number);
  else
    result.number = rounds(kind) ? roundTo(kind, number) : number;
  return result;
}

Cell Arithmetic::fromIndex(Kind kind, int64_t index) const {
  Cell value;
  value.integer = index;
  return cast(Kind::I64, kind, value);
}

ScalarFn tenon::interpret::combiner(ReduceKind reduce, Kind kind) {
  bool isBool = kind == Kind::I1;
  switch (reduce) {
  case ReduceKind::Sum:
    return ScalarFn::Add;
  case ReduceKind::Prod:
    return ScalarFn::Mul;
  case ReduceKind::Max:
    return isBool ? ScalarFn::Or : ScalarFn::Max;
  case ReduceKind::Min:
    return isBool ? ScalarFn::And : ScalarFn::Min;
  }
  llvm_unreachable("unknown reduction");
}

Cell Arithmetic::neutral(ReduceKind reduce, Kind kind) const {
  double infinity = std::numeric_limits<double>::infinity();
  auto [low, high] = rangeOf(kind);
  switch (reduce) {
  case ReduceKind::Sum:
    return constant(kind, 0, 0);
  case ReduceKind::Prod:
    return constant(kind, 1, 1);
  case ReduceKind::Max:
    return constant(kind, -infinity, low);
  case ReduceKind::Min:
    return constant(kind, infinity, high);
  }
  llvm_unreachable("unknown reduction");
}

Cell Arithmetic::combine(ReduceKind reduce, Kind kind, Cell accumulator,
                         Cell value) const {
  return apply(combiner(reduce, kind), kind, accumulator, value);
}
