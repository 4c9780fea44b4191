//===- FieldArithmetic.cpp - arithmetic modulo 2^61 - 1 -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"

#include <cmath>
#include <cstring>

using namespace tenon::graph;
using namespace tenon::interpret;

uint64_t field::add(uint64_t a, uint64_t b) {
  uint64_t sum = a + b;
  return sum >= prime ? sum - prime : sum;
}

uint64_t field::sub(uint64_t a, uint64_t b) {
  return a >= b ? a - b : a + prime - b;
}

uint64_t field::mul(uint64_t a, uint64_t b) {
  unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  uint64_t sum = static_cast<uint64_t>(product & prime) +
                 static_cast<uint64_t>(product >> 61);
  return sum >= prime ? sum - prime : sum;
}

static uint64_t fieldPow(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base = field::mul(base, base))
    if (exponent & 1)
      result = field::mul(result, base);
  return result;
}

uint64_t field::inverse(uint64_t a) {
  return a == 0 ? nan : fieldPow(a, prime - 2);
}

uint64_t field::ofInteger(int64_t value) {
  int64_t remainder = value % static_cast<int64_t>(prime);
  return remainder < 0 ? remainder + prime : remainder;
}

uint64_t field::ofDouble(double value) {
  if (std::isnan(value))
    return nan;
  if (std::isinf(value))
    return value > 0 ? infinity : minusInfinity;
  int exponent;
  double fraction = std::frexp(value, &exponent);
  int64_t mantissa = static_cast<int64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  uint64_t scale =
      exponent >= 0 ? fieldPow(2, exponent) : inverse(fieldPow(2, -exponent));
  return mul(ofInteger(mantissa), scale);
}

/// The finalizer of SplitMix64.
static uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

uint64_t Arithmetic::opaque(uint64_t tag, uint64_t a, uint64_t b) const {
  uint64_t hash = mix(mix(mix(mix(domain.seed) ^ tag) ^ a) ^ b);
  return hash % field::prime;
}

uint64_t Arithmetic::order(uint64_t value) const {
  if (value == field::infinity)
    return UINT64_MAX;
  if (value == field::minusInfinity)
    return 0;
  return 1 + (mix(mix(domain.seed ^ 0x0DDE5u) ^ value) >> 1);
}

Cell Arithmetic::applyField(ScalarFn fn, Cell left, Cell right) const {
  uint64_t a = left.residue, b = right.residue;
  Cell result;
  auto isFinite = [](uint64_t value) { return value < field::prime; };
  bool unary = arity(fn) == 1;
  switch (fn) {
  case ScalarFn::Max:
  case ScalarFn::Min: {
    if (a == field::nan || b == field::nan) {
      result.residue = field::nan;
      return result;
    }
    bool less = order(a) < order(b);
    result.residue = (fn == ScalarFn::Max) == less ? b : a;
    return result;
  }
  case ScalarFn::Equal:
    result.integer = a == b && a != field::nan;
    return result;
  case ScalarFn::Less:
    result.integer = a != field::nan && b != field::nan && order(a) < order(b);
    return result;
  case ScalarFn::LessEqual:
    result.integer =
        a != field::nan && b != field::nan && (a == b || order(a) < order(b));
    return result;
  case ScalarFn::IsNan:
    result.integer = a == field::nan;
    return result;
  case ScalarFn::IsInf:
    result.integer = a == field::infinity || a == field::minusInfinity;
    return result;
  default:
    break;
  }
  if (a == field::nan || (!unary && b == field::nan)) {
    result.residue = field::nan;
    return result;
  }
  if (isFinite(a) && (unary || isFinite(b))) {
    switch (fn) {
    case ScalarFn::Neg:
      result.residue = field::sub(0, a);
      return result;
    case ScalarFn::Add:
      result.residue = field::add(a, b);
      return result;
    case ScalarFn::Sub:
      result.residue = field::sub(a, b);
      return result;
    case ScalarFn::Mul:
      result.residue = field::mul(a, b);
      return result;
    case ScalarFn::Div: {
      uint64_t inverse = field::inverse(b);
      result.residue = inverse == field::nan ? inverse : field::mul(a, inverse);
      return result;
    }
    case ScalarFn::Pow:
      if (b <= 64) {
        result.residue = fieldPow(a, b);
        return result;
      }
      break;
    default:
      break;
    }
  } else if (fn == ScalarFn::Neg) {
    result.residue =
        a == field::infinity ? field::minusInfinity : field::infinity;
    return result;
  }
  result.residue = opaque(static_cast<uint64_t>(fn), a, unary ? 0 : b);
  return result;
}
