//===- Lanes.h - loops over the lanes of a warp ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines the C++ types of the kinds of registers, and rounding to the 16-bit
// kinds. The loops run over all lanes, including inactive ones: elements that
// are not read may have any value, and loops without branches vectorize.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMULATE_LANES_H
#define TENON_LIB_EMULATE_LANES_H

#include "Execution.h"

#include <cmath>
#include <cstring>

namespace tenon::emulate {

inline uint32_t bitsOf(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}
inline float floatOf(uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

/// Rounds to the nearest F16, which has 11 significant bits, with ties to even.
inline float roundToHalf(float number) {
  uint32_t bits = bitsOf(number);
  uint32_t sign = bits & 0x80000000u, magnitude = bits & 0x7fffffffu;
  // Below the smallest normal number, steps have the size of those of a float
  // at 0.5.
  uint32_t small = bitsOf((floatOf(magnitude) + 0.5f) - 0.5f);
  uint32_t normal =
      (magnitude + 0xfffu + ((magnitude >> 13) & 1u)) & 0xffffe000u;
  normal = normal >= 0x47800000u ? 0x7f800000u : normal;
  uint32_t rounded = magnitude < 0x38800000u ? small : normal;
  rounded = magnitude > 0x7f800000u ? 0x7fc00000u : rounded;
  return floatOf(sign | rounded);
}

/// Rounds to the nearest number of 8 significant bits, with ties to even.
inline float roundToBrain(float number) {
  uint32_t bits = bitsOf(number);
  uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
  rounded = (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : rounded;
  return floatOf(rounded);
}

/// Rounds to a float such that rounding the result to fewer bits equals
/// rounding `number` to them directly: inexact results become odd.
inline float roundToOdd(double number) {
  float near = static_cast<float>(number);
  if (static_cast<double>(near) == number || number != number ||
      (bitsOf(near) & 1u) || std::isinf(near))
    return near;
  bool isAbove = std::fabs(static_cast<double>(near)) > std::fabs(number);
  return floatOf(bitsOf(near) + (isAbove ? -1u : 1u));
}

/// Converts a number that F16 can represent to its F16 bits, and back.
inline uint16_t halfBits(float number) {
  uint32_t bits = bitsOf(number);
  uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return sign | 0x7e00u;
  if (magnitude == 0x7f800000u)
    return sign | 0x7c00u;
  if (magnitude < 0x38800000u)
    return sign | static_cast<uint32_t>(floatOf(magnitude) * 16777216.0f);
  return sign | ((magnitude - 0x38000000u) >> 13);
}
inline float halfOf(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u)
    return floatOf(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude < 0x400u)
    return floatOf(
        sign | bitsOf(static_cast<float>(magnitude) * (1.0f / 16777216.0f)));
  return floatOf(sign | ((magnitude << 13) + 0x38000000u));
}

/// Integers of `Bits` bits. `Lane` is the type of a register's lane.
template <unsigned Bits> struct IntegerKind {
  using Lane = std::conditional_t<(Bits > 32), uint64_t, uint32_t>;
  using Signed = std::make_signed_t<Lane>;
  static constexpr unsigned bits = Bits;
  static constexpr unsigned spare = sizeof(Lane) * 8 - Bits;
  static constexpr bool isFloat = false;
  static Lane wrap(Lane value) {
    return static_cast<Lane>(value << spare) >> spare;
  }
  static Signed sign(Lane value) {
    return static_cast<Signed>(value << spare) >> spare;
  }
};

struct HalfKind {
  using Lane = float;
  static constexpr bool isFloat = true;
  static float round(float number) { return roundToHalf(number); }
  static float round(double number) { return roundToHalf(roundToOdd(number)); }
};
struct BrainKind {
  using Lane = float;
  static constexpr bool isFloat = true;
  static float round(float number) { return roundToBrain(number); }
  static float round(double number) { return roundToBrain(roundToOdd(number)); }
};
struct SingleKind {
  using Lane = float;
  static constexpr bool isFloat = true;
  static float round(float number) { return number; }
  static float round(double number) { return static_cast<float>(number); }
};
struct DoubleKind {
  using Lane = double;
  static constexpr bool isFloat = true;
  static double round(double number) { return number; }
};

/// Calls `fn` with a value of the struct for a kind: for integer kinds,
/// floating-point kinds, or all kinds.
template <typename Fn> auto visitInteger(Kind kind, Fn fn) {
  switch (kind) {
  case Kind::Bit:
    return fn(IntegerKind<1>());
  case Kind::I8:
    return fn(IntegerKind<8>());
  case Kind::I16:
    return fn(IntegerKind<16>());
  case Kind::I32:
    return fn(IntegerKind<32>());
  default:
    return fn(IntegerKind<64>());
  }
}
template <typename Fn> auto visitFloat(Kind kind, Fn fn) {
  switch (kind) {
  case Kind::F16:
    return fn(HalfKind());
  case Kind::BF16:
    return fn(BrainKind());
  case Kind::F32:
    return fn(SingleKind());
  default:
    return fn(DoubleKind());
  }
}

/// Loops that apply `fn` to all lanes.
template <typename R, typename A, typename Fn>
inline void mapLanes(R *__restrict result, const A *__restrict a, Fn fn) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = fn(a[lane]);
}
template <typename R, typename A, typename B, typename Fn>
inline void mapLanes(R *__restrict result, const A *__restrict a,
                     const B *__restrict b, Fn fn) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = fn(a[lane], b[lane]);
}

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_LANES_H
