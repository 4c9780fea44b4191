//===- Philox.h - counter-based random numbers ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers that are bitwise identical in every tool and on every machine:
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011), with transformations that use only IEEE double operations and no
// functions of the C library, whose last bits differ.
//
// Stream of a tensor. The 64-bit key is mix(seed ^ mix(fnv1a(name))), where
// fnv1a is the 64-bit FNV-1a hash and mix the finalizer of splitmix64. The
// counter's low 64 bits count pairs of elements, its high 64 bits are zero: the
// block of counter j gives elements 2j and 2j + 1, 64 bits each, low word
// first. With r the 64 bits of an element:
//
//   uniform(a, b)  a + (b - a) * u, with u = (r >> 11) * 2^-53 in [0, 1)
//   int(a, b)      a + the high 64 bits of the product r * (b - a): in [a, b)
//   normal         Box-Muller on the pair's (r0, r1): radius from
//                  1 - (r0 >> 11) * 2^-53, angle 2 pi (r1 >> 11) * 2^-53;
//                  the first element has the cosine, the second the sine
//
// Values are computed in double (int64 for int) and converted to the element
// type by TensorData's rules.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_PHILOX_H
#define TENON_ARTIFACT_PHILOX_H

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/Status.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tenon::artifact {

constexpr unsigned kPhiloxRounds = 10;
/// The factors of counter words 0 and 2, and what is added to the key in each
/// round.
constexpr uint32_t kPhiloxFactors[] = {0xD2511F53, 0xCD9E8D57};
constexpr uint32_t kPhiloxSteps[] = {0x9E3779B9, 0xBB67AE85};

/// One block of Philox4x32-10.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

/// The low 64 bits of the block of a counter below 2^64: `graph.random_bits`.
uint64_t randomBits(uint64_t counter, uint64_t key);

/// The key of the stream of `name` under `seed`.
uint64_t streamKey(uint64_t seed, std::string_view name);

struct Distribution {
  enum Kind { Normal, Uniform, Int } kind = Normal;
  double low = 0; // Uniform
  double high = 1;
  int64_t first = 0; // Int: first <= x < end
  int64_t end = 2;

  static Distribution normal() { return {}; }
  static Distribution uniform(double low, double high) {
    return {Uniform, low, high, 0, 2};
  }
  static Distribution integers(int64_t first, int64_t end) {
    return {Int, 0, 1, first, end};
  }
};

/// The distribution of an input for which only a seed is given: floats are
/// normal; integers and bool are int(0,2) (0 or 1 is valid as a token, mask or
/// index).
Distribution defaultInputDistribution(DType dtype);

/// The distribution of a parameter, chosen so that values of deep models
/// neither vanish nor overflow: floats of rank >= 2 uniform(-a, a) with a =
/// sqrt(6 / fan), where fan is the number of elements divided by the larger of
/// the first and last size; floats of lower rank (scales, variances, biases)
/// uniform(0.5, 1.5); integers and bool int(0,2).
Distribution defaultParameterDistribution(DType dtype,
                                          const std::vector<int64_t> &shape);

/// Writes the elements [begin, end) of the stream to `data`, which points to
/// element `begin`. Any split of a tensor into ranges gives the same values.
void fillRandom(void *data, DType dtype, int64_t begin, int64_t end,
                uint64_t key, const Distribution &distribution);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_PHILOX_H
