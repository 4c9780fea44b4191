//===- WinogradWeights.cpp - transformed weights --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"
#include "WinogradLanes.h"

namespace tenon::runtime {

using DoubleLanes =
    double __attribute__((vector_size(laneCount * sizeof(double))));

/// Transforms the weights of one channel and `laneCount` filters, of which
/// those from `count` on are zeros.
template <int m, int r>
TENON_INLINE void transformWeightLanes(const float *weights, int64_t stride,
                                       int64_t count, float *transformed,
                                       int64_t pointStride) {
  constexpr int n = m + r - 1;
  const auto &matrix = Filter<m, r>::weights;
  DoubleLanes half[n][r] = {};
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < r; ++j) {
      DoubleLanes g = {};
      for (int64_t lane = 0; lane < count; ++lane)
        g[lane] = weights[lane * stride + i * r + j];
      for (int point = 0; point < n; ++point)
        half[point][j] += matrix[point][i] * g;
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      DoubleLanes sum = {};
      for (int tap = 0; tap < r; ++tap)
        sum += half[i][tap] * matrix[j][tap];
      store(__builtin_convertvector(sum, Lanes),
            transformed + (i * n + j) * pointStride);
    }
}

template <int m, int r>
TENON_INLINE void transformWeightsOfSize(const WinogradShape &shape,
                                         const float *weights, int64_t lo,
                                         int64_t hi, float *transformed) {
  int64_t channels = shape.channels / shape.groups;
  int64_t filters = shape.filledFilters(),
          inGroup = shape.filters / shape.groups;
  for (int64_t channel = lo; channel < hi; ++channel) {
    int64_t group = channel / channels, c = channel % channels;
    const float *from = weights + (group * inGroup * channels + c) * r * r;
    float *to = transformed + (group * shape.points() * channels + c) * filters;
    for (int64_t o = 0; o < filters; o += laneCount) {
      int64_t at = fitLanes(o, filters);
      transformWeightLanes<m, r>(from + at * channels * r * r, channels * r * r,
                                 std::min(inGroup, laneCount), to + at,
                                 channels * filters);
    }
  }
}

TENON_INLINE void transformWeightsOf(const WinogradShape &shape,
                                     const float *weights, int64_t lo,
                                     int64_t hi, float *transformed) {
  if (shape.window == 5)
    transformWeightsOfSize<2, 5>(shape, weights, lo, hi, transformed);
  else if (shape.tile == 2)
    transformWeightsOfSize<2, 3>(shape, weights, lo, hi, transformed);
  else
    transformWeightsOfSize<4, 3>(shape, weights, lo, hi, transformed);
}

TENON_VERSIONS(void, transformWeights,
               (const WinogradShape &shape, const float *weights, int64_t lo,
                int64_t hi, float *transformed),
               (shape, weights, lo, hi, transformed))

} // namespace tenon::runtime
