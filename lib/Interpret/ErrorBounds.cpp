//===- ErrorBounds.cpp - numbers with error bounds ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rule assumes |x' - x| <= x.error for the operands and bounds |f'(x') -
// f(x)|, where f' is f computed in the type: the propagated error plus the
// rounding of f' (Higham, Accuracy and Stability of Numerical Algorithms,
// chapters 2 to 4). Elementary functions other than the square root are taken
// to be off by up to the ulps of ScalarFn.def, and to be accurate relative to
// their largest value where they are bounded.
//
//===----------------------------------------------------------------------===//

#include "ErrorBounds.h"

#include <cmath>
#include <limits>

using namespace tenon::graph;
using namespace tenon::interpret;

/// The error of a function in units of the roundoff, which is half an ulp.
static double roundingsOf(ScalarFn fn) { return 2 * getFacts(fn).ulps; }

double tenon::interpret::unitRoundoff(Kind kind) {
  switch (kind) {
  case Kind::F64:
    return 0x1p-53;
  case Kind::F32:
    return 0x1p-24;
  case Kind::F16:
    return 0x1p-11;
  case Kind::BF16:
    return 0x1p-8;
  default:
    return 0;
  }
}

static double largestOf(Kind kind) {
  switch (kind) {
  case Kind::F32:
    return 0x1.fffffep127;
  case Kind::F16:
    return 65504;
  case Kind::BF16:
    return 0x1.FEp127;
  default:
    return std::numeric_limits<double>::max();
  }
}

/// Results below this number may be flushed to zero or rounded coarsely.
static double smallestOf(Kind kind) {
  switch (kind) {
  case Kind::F64:
    return 0x1p-1022;
  case Kind::F16:
    return 0x1p-24;
  default:
    return 0x1p-126;
  }
}

/// Finishes a result with the propagated error `error` and `ulps` roundings
/// relative to `magnitude` (at least the result's own magnitude).
static BoundedValue finishNumber(Kind kind, double number, double error,
                                 bool excluded, double ulps = 1,
                                 double magnitude = 0) {
  BoundedValue result;
  result.cell.number = number;
  result.excluded = excluded;
  if (!std::isfinite(number)) {
    // The operands were finite and had errors, so the computation may have
    // stayed finite.
    result.excluded |= error != 0;
    return result;
  }
  double size = std::max(std::fabs(number), magnitude) + error;
  result.error = error + ulps * unitRoundoff(kind) * size + smallestOf(kind);
  double largest = largestOf(kind);
  if (std::fabs(number) - result.error > largest * 1.01) {
    // The result certainly overflows the type.
    result.cell.number =
        std::copysign(std::numeric_limits<double>::infinity(), number);
    result.error = 0;
  } else if (!(size < largest * 0.99) || !std::isfinite(result.error)) {
    result.excluded = true;
  }
  return result;
}

static BoundedValue exactNumber(double number, bool excluded) {
  BoundedValue result;
  result.cell.number = number;
  result.excluded = excluded;
  return result;
}

static bool isExactIn(Kind kind, double number) {
  return roundTo(kind, number) == number || std::isnan(number);
}

/// Whether sums and products of such numbers are exact in the type, in any
/// grouping: multiples of 1/8 that are small compared to the significand.
static bool isCoarseIn(Kind kind, double number) {
  double scaled = number * 8;
  return scaled == std::floor(scaled) &&
         std::fabs(scaled) * unitRoundoff(kind) <= 0.25;
}

BoundedValue tenon::interpret::boundConstant(Kind kind, double number,
                                             int64_t integer) {
  BoundedValue result;
  result.cell = Arithmetic(Domain()).constant(kind, number, integer);
  if (isFloatKind(kind) && !isExactIn(kind, number)) {
    result.error = std::fabs(number - roundTo(kind, number));
    // An infinity in the type represents its largest numbers and above.
    if (!std::isfinite(result.error)) {
      result.cell.number = roundTo(kind, number);
      result.error = 0;
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

static BoundedValue boundUnary(ScalarFn fn, Kind kind, double x, double error,
                               bool excluded) {
  double value = evaluate(fn, x, x);
  if (!std::isfinite(x))
    // atan and tanh are finite at infinity, and rounded.
    return std::isfinite(value)
               ? finishNumber(kind, value, 0, excluded, roundingsOf(fn))
               : exactNumber(value, excluded);
  if (std::isnan(value))
    // The argument is outside of the domain; this is certain if both ends are.
    return exactNumber(value, excluded ||
                                  !std::isnan(evaluate(fn, x - error, x)) ||
                                  !std::isnan(evaluate(fn, x + error, x)));
  // Odd functions map an exact zero to an exact zero.
  if (x == 0 && error == 0 && value == 0)
    return exactNumber(value, excluded);
  auto function = [&](double propagated, double magnitude = 0) {
    return finishNumber(kind, value, propagated, excluded, roundingsOf(fn),
                        magnitude);
  };
  // The largest change of the function within the error, at the end where it
  // changes faster.
  auto spread = [&] {
    if (error == 0)
      return 0.0;
    return std::max(std::fabs(evaluate(fn, x + error) - value),
                    std::fabs(evaluate(fn, x - error) - value));
  };
  auto nearest = [&](double offset) {
    // Whether there is a jump between x - error and x + error.
    return std::floor(x - error + offset) != std::floor(x + error + offset);
  };
  switch (fn) {
  case ScalarFn::Neg:
  case ScalarFn::Abs: {
    BoundedValue result = exactNumber(value, excluded);
    result.error = error;
    return result;
  }
  case ScalarFn::Sign:
    return exactNumber(value, excluded || (error > 0 && std::fabs(x) <= error));
  case ScalarFn::Floor:
    return exactNumber(value, excluded || (error > 0 && nearest(0)));
  case ScalarFn::Ceil:
    return exactNumber(
        value, excluded ||
                   (error > 0 && std::ceil(x - error) != std::ceil(x + error)));
  case ScalarFn::RoundEven:
    return exactNumber(value, excluded || (error > 0 && nearest(0.5)));
  case ScalarFn::Log:
    excluded |= error > 0 && x - error <= 0;
    return function(spread(), 0.5);
  case ScalarFn::Sin:
  case ScalarFn::Cos:
    // The accuracy of range reduction for large arguments is not modeled.
    excluded |= std::fabs(x) > 1000;
    return function(error, 1);
  case ScalarFn::Tan:
    excluded |= std::fabs(x) > 1000 || error * (1 + value * value) > 0.05;
    return function(2 * error * (1 + value * value), 1 + value * value);
  case ScalarFn::Asin:
  case ScalarFn::Acos:
    excluded |= error > 0 && std::fabs(x) + error >= 1;
    return function(spread(), 1.6);
  case ScalarFn::Atan:
    return function(error, std::fabs(value));
  case ScalarFn::Sinh:
  case ScalarFn::Cosh:
    return function(spread(), std::cosh(x));
  case ScalarFn::Tanh:
    return function(error, 1);
  case ScalarFn::Asinh:
    return function(error, 1 + std::fabs(value));
  case ScalarFn::Acosh:
    excluded |= error > 0 && x - error <= 1;
    // If x is close to 1, the argument of the root is close to 0.
    excluded |= x < 1.01 && x >= 1;
    return function(spread(), 1);
  case ScalarFn::Atanh:
    excluded |= error > 0 && std::fabs(x) + error >= 1;
    return function(spread(), 1 / (1 - std::min(std::fabs(x), 0.999999)));
  case ScalarFn::Erf:
    return function(1.13 * error, 1);
  default:
    break;
  }
  // The ends are the farthest; where one is outside of the domain, or is a
  // pole, nothing is known.
  assert(getFacts(fn).trend != ScalarTrend::Mixed && "expected a rule");
  excluded |= error > 0 && !(std::isfinite(evaluate(fn, x + error)) &&
                             std::isfinite(evaluate(fn, x - error)));
  return function(excluded ? 0 : spread());
}

//===----------------------------------------------------------------------===//
// Functions of two numbers
//===----------------------------------------------------------------------===//

static BoundedValue boundPower(Kind kind, double x, double ex, double y,
                               double ey, bool excluded) {
  double value = std::pow(x, y);
  if (x > ex) {
    double relative =
        std::fabs(y) * (ex / (x - ex)) + std::fabs(std::log(x)) * ey;
    return finishNumber(
        kind, value, std::fabs(value) * std::expm1(relative), excluded,
        roundingsOf(ScalarFn::Pow) * (1 + std::fabs(y * std::log(x))));
  }
  bool isInteger = y == std::floor(y) && ey == 0;
  if (std::isnan(value))
    return exactNumber(value, excluded || x + ex >= 0 || ey > 0);
  if (x == 0 && y < 0)
    return exactNumber(value, true);
  if (ex == 0 && (isInteger || ey == 0))
    return finishNumber(kind, value, 0, excluded,
                        roundingsOf(ScalarFn::Pow) * (1 + std::fabs(y)));
  if (!isInteger || y < 0)
    return finishNumber(kind, value, 0, true);
  double end = std::pow(std::fabs(x) + ex, y);
  return finishNumber(kind, value, end - std::fabs(value) + ex * y * end,
                      excluded, roundingsOf(ScalarFn::Pow) * (1 + y));
}

static BoundedValue boundRemainder(ScalarFn fn, Kind kind, double x, double ex,
                                   double y, double ey, bool excluded) {
  double value = evaluate(fn, x, y);
  double quotient = x / y;
  if (!std::isfinite(quotient))
    return finishNumber(kind, value, ex + ey, excluded);
  double shift = (ex + std::fabs(quotient) * ey) / std::fabs(y);
  // Compiled code may compute the quotient, which rounds it.
  shift += 4 * unitRoundoff(kind) * std::fabs(quotient);
  bool jumps = std::floor(quotient - shift) != std::floor(quotient + shift);
  return finishNumber(kind, value, ex + (std::fabs(quotient) + 1) * ey,
                      excluded || jumps, 4, std::fabs(x) + std::fabs(y));
}

static BoundedValue boundBinary(ScalarFn fn, Kind kind, double x, double ex,
                                double y, double ey, bool excluded) {
  double value = evaluate(fn, x, y);
  if (std::isnan(x) || std::isnan(y))
    return exactNumber(value, excluded);
  if (!std::isfinite(x) || !std::isfinite(y)) {
    // The result is certain, unless it depends on the sign of a number near 0.
    bool isUnsure = (std::isfinite(x) && ex > 0 && std::fabs(x) <= ex) ||
                    (std::isfinite(y) && ey > 0 && std::fabs(y) <= ey);
    bool isExtreme = fn == ScalarFn::Max || fn == ScalarFn::Min;
    bool isRemainder = fn == ScalarFn::Fmod || fn == ScalarFn::Mod;
    if ((isExtreme || isRemainder) && std::isfinite(value)) {
      // The result is the other operand, unchanged.
      BoundedValue result =
          exactNumber(value, excluded || (isUnsure && !isExtreme));
      result.error = std::max(ex, ey);
      return result;
    }
    return exactNumber(value, excluded || (isUnsure && !isExtreme) ||
                                  fn == ScalarFn::Pow);
  }
  bool isRing =
      fn == ScalarFn::Add || fn == ScalarFn::Sub || fn == ScalarFn::Mul;
  if (isRing && ex == 0 && ey == 0 && isCoarseIn(kind, value) &&
      isCoarseIn(kind, x) && isCoarseIn(kind, y))
    return exactNumber(value, excluded);
  bool isZeroX = x == 0 && ex == 0, isZeroY = y == 0 && ey == 0;
  switch (fn) {
  case ScalarFn::Add:
  case ScalarFn::Sub:
    if (isZeroX || isZeroY) {
      BoundedValue result = exactNumber(value, excluded);
      result.error = ex + ey;
      return result;
    }
    // The rounding error is relative to the terms, not to their sum: if sums
    // are regrouped, cancellation happens elsewhere.
    return finishNumber(kind, value, ex + ey, excluded, 2,
                        std::fabs(x) + std::fabs(y));
  case ScalarFn::Mul:
    if (isZeroX || isZeroY)
      return exactNumber(value, excluded);
    return finishNumber(kind, value,
                        (ey ? std::fabs(x) * ey : 0) +
                            (ex ? std::fabs(y) * ex : 0) + ex * ey,
                        excluded);
  case ScalarFn::Div: {
    if (std::fabs(y) <= ey && ey > 0)
      return finishNumber(kind, value, 0, true);
    if (isZeroX && y != 0)
      return exactNumber(value, excluded);
    // The sign of the zero is unknown: a maximum of 0 and -0 may be either.
    if (isZeroY)
      return exactNumber(value, excluded || !std::isnan(value));
    double error =
        ex == 0 && ey == 0
            ? 0
            : (ex + (ey ? std::fabs(value) * ey : 0)) / (std::fabs(y) - ey);
    // Compiled code may multiply by the reciprocal.
    return finishNumber(kind, value, error, excluded, 3);
  }
  case ScalarFn::Pow:
    return boundPower(kind, x, ex, y, ey, excluded);
  case ScalarFn::Mod:
  case ScalarFn::Fmod:
    return boundRemainder(fn, kind, x, ex, y, ey, excluded);
  case ScalarFn::Max:
  case ScalarFn::Min: {
    BoundedValue result = exactNumber(value, excluded);
    bool isFirst = value == x;
    // If one operand certainly wins, use its error.
    result.error =
        std::fabs(x - y) > ex + ey ? (isFirst ? ex : ey) : std::max(ex, ey);
    return result;
  }
  default:
    llvm_unreachable("not a function of two numbers");
  }
}

BoundedValue tenon::interpret::boundApply(ScalarFn fn, Kind kind,
                                          const BoundedValue &a,
                                          const BoundedValue &b) {
  bool isUnary = arity(fn) == 1;
  bool excluded = a.excluded || (!isUnary && b.excluded);
  if (getFacts(fn).isPredicate) {
    BoundedValue result;
    result.cell = Arithmetic(Domain()).apply(fn, kind, a.cell, b.cell);
    result.excluded = excluded;
    if (!isUnary && isFloatKind(kind)) {
      double error = a.error + b.error;
      result.excluded |=
          error > 0 && std::fabs(a.cell.number - b.cell.number) <= error;
    }
    return result;
  }
  if (!isFloatKind(kind)) {
    BoundedValue result;
    result.cell = Arithmetic(Domain()).apply(fn, kind, a.cell, b.cell);
    result.excluded = excluded;
    return result;
  }
  if (isUnary)
    return boundUnary(fn, kind, a.cell.number, a.error, excluded);
  return boundBinary(fn, kind, a.cell.number, a.error, b.cell.number, b.error,
                     excluded);
}

BoundedValue tenon::interpret::boundChoice(Kind kind,
                                           const BoundedValue &chosen,
                                           const BoundedValue &other) {
  BoundedValue result = chosen;
  if (isFloatKind(kind)) {
    double jump = std::fabs(chosen.cell.number - other.cell.number);
    result.excluded |=
        other.excluded || !(jump <= 4 * (chosen.error + other.error));
    result.error = std::max(chosen.error, jump + other.error);
  } else {
    result.excluded |=
        other.excluded || chosen.cell.integer != other.cell.integer;
  }
  return result;
}

BoundedValue tenon::interpret::boundCast(Kind from, Kind to,
                                         const BoundedValue &value) {
  BoundedValue result = value;
  result.cell = Arithmetic(Domain()).cast(from, to, value.cell);
  if (isFloatKind(to)) {
    if (!isFloatKind(from))
      result.error = 0;
    double number = result.cell.number;
    // A cast to a narrower type rounds, unless the number is exact in that
    // type.
    if (result.error == 0 && isExactIn(to, number))
      return result;
    if (isFloatKind(from) && unitRoundoff(to) <= unitRoundoff(from) &&
        largestOf(to) >= largestOf(from))
      return result;
    return finishNumber(to, number, result.error, value.excluded);
  }
  result.error = 0;
  if (!isFloatKind(from) || value.error == 0)
    return result;
  double number = value.cell.number, error = value.error;
  result.excluded |=
      to == Kind::I1 ? std::fabs(number) <= error
                     : std::trunc(number - error) != std::trunc(number + error);
  return result;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

BoundedReduction::BoundedReduction(ReduceKind reduce, Kind kind)
    : reduce(reduce), kind(kind) {
  total.cell = Arithmetic(Domain()).neutral(reduce, kind);
  low = high = isFloatKind(kind) ? total.cell.number : 0;
}

void BoundedReduction::add(const BoundedValue &value) {
  ++count;
  if (!isFloatKind(kind)) {
    total = boundApply(combiner(reduce, kind), kind, total, value);
    return;
  }
  total.excluded |= value.excluded;
  double number = value.cell.number;
  switch (reduce) {
  case ReduceKind::Sum:
    total.cell.number += number;
    isCoarse &= value.error == 0 && isCoarseIn(kind, number);
    isFinite &= std::isfinite(number);
    magnitudes += std::fabs(number);
    errors += value.error;
    return;
  case ReduceKind::Prod:
    total = count == 1 ? value : boundApply(ScalarFn::Mul, kind, total, value);
    return;
  case ReduceKind::Max:
  case ReduceKind::Min: {
    ScalarFn fn = combiner(reduce, kind);
    total.cell.number = evaluate(fn, total.cell.number, number);
    low = evaluate(fn, low, number - value.error);
    high = evaluate(fn, high, number + value.error);
    return;
  }
  }
}

BoundedValue BoundedReduction::finish() const {
  if (!isFloatKind(kind) || reduce == ReduceKind::Prod)
    return total;
  if (reduce == ReduceKind::Sum) {
    // The order is not known; a single term is not rounded.
    double roundings = count > 1 ? static_cast<double>(count) : 0;
    if (count == 0 || (count == 1 && errors == 0) || !isFinite ||
        (isCoarse && isCoarseIn(kind, magnitudes)))
      return total;
    return finishNumber(kind, total.cell.number, errors, total.excluded,
                        roundings, magnitudes);
  }
  BoundedValue result = total;
  double number = total.cell.number;
  if (std::isfinite(number))
    result.error = std::max(high - number, number - low);
  return result;
}
