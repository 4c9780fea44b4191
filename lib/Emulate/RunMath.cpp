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
#include "tenon/Dialect/Graph/IR/ScalarValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tenon::emulate;
namespace arith = mlir::arith;
namespace math = mlir::math;
namespace scalar = tenon::graph::scalar;

namespace {
#define MATH_FUNCTION(NAME, EXPRESSION)                                        \
  struct NAME {                                                                \
    template <typename T> static T apply(T a, T b) { return EXPRESSION; }      \
  };
MATH_FUNCTION(Exp2, std::exp2(a))
MATH_FUNCTION(ExpM1, std::expm1(a))
MATH_FUNCTION(Log2, std::log2(a))
MATH_FUNCTION(Log10, std::log10(a))
MATH_FUNCTION(Log1P, std::log1p(a))
MATH_FUNCTION(ReciprocalSqrt, T(1) / std::sqrt(a))
MATH_FUNCTION(CubeRoot, std::cbrt(a))
MATH_FUNCTION(Atan2, std::atan2(a, b))
MATH_FUNCTION(Erfc, std::erfc(a))
#undef MATH_FUNCTION

// The functions of graphs.
namespace graphs {
#define SCALAR_FN(NAME, TEXT, ARITY, TYPES, RESULT, COST, ULPS, PARITY, TREND, \
                  DOMAIN, RANGE, OP, DEVICE, VALUE, ...)                       \
  struct NAME {                                                                \
    template <typename T> static T apply(T x, [[maybe_unused]] T y) {          \
      return VALUE;                                                            \
    }                                                                          \
  };
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
} // namespace graphs

/// Stands for no operation.
struct None {};
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

/// The handler of `Op`, if that is the operation of math with this name.
template <typename Op, typename K, typename Fn>
static Handler findHandler(llvm::StringRef name) {
  if constexpr (!std::is_same_v<Op, None>)
    if (llvm::StringRef full = Op::getOperationName();
        full.consume_front("math.") && full == name)
      return runFunction<K, Fn>;
  return nullptr;
}

Handler tenon::emulate::findMathHandler(llvm::StringRef name, Kind kind) {
  if (!isFloat(kind))
    return nullptr;
  return visitFloat(kind, [&](auto tag) {
    using K = decltype(tag);
#define SCALAR_FN(NAME, TEXT, ARITY, TYPES, RESULT, COST, ULPS, PARITY, TREND, \
                  DOMAIN, RANGE, OP, ...)                                      \
  if (Handler handler = findHandler<OP, K, graphs::NAME>(name))                \
    return handler;
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
    return llvm::StringSwitch<Handler>(name)
        .Case("exp2", runFunction<K, Exp2>)
        .Case("expm1", runFunction<K, ExpM1>)
        .Case("log2", runFunction<K, Log2>)
        .Case("log10", runFunction<K, Log10>)
        .Case("log1p", runFunction<K, Log1P>)
        .Case("rsqrt", runFunction<K, ReciprocalSqrt>)
        .Case("cbrt", runFunction<K, CubeRoot>)
        .Case("atan2", runFunction<K, Atan2>)
        .Case("erfc", runFunction<K, Erfc>)
        .Default(nullptr);
  });
}
