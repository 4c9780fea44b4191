//===- Winograd.cpp - Winograd convolution --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"
#include "WinogradLanes.h"

#include <algorithm>

namespace tenon::runtime {

/// The number of multiplications that take as long as reading an element of a
/// transformed weight that other layers have evicted from the caches (measured
/// in whole models: 14x14 with 256 channels takes 1.5 ms, but 0.75 ms if this
/// layer runs alone).
static constexpr int64_t streamedRows = 31;

int64_t chooseWinogradTile(WinogradShape shape) {
  if (shape.window != 3)
    return 2;
  auto cost = [&](int64_t tile) {
    shape.tile = tile;
    return shape.points() * (shape.tiles() + streamedRows);
  };
  return cost(2) < cost(4) ? 2 : 4;
}

namespace {
/// The position of a tile.
struct Place {
  int64_t image, y, x; // position of its first result

  TENON_INLINE Place at(const WinogradShape &shape, int64_t tile) {
    int64_t across = shape.tilesAcross(), down = shape.tilesDown();
    return {tile / across / down, tile / across % down * shape.tile,
            tile % across * shape.tile};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Finds the input's positions that a tile reads, n x n; null for positions
/// outside of the input. Returns whether all are inside.
TENON_INLINE bool findPositions(const WinogradShape &shape, const float *input,
                                const Place &place, int n,
                                const float **positions) {
  int64_t y = place.y - shape.padTop, x = place.x - shape.padLeft;
  bool all = y >= 0 && y + n <= shape.height && x >= 0 && x + n <= shape.width;
  int64_t first = (place.image * shape.height + y) * shape.width + x;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      bool inside = all || (y + i >= 0 && y + i < shape.height && x + j >= 0 &&
                            x + j < shape.width);
      positions[i * n + j] =
          inside ? input + (first + i * shape.width + j) * shape.channels
                 : nullptr;
    }
  return all;
}

/// Transforms the channels of a group one after another; `isInside`: no
/// position is null.
template <int n, bool isInside>
TENON_INLINE void transformChannels(const float *const *positions,
                                    int64_t first, int64_t channels,
                                    int64_t pointStride, float *transformed) {
  for (int64_t c = 0; c < channels; c += laneCount) {
    int64_t at = fitLanes(c, channels);
    Lanes x[n * n];
    for (int i = 0; i < n * n; ++i)
      if (isInside || positions[i])
        load(x[i], positions[i] + first + at);
      else
        x[i] = Lanes{};
    for (int j = 0; j < n; ++j)
      Points<n>::transform(x + j, n);
    for (int i = 0; i < n; ++i) {
      Points<n>::transform(x + i * n, 1);
      for (int j = 0; j < n; ++j)
        store(x[i * n + j], transformed + (i * n + j) * pointStride + at);
    }
  }
}

template <int n>
TENON_INLINE void transformTileOfSize(const WinogradShape &shape,
                                      const float *input, int64_t tile,
                                      int64_t row, int64_t rows,
                                      float *transformed) {
  const float *positions[n * n];
  bool isInside =
      findPositions(shape, input, Place::at(shape, tile), n, positions);
  int64_t channels = shape.channels / shape.groups;
  for (int64_t group = 0; group < shape.groups; ++group) {
    float *to = transformed + (group * n * n * rows + row) * channels;
    if (isInside)
      transformChannels<n, true>(positions, group * channels, channels,
                                 rows * channels, to);
    else
      transformChannels<n, false>(positions, group * channels, channels,
                                  rows * channels, to);
  }
}

TENON_INLINE void transformTileOf(const WinogradShape &shape,
                                  const float *input, int64_t tile, int64_t row,
                                  int64_t rows, float *transformed) {
  if (shape.tile + shape.window == 5)
    transformTileOfSize<4>(shape, input, tile, row, rows, transformed);
  else
    transformTileOfSize<6>(shape, input, tile, row, rows, transformed);
}

TENON_VERSIONS(void, transformTile,
               (const WinogradShape &shape, const float *input, int64_t tile,
                int64_t row, int64_t rows, float *transformed),
               (shape, input, tile, row, rows, transformed))

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Stores the results [m][m] of a tile that are inside of the output. m is a
/// constant, so that the loops keep everything in registers.
TENON_INLINE void storeTile(const WinogradShape &shape, const Place &place,
                            int m, Lanes *y, const WinogradEnd &end,
                            int64_t filter, float *result) {
  const int64_t inGroup = shape.filters / shape.groups;
  if (end.bias) {
    Lanes bias = {};
    if (inGroup >= laneCount)
      load(bias, end.bias + filter);
    else
      std::memcpy(&bias, end.bias + filter, inGroup * sizeof(float));
    for (int i = 0; i < m * m; ++i)
      y[i] += bias;
  }
  if (end.relu)
    for (int i = 0; i < m * m; ++i)
      y[i] = y[i] < 0 ? Lanes{} : y[i];
  int64_t height = shape.outHeight - place.y, width = shape.outWidth - place.x;
  int64_t rowStride = shape.outWidth * shape.filters;
  float *first = result +
                 (place.image * shape.outHeight + place.y) * rowStride +
                 place.x * shape.filters + filter;
  if (inGroup < laneCount) {
    for (int i = 0; i < m && i < height; ++i)
      for (int j = 0; j < m && j < width; ++j)
        std::memcpy(first + i * rowStride + j * shape.filters, &y[i * m + j],
                    inGroup * sizeof(float));
    return;
  }
  if (height >= m && width >= m) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        store(y[i * m + j], first + i * rowStride + j * shape.filters);
    return;
  }
  for (int i = 0; i < m && i < height; ++i)
    for (int j = 0; j < m && j < width; ++j)
      store(y[i * m + j], first + i * rowStride + j * shape.filters);
}

template <int m, int r>
TENON_INLINE bool
transformProductsOfSize(const WinogradShape &shape, const float *products,
                        int64_t tile, int64_t row, int64_t rows,
                        const WinogradEnd &end, float *result) {
  constexpr int n = m + r - 1;
  Place place = Place::at(shape, tile);
  int64_t filters = shape.filledFilters(),
          inGroup = shape.filters / shape.groups;
  Lanes zeros = {}; // becomes NaN if a result is not finite
  for (int64_t group = 0; group < shape.groups; ++group) {
    const float *from = products + (group * n * n * rows + row) * filters;
    for (int64_t o = 0; o < filters; o += laneCount) {
      int64_t at = fitLanes(o, filters);
      Lanes x[n * n], half[m * n], y[m * m];
      for (int i = 0; i < n * n; ++i)
        load(x[i], from + i * rows * filters + at);
      for (int j = 0; j < n; ++j)
        Filter<m, r>::transform(x + j, n, half + j, n);
      for (int i = 0; i < m; ++i)
        Filter<m, r>::transform(half + i * n, 1, y + i * m, 1);
      for (int i = 0; i < m * m; ++i)
        zeros += y[i] * 0.f;
      storeTile(shape, place, m, y, end, group * inGroup + at, result);
    }
  }
  float sum = 0;
  for (int64_t i = 0; i < laneCount; ++i)
    sum += zeros[i];
  return sum == 0;
}

TENON_INLINE bool transformProductsOf(const WinogradShape &shape,
                                      const float *products, int64_t tile,
                                      int64_t row, int64_t rows,
                                      const WinogradEnd &end, float *result) {
  if (shape.window == 5)
    return transformProductsOfSize<2, 5>(shape, products, tile, row, rows, end,
                                         result);
  if (shape.tile == 2)
    return transformProductsOfSize<2, 3>(shape, products, tile, row, rows, end,
                                         result);
  return transformProductsOfSize<4, 3>(shape, products, tile, row, rows, end,
                                       result);
}

TENON_VERSIONS(bool, transformProducts,
               (const WinogradShape &shape, const float *products, int64_t tile,
                int64_t row, int64_t rows, const WinogradEnd &end,
                float *result),
               (shape, products, tile, row, rows, end, result))

/// This function is rarely needed, so it has one version, optimized for size.
__attribute__((minsize)) void convolveTile(const WinogradShape &shape,
                                           const float *input,
                                           const float *weights, int64_t tile,
                                           const WinogradEnd &end,
                                           float *result) {
  constexpr int most = 6; // positions along an axis
  int m = static_cast<int>(shape.tile), r = static_cast<int>(shape.window);
  int n = m + r - 1;
  Place place = Place::at(shape, tile);
  const float *positions[most * most];
  findPositions(shape, input, place, n, positions);
  int64_t channels = shape.channels / shape.groups;
  int64_t filters = shape.filters / shape.groups;
  for (int64_t number = 0; number < shape.filters;) {
    int64_t group = number / filters, within = number % filters;
    int64_t count = std::min(filters, laneCount);
    int64_t filter =
        group * filters + (count < laneCount ? 0 : fitLanes(within, filters));
    Lanes y[most * most] = {};
    for (int64_t c = 0; c < channels; ++c)
      for (int tap = 0; tap < r * r; ++tap) {
        Lanes weight = {};
        for (int64_t lane = 0; lane < count; ++lane)
          weight[lane] =
              weights[((filter + lane) * channels + c) * r * r + tap];
        const float **from = positions + tap / r * n + tap % r;
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < m; ++j)
            if (const float *position = from[i * n + j])
              y[i * m + j] += weight * position[group * channels + c];
      }
    storeTile(shape, place, m, y, end, filter, result);
    number = filter + count;
  }
}

} // namespace tenon::runtime
