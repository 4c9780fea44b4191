//===- DType.cpp - element types ------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/DType.h"

#include <cmath>
#include <cstring>

namespace tenon::artifact {

namespace {
struct DTypeInfo {
  const char *name;
  uint8_t size;
  uint8_t code;
};
} // namespace

// In the order of DType.
static constexpr DTypeInfo infos[] = {
    {"f64", 8, TENON_DL_FLOAT}, {"f32", 4, TENON_DL_FLOAT},
    {"f16", 2, TENON_DL_FLOAT}, {"bf16", 2, TENON_DL_BFLOAT},
    {"i64", 8, TENON_DL_INT},   {"i32", 4, TENON_DL_INT},
    {"i8", 1, TENON_DL_INT},    {"u8", 1, TENON_DL_UINT},
    {"bool", 1, TENON_DL_BOOL},
};

static const DTypeInfo &info(DType dtype) {
  return infos[static_cast<size_t>(dtype)];
}

const char *dtypeName(DType dtype) { return info(dtype).name; }
size_t dtypeSize(DType dtype) { return info(dtype).size; }

bool isFloat(DType dtype) {
  return info(dtype).code == TENON_DL_FLOAT ||
         info(dtype).code == TENON_DL_BFLOAT;
}

std::optional<DType> parseDType(std::string_view name) {
  if (name == "i1")
    return DType::Bool;
  for (size_t i = 0; i < std::size(infos); ++i)
    if (name == infos[i].name)
      return static_cast<DType>(i);
  return std::nullopt;
}

tenon_dtype toDLDType(DType dtype) {
  return {info(dtype).code, static_cast<uint8_t>(info(dtype).size * 8), 1};
}

std::optional<DType> fromDLDType(tenon_dtype dtype) {
  if (dtype.lanes != 1)
    return std::nullopt;
  for (size_t i = 0; i < std::size(infos); ++i)
    if (infos[i].code == dtype.code && infos[i].size * 8 == dtype.bits)
      return static_cast<DType>(i);
  return std::nullopt;
}

float bfloatToFloat(uint16_t bits) {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

float halfToFloat(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 0x1f;
  uint32_t mantissa = bits & 0x3ff;
  if (exponent == 0) {
    float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return sign ? -magnitude : magnitude;
  }
  uint32_t wide = sign | (mantissa << 13);
  wide |= exponent == 31 ? 0x7f800000u : (exponent + 112) << 23;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

/// Rounds to a float with `exponentBits` and `mantissaBits` (without the hidden
/// bit), ties to even.
static uint16_t roundTo(double value, int exponentBits, int mantissaBits) {
  uint64_t wide;
  std::memcpy(&wide, &value, sizeof wide);
  uint16_t sign = static_cast<uint16_t>((wide >> 63) << 15);
  uint16_t infinity =
      static_cast<uint16_t>(((1u << exponentBits) - 1) << mantissaBits);
  if (std::isnan(value))
    return sign | infinity | static_cast<uint16_t>(1u << (mantissaBits - 1));
  if (std::isinf(value))
    return sign | infinity;
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = static_cast<int>((wide >> 52) & 0x7ff) - 1023;
  if (exponent < -200) // also covers zero and the subnormals of double
    return sign;
  if (exponent > bias)
    return sign | infinity;
  uint64_t mantissa = (wide & ((1ull << 52) - 1)) | (1ull << 52);
  // More bits are lost below the smallest normal exponent.
  int lost = 52 - mantissaBits;
  int field = exponent + bias;
  if (field <= 0) {
    lost += 1 - field;
    field = 0;
  }
  if (lost > 53)
    return sign;
  uint64_t kept = mantissa >> lost;
  uint64_t rest = mantissa & ((1ull << lost) - 1);
  uint64_t half = 1ull << (lost - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // Both the hidden bit of a normal number and a carry out of the mantissa add
  // one to the exponent, so a sum is correct for both.
  uint64_t result =
      field == 0 ? kept
                 : (static_cast<uint64_t>(field - 1) << mantissaBits) + kept;
  return sign | static_cast<uint16_t>(result);
}

uint16_t toHalf(double value) { return roundTo(value, 5, 10); }
uint16_t toBfloat(double value) { return roundTo(value, 8, 7); }

} // namespace tenon::artifact
