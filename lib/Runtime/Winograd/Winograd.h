//===- Winograd.h - Winograd convolution ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// F(m x m, r x r) for a window of 3 x 3 with m = 2 or 4, and for 5 x 5 with m =
// 2 (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks",
// CVPR'16, section 4): the input is cut into tiles of (m + r - 1)^2 positions
// that overlap by r - 1; each is transformed, the transformed tiles and weights
// are multiplied point by point (one matrix product over the channels per
// point), and the products are transformed to m^2 results. This reduces r^2 m^2
// multiplications to (m + r - 1)^2.
//
// Each result is a difference of larger sums: its error is relative to the
// largest element of its tile. Elements that are not finite turn these
// differences into NaN; `transformProducts` reports this, and `convolveTile`
// then computes the tile directly.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_WINOGRAD_WINOGRAD_H
#define TENON_LIB_RUNTIME_WINOGRAD_WINOGRAD_H

#include <algorithm>
#include <cstdint>

namespace tenon::runtime {

/// The least number of input channels in a group.
inline constexpr int64_t winogradLeastChannels = 16;
/// Fewer filters in a group are filled up with zeros, whose results are not
/// stored.
inline constexpr int64_t winogradLeastFilters = 16;

/// A convolution with strides and dilations of 1. Input and result are [n, h,
/// w, c] in memory, weights are [o, c / groups, r, r].
struct WinogradShape {
  int64_t batch = 0, height = 0, width = 0, channels = 0; // of the input
  int64_t outHeight = 0, outWidth = 0, filters = 0;       // of the result
  int64_t groups = 1, padTop = 0, padLeft = 0;
  int64_t window = 3; // r: 3 or 5
  int64_t tile = 4;   // m: 2 or 4; 2 for a window of 5

  /// The filters of a group in transformed weights and products.
  int64_t filledFilters() const {
    return std::max(filters / groups, winogradLeastFilters);
  }
  int64_t points() const { return (tile + window - 1) * (tile + window - 1); }
  int64_t tilesDown() const { return (outHeight + tile - 1) / tile; }
  int64_t tilesAcross() const { return (outWidth + tile - 1) / tile; }
  int64_t tiles() const { return batch * tilesDown() * tilesAcross(); }
};

/// Returns the better m. For a window of 3, m = 4 needs fewer multiplications,
/// but m = 2 needs fewer transformed weights, whose cost does not pay off for
/// few tiles.
int64_t chooseWinogradTile(WinogradShape shape);

/// Transforms the weights of the input channels [lo, hi), counted over all
/// groups, to [groups, points, c / groups, filledFilters()].
void transformWeights(const WinogradShape &shape, const float *weights,
                      int64_t lo, int64_t hi, float *transformed);

/// Transforms tile number `tile` of the input to row `row` of [groups, points,
/// rows, c / groups].
void transformTile(const WinogradShape &shape, const float *input, int64_t tile,
                   int64_t row, int64_t rows, float *transformed);

/// Operations on results while they are in registers.
struct WinogradEnd {
  const float *bias = nullptr; // one element per filter; null: none
  bool relu = false;           // keeps NaN
};

/// Transforms row `row` of the products [groups, points, rows, o / groups] to
/// the results of tile number `tile`. Returns false if not all of them are
/// finite (before `end` is applied).
bool transformProducts(const WinogradShape &shape, const float *products,
                       int64_t tile, int64_t row, int64_t rows,
                       const WinogradEnd &end, float *result);

/// Computes the results of a tile by direct convolution.
void convolveTile(const WinogradShape &shape, const float *input,
                  const float *weights, int64_t tile, const WinogradEnd &end,
                  float *result);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_WINOGRAD_WINOGRAD_H
