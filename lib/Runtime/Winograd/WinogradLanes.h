//===- WinogradLanes.h - one-dimensional transforms in registers ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The building blocks of the transforms of Winograd.h. All of them are inlined
// into functions that are compiled for several instruction sets.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_WINOGRAD_WINOGRADLANES_H
#define TENON_LIB_RUNTIME_WINOGRAD_WINOGRADLANES_H

#include <cstdint>
#include <cstring>

// If they were not inlined, they would be compiled for the smallest instruction
// set.
#define TENON_INLINE static inline __attribute__((always_inline))

// Defines the function `name` by inlining `nameOf`: for AVX-512, for AVX2, and
// optimized for size for every other processor that artifacts may run on.
#if defined(__x86_64__)
#define TENON_VERSIONS(type, name, parameters, arguments)                      \
  __attribute__((target("avx512f"))) static type name##Avx512 parameters {     \
    return name##Of arguments;                                                 \
  }                                                                            \
  __attribute__((target("avx2,fma"))) static type name##Avx2 parameters {      \
    return name##Of arguments;                                                 \
  }                                                                            \
  __attribute__((minsize)) static type name##Any parameters {                  \
    return name##Of arguments;                                                 \
  }                                                                            \
  type name parameters {                                                       \
    static const auto version =                                                \
        __builtin_cpu_supports("avx512f") ? name##Avx512                       \
        : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")      \
            ? name##Avx2                                                       \
            : name##Any;                                                       \
    return version arguments;                                                  \
  }
#else
#define TENON_VERSIONS(type, name, parameters, arguments)                      \
  type name parameters { return name##Of arguments; }
#endif

namespace tenon::runtime {

inline constexpr int64_t laneCount = 16;
using Lanes = float __attribute__((vector_size(laneCount * sizeof(float))));

TENON_INLINE void load(Lanes &lanes, const float *from) {
  std::memcpy(&lanes, from, sizeof(Lanes));
}

TENON_INLINE void store(const Lanes &lanes, float *to) {
  std::memcpy(to, &lanes, sizeof(Lanes));
}

/// Returns where the lanes at `index` begin, which may be before it: the last
/// lanes of an extent, which has at least `laneCount` elements, overlap the
/// previous ones and recompute their results.
TENON_INLINE int64_t fitLanes(int64_t index, int64_t extent) {
  return index + laneCount <= extent ? index : extent - laneCount;
}

/// B^T for n points: 0, 1, -1 and infinity; for n = 6 also 2 and -2.
template <int n> struct Points;

template <> struct Points<4> {
  TENON_INLINE void transform(Lanes *x, int step) {
    Lanes a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
    x[0] = a - c;
    x[step] = b + c;
    x[2 * step] = c - b;
    x[3 * step] = b - d;
  }
};

template <> struct Points<6> {
  TENON_INLINE void transform(Lanes *x, int step) {
    Lanes a = x[0], b = x[step], c = x[2 * step];
    Lanes d = x[3 * step], e = x[4 * step], f = x[5 * step];
    Lanes odd = d - 4.f * b, even = e - 4.f * c;
    Lanes odd2 = 2.f * (d - b), even2 = e - c;
    x[0] = 4.f * a - 5.f * c + e;
    x[step] = even + odd;
    x[2 * step] = even - odd;
    x[3 * step] = even2 + odd2;
    x[4 * step] = even2 - odd2;
    x[5 * step] = 4.f * b - 5.f * d + f;
  }
};

/// A^T and G of F(m, r), which has m + r - 1 points.
template <int m, int r> struct Filter;

template <> struct Filter<2, 3> {
  static constexpr double weights[4][3] = {
      {1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};

  TENON_INLINE void transform(const Lanes *x, int step, Lanes *y, int toStep) {
    Lanes a = x[0], b = x[step], c = x[2 * step], d = x[3 * step];
    y[0] = a + b + c;
    y[toStep] = b - c - d;
  }
};

template <> struct Filter<4, 3> {
  static constexpr double weights[6][3] = {{1. / 4, 0, 0},
                                           {-1. / 6, -1. / 6, -1. / 6},
                                           {-1. / 6, 1. / 6, -1. / 6},
                                           {1. / 24, 1. / 12, 1. / 6},
                                           {1. / 24, -1. / 12, 1. / 6},
                                           {0, 0, 1}};

  TENON_INLINE void transform(const Lanes *x, int step, Lanes *y, int toStep) {
    Lanes sum = x[step] + x[2 * step], difference = x[step] - x[2 * step];
    Lanes sum2 = x[3 * step] + x[4 * step];
    Lanes difference2 = x[3 * step] - x[4 * step];
    y[0] = x[0] + sum + sum2;
    y[toStep] = difference + 2.f * difference2;
    y[2 * toStep] = sum + 4.f * sum2;
    y[3 * toStep] = difference + 8.f * difference2 + x[5 * step];
  }
};

template <> struct Filter<2, 5> {
  static constexpr double weights[6][5] = {
      {1. / 4, 0, 0, 0, 0},
      {-1. / 6, -1. / 6, -1. / 6, -1. / 6, -1. / 6},
      {-1. / 6, 1. / 6, -1. / 6, 1. / 6, -1. / 6},
      {1. / 24, 1. / 12, 1. / 6, 1. / 3, 2. / 3},
      {1. / 24, -1. / 12, 1. / 6, -1. / 3, 2. / 3},
      {0, 0, 0, 0, 1}};

  TENON_INLINE void transform(const Lanes *x, int step, Lanes *y, int toStep) {
    y[0] = x[0] + (x[step] + x[2 * step]) + (x[3 * step] + x[4 * step]);
    y[toStep] = (x[step] - x[2 * step]) + 2.f * (x[3 * step] - x[4 * step]) +
                x[5 * step];
  }
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_WINOGRAD_WINOGRADLANES_H
