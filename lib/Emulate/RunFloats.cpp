//===- RunFloats.cpp - floating-point functions over lanes ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tenon::emulate;

// Every operation must be rounded separately.
#pragma clang fp contract(off)

namespace {
#define FLOAT_FUNCTION(NAME, EXPRESSION)                                       \
  struct NAME {                                                                \
    template <typename T> static T apply(T a, T b) { return EXPRESSION; }      \
  };
FLOAT_FUNCTION(Add, a + b)
FLOAT_FUNCTION(Sub, a - b)
FLOAT_FUNCTION(Mul, a *b)
FLOAT_FUNCTION(Div, a / b)
FLOAT_FUNCTION(Rem, std::fmod(a, b))
FLOAT_FUNCTION(Neg, -a)
FLOAT_FUNCTION(Abs, std::fabs(a))
FLOAT_FUNCTION(CopySign, std::copysign(a, b))
// NaN propagates, and +0 is larger than -0.
FLOAT_FUNCTION(Maximum, a != a || b != b ? a + b
                        : a == b         ? (std::signbit(a) ? b : a)
                        : a > b          ? a
                                         : b)
FLOAT_FUNCTION(Minimum, a != a || b != b ? a + b
                        : a == b         ? (std::signbit(a) ? a : b)
                        : a < b          ? a
                                         : b)
// NaN is ignored if the other operand is a number.
FLOAT_FUNCTION(MaxNumber, a != a ? b : b != b ? a : a > b ? a : b)
FLOAT_FUNCTION(MinNumber, a != a ? b : b != b ? a : a < b ? a : b)
FLOAT_FUNCTION(Sqrt, std::sqrt(a))
FLOAT_FUNCTION(Floor, std::floor(a))
FLOAT_FUNCTION(Ceil, std::ceil(a))
FLOAT_FUNCTION(Trunc, std::trunc(a))
FLOAT_FUNCTION(Round, std::round(a))
FLOAT_FUNCTION(RoundEven, std::nearbyint(a))
#undef FLOAT_FUNCTION
} // namespace

// For these functions, rounding the result to float and then to the kind is
// equal to a single rounding.
template <typename K, typename Fn>
static bool runFunction(Warp &warp, const Instruction &instruction) {
  using T = typename K::Lane;
  mapLanes(warp.get<T>(instruction.result),
           warp.get<T>(instruction.operands[0]),
           warp.get<T>(instruction.operands[1]),
           [](T a, T b) { return K::round(Fn::template apply<T>(a, b)); });
  return true;
}

template <typename K>
static bool runFma(Warp &warp, const Instruction &instruction) {
  using T = typename K::Lane;
  auto *__restrict result = warp.get<T>(instruction.result);
  const auto *__restrict a = warp.get<T>(instruction.operands[0]);
  const auto *__restrict b = warp.get<T>(instruction.operands[1]);
  const auto *__restrict c = warp.get<T>(instruction.operands[2]);
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if constexpr (std::is_same_v<T, double>) {
      result[lane] = std::fma(a[lane], b[lane], c[lane]);
    } else {
      // The product of two floats is exact in double. An inexact sum is made
      // odd according to its error, so that it can be rounded once more.
      double product = double(a[lane]) * double(b[lane]), addend = c[lane];
      double sum = product + addend;
      double part = sum - product;
      double error = (product - (sum - part)) + (addend - part);
      uint64_t bits;
      std::memcpy(&bits, &sum, sizeof(bits));
      bool adjust = error == error && error != 0 && !(bits & 1) && sum != 0;
      bits += adjust ? ((error > 0) == (sum > 0) ? 1 : -1) : 0;
      std::memcpy(&sum, &bits, sizeof(bits));
      result[lane] = K::round(sum);
    }
  }
  return true;
}

namespace {
#define COMPARISON(NAME, EXPRESSION)                                           \
  struct NAME {                                                                \
    template <typename T> static bool apply(T a, T b) { return EXPRESSION; }   \
  };
COMPARISON(OrderedEqual, a == b)
COMPARISON(OrderedGreater, a > b)
COMPARISON(OrderedGreaterEqual, a >= b)
COMPARISON(OrderedLess, a < b)
COMPARISON(OrderedLessEqual, a <= b)
COMPARISON(OrderedNotEqual, a<b || a> b)
COMPARISON(Ordered, a == a && b == b)
COMPARISON(UnorderedEqual, !(a < b || a > b))
COMPARISON(UnorderedGreater, !(a <= b))
COMPARISON(UnorderedGreaterEqual, !(a < b))
COMPARISON(UnorderedLess, !(a >= b))
COMPARISON(UnorderedLessEqual, !(a > b))
COMPARISON(UnorderedNotEqual, a != b)
COMPARISON(Unordered, a != a || b != b)
COMPARISON(True, true)
COMPARISON(False, false)
COMPARISON(IsNan, a != a)
COMPARISON(IsInfinite, std::isinf(a))
COMPARISON(IsFinite, std::isfinite(a))
#undef COMPARISON
} // namespace

template <typename K, typename Fn>
static bool runTest(Warp &warp, const Instruction &instruction) {
  using T = typename K::Lane;
  mapLanes(warp.get<uint32_t>(instruction.result),
           warp.get<T>(instruction.operands[0]),
           warp.get<T>(instruction.operands[1]), [](T a, T b) {
             return static_cast<uint32_t>(Fn::template apply<T>(a, b));
           });
  return true;
}

Handler tenon::emulate::findFloatHandler(llvm::StringRef name, Kind kind) {
  if (!isFloat(kind))
    return nullptr;
  return visitFloat(kind, [&](auto tag) {
    using K = decltype(tag);
    return llvm::StringSwitch<Handler>(name)
        .Case("addf", runFunction<K, Add>)
        .Case("subf", runFunction<K, Sub>)
        .Case("mulf", runFunction<K, Mul>)
        .Case("divf", runFunction<K, Div>)
        .Case("remf", runFunction<K, Rem>)
        .Case("negf", runFunction<K, Neg>)
        .Case("absf", runFunction<K, Abs>)
        .Case("copysign", runFunction<K, CopySign>)
        .Case("maximumf", runFunction<K, Maximum>)
        .Case("minimumf", runFunction<K, Minimum>)
        .Case("maxnumf", runFunction<K, MaxNumber>)
        .Case("minnumf", runFunction<K, MinNumber>)
        .Case("sqrt", runFunction<K, Sqrt>)
        .Case("floor", runFunction<K, Floor>)
        .Case("ceil", runFunction<K, Ceil>)
        .Case("trunc", runFunction<K, Trunc>)
        .Case("round", runFunction<K, Round>)
        .Case("roundeven", runFunction<K, RoundEven>)
        .Case("fma", runFma<K>)
        .Case("false", runTest<K, False>)
        .Case("oeq", runTest<K, OrderedEqual>)
        .Case("ogt", runTest<K, OrderedGreater>)
        .Case("oge", runTest<K, OrderedGreaterEqual>)
        .Case("olt", runTest<K, OrderedLess>)
        .Case("ole", runTest<K, OrderedLessEqual>)
        .Case("one", runTest<K, OrderedNotEqual>)
        .Case("ord", runTest<K, Ordered>)
        .Case("ueq", runTest<K, UnorderedEqual>)
        .Case("ugt", runTest<K, UnorderedGreater>)
        .Case("uge", runTest<K, UnorderedGreaterEqual>)
        .Case("ult", runTest<K, UnorderedLess>)
        .Case("ule", runTest<K, UnorderedLessEqual>)
        .Case("une", runTest<K, UnorderedNotEqual>)
        .Case("uno", runTest<K, Unordered>)
        .Case("true", runTest<K, True>)
        .Case("isnan", runTest<K, IsNan>)
        .Case("isinf", runTest<K, IsInfinite>)
        .Case("isfinite", runTest<K, IsFinite>)
        .Default(nullptr);
  });
}
