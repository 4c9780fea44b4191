//===- RunIntegers.cpp - functions of integers over lanes -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

using namespace tenon::emulate;

namespace {
// Functions of integers of kind K. Bits beyond the kind's width are cleared
// afterwards.
#define INTEGER_FUNCTION(NAME, EXPRESSION)                                     \
  template <typename K> struct NAME {                                          \
    using Lane = typename K::Lane;                                             \
    using Signed = typename K::Signed;                                         \
    static Lane apply(Lane a, Lane b) { return EXPRESSION; }                   \
  };
INTEGER_FUNCTION(Add, a + b)
INTEGER_FUNCTION(Sub, a - b)
INTEGER_FUNCTION(Mul, a *b)
INTEGER_FUNCTION(And, a &b)
INTEGER_FUNCTION(Or, a | b)
INTEGER_FUNCTION(Xor, a ^ b)
// Shifts by at least the width are undefined: the compiler marks the results.
INTEGER_FUNCTION(ShiftLeft, b < K::bits ? a << b : 0)
INTEGER_FUNCTION(ShiftRight, b < K::bits ? a >> b : 0)
INTEGER_FUNCTION(ShiftRightSigned,
                 static_cast<Lane>(K::sign(a) >>
                                   (b < K::bits ? b : K::bits - 1)))
INTEGER_FUNCTION(TooFar, b >= K::bits)
INTEGER_FUNCTION(MinSigned, K::sign(a) < K::sign(b) ? a : b)
INTEGER_FUNCTION(MaxSigned, K::sign(a) > K::sign(b) ? a : b)
INTEGER_FUNCTION(MinUnsigned, a < b ? a : b)
INTEGER_FUNCTION(MaxUnsigned, a > b ? a : b)
INTEGER_FUNCTION(Abs, K::sign(a) < 0 ? Lane(0) - a : a)
INTEGER_FUNCTION(CountLeadingZeros, llvm::countl_zero(a) - K::spare)
INTEGER_FUNCTION(CountTrailingZeros,
                 a ? static_cast<Lane>(llvm::countr_zero(a)) : K::bits)
INTEGER_FUNCTION(CountOnes, static_cast<Lane>(llvm::popcount(a)))
#undef INTEGER_FUNCTION

/// Returns the high half of a product.
template <typename K, bool isSigned>
static typename K::Lane highBits(typename K::Lane a, typename K::Lane b) {
  using Product = std::conditional_t<isSigned, __int128, unsigned __int128>;
  Product x = isSigned ? Product(K::sign(a)) : Product(a);
  Product y = isSigned ? Product(K::sign(b)) : Product(b);
  return static_cast<typename K::Lane>((x * y) >> K::bits);
}
template <typename K> struct HighUnsigned {
  using Lane = typename K::Lane;
  static Lane apply(Lane a, Lane b) { return highBits<K, false>(a, b); }
};
template <typename K> struct HighSigned {
  using Lane = typename K::Lane;
  static Lane apply(Lane a, Lane b) { return highBits<K, true>(a, b); }
};

/// Computes powers by repeated squaring; a negative exponent gives the
/// truncated reciprocal.
template <typename K> struct Power {
  using Lane = typename K::Lane;
  static Lane apply(Lane a, Lane b) {
    if (K::sign(b) < 0) {
      if (K::sign(a) == 1)
        return 1;
      if (K::sign(a) == -1)
        return b & 1 ? a : 1;
      return 0;
    }
    Lane result = 1;
    for (; b; b >>= 1, a *= a)
      if (b & 1)
        result *= a;
    return result;
  }
};

// The divisor must not be zero, and the quotient must be representable: both
// are checked before.
#define DIVISION(NAME, EXPRESSION)                                             \
  template <typename K> struct NAME {                                          \
    using Lane = typename K::Lane;                                             \
    using Signed = typename K::Signed;                                         \
    static Lane apply(Lane x, Lane y) {                                        \
      [[maybe_unused]] Signed a = K::sign(x), b = K::sign(y);                  \
      return EXPRESSION;                                                       \
    }                                                                          \
  };
DIVISION(DivUnsigned, x / y)
DIVISION(RemUnsigned, x % y)
DIVISION(CeilDivUnsigned, x / y + (x % y != 0))
DIVISION(DivSigned, static_cast<Lane>(a / b))
DIVISION(RemSigned, static_cast<Lane>(a % b))
DIVISION(CeilDivSigned,
         static_cast<Lane>(a / b + (a % b != 0 && (a < 0) == (b < 0))))
DIVISION(FloorDivSigned,
         static_cast<Lane>(a / b - (a % b != 0 && (a < 0) != (b < 0))))
#undef DIVISION
} // namespace

template <typename K, template <typename> typename Fn>
static bool runFunction(Warp &warp, const Instruction &instruction) {
  using Lane = typename K::Lane;
  mapLanes(warp.get<Lane>(instruction.result),
           warp.get<Lane>(instruction.operands[0]),
           warp.get<Lane>(instruction.operands[1]),
           [](Lane a, Lane b) { return K::wrap(Fn<K>::apply(a, b)); });
  return true;
}

template <typename K, template <typename> typename Fn, bool isSigned>
static bool runDivision(Warp &warp, const Instruction &instruction) {
  using Lane = typename K::Lane;
  auto *result = warp.get<Lane>(instruction.result);
  const auto *a = warp.get<Lane>(instruction.operands[0]);
  const auto *b = warp.get<Lane>(instruction.operands[1]);
  constexpr Lane lowest = Lane(1) << (K::bits - 1);
  return forEachLane(warp.active, [&](unsigned lane) {
    if (LLVM_UNLIKELY(b[lane] == 0))
      return warp.execution->fail(warp, instruction, lane,
                                  ErrorKind::Arithmetic, "divides by zero");
    if (isSigned && a[lane] == lowest && K::sign(b[lane]) == -1)
      return warp.execution->fail(warp, instruction, lane,
                                  ErrorKind::Arithmetic,
                                  "divides the lowest integer by -1");
    result[lane] = K::wrap(Fn<K>::apply(a[lane], b[lane]));
    return true;
  });
}

// Results are bits: 32-bit lanes for all kinds of operands.
template <typename K, template <typename> typename Fn>
static bool runTest(Warp &warp, const Instruction &instruction) {
  using Lane = typename K::Lane;
  mapLanes(warp.get<uint32_t>(instruction.result),
           warp.get<Lane>(instruction.operands[0]),
           warp.get<Lane>(instruction.operands[1]), [](Lane a, Lane b) {
             return static_cast<uint32_t>(Fn<K>::apply(a, b));
           });
  return true;
}

namespace {
#define COMPARISON(NAME, EXPRESSION)                                           \
  template <typename K> struct NAME {                                          \
    using Lane = typename K::Lane;                                             \
    static bool apply(Lane a, Lane b) { return EXPRESSION; }                   \
  };
COMPARISON(Equal, a == b)
COMPARISON(NotEqual, a != b)
COMPARISON(SignedLess, K::sign(a) < K::sign(b))
COMPARISON(SignedLessEqual, K::sign(a) <= K::sign(b))
COMPARISON(SignedGreater, K::sign(a) > K::sign(b))
COMPARISON(SignedGreaterEqual, K::sign(a) >= K::sign(b))
COMPARISON(Less, a < b)
COMPARISON(LessEqual, a <= b)
COMPARISON(Greater, a > b)
COMPARISON(GreaterEqual, a >= b)
#undef COMPARISON
} // namespace

Handler tenon::emulate::findIntegerHandler(llvm::StringRef name, Kind kind) {
  if (isFloat(kind))
    return nullptr;
  return visitInteger(kind, [&](auto tag) {
    using K = decltype(tag);
    return llvm::StringSwitch<Handler>(name)
        .Case("addi", runFunction<K, Add>)
        .Case("subi", runFunction<K, Sub>)
        .Case("muli", runFunction<K, Mul>)
        .Case("mulhui", runFunction<K, HighUnsigned>)
        .Case("mulhsi", runFunction<K, HighSigned>)
        .Case("andi", runFunction<K, And>)
        .Case("ori", runFunction<K, Or>)
        .Case("xori", runFunction<K, Xor>)
        .Case("shli", runFunction<K, ShiftLeft>)
        .Case("shrui", runFunction<K, ShiftRight>)
        .Case("shrsi", runFunction<K, ShiftRightSigned>)
        .Case("toofar", runTest<K, TooFar>)
        .Case("minsi", runFunction<K, MinSigned>)
        .Case("maxsi", runFunction<K, MaxSigned>)
        .Case("minui", runFunction<K, MinUnsigned>)
        .Case("maxui", runFunction<K, MaxUnsigned>)
        .Case("absi", runFunction<K, Abs>)
        .Case("ctlz", runFunction<K, CountLeadingZeros>)
        .Case("cttz", runFunction<K, CountTrailingZeros>)
        .Case("ctpop", runFunction<K, CountOnes>)
        .Case("ipowi", runFunction<K, Power>)
        .Case("divui", runDivision<K, DivUnsigned, false>)
        .Case("remui", runDivision<K, RemUnsigned, false>)
        .Case("ceildivui", runDivision<K, CeilDivUnsigned, false>)
        .Case("divsi", runDivision<K, DivSigned, true>)
        .Case("remsi", runDivision<K, RemSigned, true>)
        .Case("ceildivsi", runDivision<K, CeilDivSigned, true>)
        .Case("floordivsi", runDivision<K, FloorDivSigned, true>)
        .Case("eq", runTest<K, Equal>)
        .Case("ne", runTest<K, NotEqual>)
        .Case("slt", runTest<K, SignedLess>)
        .Case("sle", runTest<K, SignedLessEqual>)
        .Case("sgt", runTest<K, SignedGreater>)
        .Case("sge", runTest<K, SignedGreaterEqual>)
        .Case("ult", runTest<K, Less>)
        .Case("ule", runTest<K, LessEqual>)
        .Case("ugt", runTest<K, Greater>)
        .Case("uge", runTest<K, GreaterEqual>)
        .Default(nullptr);
  });
}
