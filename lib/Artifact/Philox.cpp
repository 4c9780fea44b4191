//===- Philox.cpp - counter-based random numbers --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Philox.h"

#include "tenon/Artifact/TensorData.h"

#include <algorithm>
#include <cmath>
#include <cstring>

// Contraction to fused multiply-add would change the last bits.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

namespace tenon::artifact {

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key) {
  for (unsigned round = 0; round < kPhiloxRounds; ++round) {
    uint64_t product0 = uint64_t(kPhiloxFactors[0]) * counter[0];
    uint64_t product1 = uint64_t(kPhiloxFactors[1]) * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += kPhiloxSteps[0];
    key[1] += kPhiloxSteps[1];
  }
  return counter;
}

uint64_t randomBits(uint64_t counter, uint64_t key) {
  std::array<uint32_t, 4> block = philox4x32(
      {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0,
       0},
      {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
  return block[0] | static_cast<uint64_t>(block[1]) << 32;
}

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

uint64_t streamKey(uint64_t seed, std::string_view name) {
  uint64_t hash = 0xCBF29CE484222325ull;
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001B3ull;
  return mix(seed ^ mix(hash));
}

Distribution defaultInputDistribution(DType dtype) {
  return isFloat(dtype) ? Distribution::normal() : Distribution::integers(0, 2);
}

Distribution defaultParameterDistribution(DType dtype,
                                          const std::vector<int64_t> &shape) {
  if (!isFloat(dtype))
    return Distribution::integers(0, 2);
  if (shape.size() < 2)
    return Distribution::uniform(0.5, 1.5);
  double elements = 1;
  for (int64_t size : shape)
    elements *= static_cast<double>(size);
  double outer = static_cast<double>(std::max(shape.front(), shape.back()));
  double fan = elements > 0 ? elements / outer : 1;
  double bound = std::sqrt(6 / fan);
  return Distribution::uniform(-bound, bound);
}

/// Returns the natural logarithm of x in (0, 1], to about 1e-15.
static double portableLog(double x) {
  int exponent;
  double m = std::frexp(x, &exponent); // exact, in [0.5, 1)
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  // log m = 2 atanh(t), |t| < 0.172: 11 terms of the odd series suffice.
  double t = (m - 1) / (m + 1);
  double square = t * t;
  static constexpr double terms[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15,
                                     1.0 / 13, 1.0 / 11, 1.0 / 9,  1.0 / 7,
                                     1.0 / 5,  1.0 / 3,  1.0};
  double sum = 0;
  for (double term : terms)
    sum = sum * square + term;
  return 2 * t * sum + exponent * 0.69314718055994531;
}

/// Computes the cosine and sine of 2 pi u, for u in [0, 1).
static void portableCosSin(double u, double &cosine, double &sine) {
  double quarters = u * 4;
  int quadrant = static_cast<int>(quarters + 0.5); // 0 to 4
  double angle = (quarters - quadrant) * 1.5707963267948966;
  double square = angle * angle;
  // |angle| <= pi / 4: the Taylor series is cut off below 1e-17.
  double s = 0, c = 0;
  static constexpr double sineTerms[] = {
      -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880,
      -1.0 / 5040,          1.0 / 120,        -1.0 / 6,        1.0};
  static constexpr double cosineTerms[] = {1.0 / 20922789888000,
                                           -1.0 / 87178291200,
                                           1.0 / 479001600,
                                           -1.0 / 3628800,
                                           1.0 / 40320,
                                           -1.0 / 720,
                                           1.0 / 24,
                                           -1.0 / 2,
                                           1.0};
  for (double term : sineTerms)
    s = s * square + term;
  for (double term : cosineTerms)
    c = c * square + term;
  s *= angle;
  switch (quadrant & 3) {
  case 0:
    cosine = c, sine = s;
    break;
  case 1:
    cosine = -s, sine = c;
    break;
  case 2:
    cosine = -c, sine = -s;
    break;
  default:
    cosine = s, sine = -c;
    break;
  }
}

namespace {
/// The two elements of counter `pair`.
struct Pair {
  uint64_t bits[2];

  Pair(uint64_t pair, uint64_t key) {
    std::array<uint32_t, 4> block = philox4x32(
        {static_cast<uint32_t>(pair), static_cast<uint32_t>(pair >> 32), 0, 0},
        {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
    bits[0] = block[0] | static_cast<uint64_t>(block[1]) << 32;
    bits[1] = block[2] | static_cast<uint64_t>(block[3]) << 32;
  }

  double unit(int i) const {
    return static_cast<double>(bits[i] >> 11) * 0x1p-53;
  }
};

void storeInteger(void *data, DType dtype, int64_t index, int64_t value) {
  switch (dtype) {
  case DType::I64:
    std::memcpy(static_cast<char *>(data) + index * 8, &value, 8);
    return;
  default:
    writeElement(data, dtype, index, static_cast<double>(value));
  }
}
} // namespace

void fillRandom(void *data, DType dtype, int64_t begin, int64_t end,
                uint64_t key, const Distribution &distribution) {
  for (int64_t pair = begin / 2; pair * 2 < end; ++pair) {
    Pair random(static_cast<uint64_t>(pair), key);
    double values[2];
    int64_t integers[2];
    switch (distribution.kind) {
    case Distribution::Normal: {
      double radius = std::sqrt(-2 * portableLog(1 - random.unit(0)));
      portableCosSin(random.unit(1), values[0], values[1]);
      values[0] *= radius;
      values[1] *= radius;
      break;
    }
    case Distribution::Uniform:
      for (int i = 0; i < 2; ++i) {
        values[i] = distribution.low +
                    (distribution.high - distribution.low) * random.unit(i);
        // Rounding must not give the excluded upper bound.
        if (dtype == DType::F32 &&
            static_cast<float>(values[i]) >= distribution.high &&
            distribution.high > distribution.low)
          values[i] = std::nextafter(static_cast<float>(distribution.high),
                                     static_cast<float>(distribution.low));
      }
      break;
    case Distribution::Int: {
      uint64_t range = static_cast<uint64_t>(distribution.end) -
                       static_cast<uint64_t>(distribution.first);
      for (int i = 0; i < 2; ++i)
        integers[i] = static_cast<int64_t>(
            static_cast<uint64_t>(distribution.first) +
            static_cast<uint64_t>(
                static_cast<unsigned __int128>(random.bits[i]) * range >> 64));
      break;
    }
    }
    for (int i = 0; i < 2; ++i) {
      int64_t element = pair * 2 + i;
      if (element < begin || element >= end)
        continue;
      if (distribution.kind == Distribution::Int)
        storeInteger(data, dtype, element - begin, integers[i]);
      else
        writeElement(data, dtype, element - begin, values[i]);
    }
  }
}

} // namespace tenon::artifact
