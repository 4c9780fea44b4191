//===- RunMath.cpp - transcendental functions over lanes ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// F16 and BF16 are computed as floats and rounded, as on a GPU.
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tenon::emulate;

namespace {
#define MATH_FUNCTION(NAME, EXPRESSION)                                        \
  struct NAME {                                                                \
    template <typename T> static T apply(T a, T b) { return EXPRESSION; }      \
  };
MATH_FUNCTION(Exp, std::exp(a))
MATH_FUNCTION(Exp2, std::exp2(a))
MATH_FUNCTION(ExpM1, std::expm1(a))
MATH_FUNCTION(Log, std::log(a))
MATH_FUNCTION(Log2, std::log2(a))
MATH_FUNCTION(Log10, std::log10(a))
MATH_FUNCTION(Log1P, std::log1p(a))
MATH_FUNCTION(ReciprocalSqrt, T(1) / std::sqrt(a))
MATH_FUNCTION(CubeRoot, std::cbrt(a))
MATH_FUNCTION(Sin, std::sin(a))
MATH_FUNCTION(Cos, std::cos(a))
MATH_FUNCTION(Tan, std::tan(a))
MATH_FUNCTION(Asin, std::asin(a))
MATH_FUNCTION(Acos, std::acos(a))
MATH_FUNCTION(Atan, std::atan(a))
MATH_FUNCTION(Atan2, std::atan2(a, b))
MATH_FUNCTION(Sinh, std::sinh(a))
MATH_FUNCTION(Cosh, std::cosh(a))
MATH_FUNCTION(Tanh, std::tanh(a))
MATH_FUNCTION(Asinh, std::asinh(a))
MATH_FUNCTION(Acosh, std::acosh(a))
MATH_FUNCTION(Atanh, std::atanh(a))
MATH_FUNCTION(Erf, std::erf(a))
MATH_FUNCTION(Erfc, std::erfc(a))
MATH_FUNCTION(Power, std::pow(a, b))
#undef MATH_FUNCTION
} // namespace

// Only active lanes are computed, because these functions are slow for
// arbitrary bits, such as NaN.
template <typename K, typename Fn>
static bool runFunction(Warp &warp, const Instruction &instruction) {
  using T = typename K::Lane;
  auto *result = warp.get<T>(instruction.result);
  const auto *a = warp.get<T>(instruction.operands[0]);
  const auto *b = warp.get<T>(instruction.operands[1]);
  return forEachLane(warp.active, [&](unsigned lane) {
    result[lane] = K::round(Fn::template apply<T>(a[lane], b[lane]));
    return true;
  });
}

Handler tenon::emulate::findMathHandler(llvm::StringRef name, Kind kind) {
  if (!isFloat(kind))
    return nullptr;
  return visitFloat(kind, [&](auto tag) {
    using K = decltype(tag);
    return llvm::StringSwitch<Handler>(name)
        .Case("exp", runFunction<K, Exp>)
        .Case("exp2", runFunction<K, Exp2>)
        .Case("expm1", runFunction<K, ExpM1>)
        .Case("log", runFunction<K, Log>)
        .Case("log2", runFunction<K, Log2>)
        .Case("log10", runFunction<K, Log10>)
        .Case("log1p", runFunction<K, Log1P>)
        .Case("rsqrt", runFunction<K, ReciprocalSqrt>)
        .Case("cbrt", runFunction<K, CubeRoot>)
        .Case("sin", runFunction<K, Sin>)
        .Case("cos", runFunction<K, Cos>)
        .Case("tan", runFunction<K, Tan>)
        .Case("asin", runFunction<K, Asin>)
        .Case("acos", runFunction<K, Acos>)
        .Case("atan", runFunction<K, Atan>)
        .Case("atan2", runFunction<K, Atan2>)
        .Case("sinh", runFunction<K, Sinh>)
        .Case("cosh", runFunction<K, Cosh>)
        .Case("tanh", runFunction<K, Tanh>)
        .Case("asinh", runFunction<K, Asinh>)
        .Case("acosh", runFunction<K, Acosh>)
        .Case("atanh", runFunction<K, Atanh>)
        .Case("erf", runFunction<K, Erf>)
        .Case("erfc", runFunction<K, Erfc>)
        .Case("powf", runFunction<K, Power>)
        .Default(nullptr);
  });
}
