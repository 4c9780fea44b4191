//===- WinogradTest.cpp ---------------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transforms with plain products between them, against the definition of a
// convolution in double.
//
//===----------------------------------------------------------------------===//

#include "Winograd/Winograd.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

using namespace tenon::runtime;

namespace {
struct Problem {
  WinogradShape shape;
  std::vector<float> input, weights, bias;
  WinogradEnd end;

  /// F(tile, window).
  Problem(std::pair<int64_t, int64_t> sizes, int64_t groups, int64_t channels,
          int64_t filters, int64_t height, int64_t width, int64_t pad) {
    shape.batch = 2;
    shape.height = height;
    shape.width = width;
    shape.channels = channels;
    shape.filters = filters;
    shape.groups = groups;
    shape.padTop = pad;
    shape.padLeft = 1;
    std::tie(shape.tile, shape.window) = sizes;
    shape.outHeight = height + 2 * pad + 1 - shape.window;
    shape.outWidth = width + 2 - shape.window; // pads of 1 and 0
    input = draw(1, shape.batch * height * width * channels);
    weights =
        draw(2, filters * channels / groups * shape.window * shape.window);
    bias = draw(3, filters);
  }

  static std::vector<float> draw(uint64_t seed, int64_t count) {
    std::vector<float> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(
          std::sin(static_cast<double>(i * (2 * seed + 1)) * 0.7 + seed));
    return values;
  }

  double define(int64_t n, int64_t y, int64_t x, int64_t o) const {
    int64_t perGroup = shape.channels / shape.groups;
    int64_t first = o / (shape.filters / shape.groups) * perGroup;
    int64_t r = shape.window;
    double sum = 0;
    for (int64_t c = 0; c < perGroup; ++c)
      for (int64_t tap = 0; tap < r * r; ++tap) {
        int64_t iy = y + tap / r - shape.padTop,
                ix = x + tap % r - shape.padLeft;
        if (iy < 0 || iy >= shape.height || ix < 0 || ix >= shape.width)
          continue;
        sum += static_cast<double>(weights[(o * perGroup + c) * r * r + tap]) *
               input[((n * shape.height + iy) * shape.width + ix) *
                         shape.channels +
                     first + c];
      }
    if (end.bias)
      sum += end.bias[o];
    return end.relu && sum < 0 ? 0 : sum;
  }

  /// Transforms all tiles at once; counts the tiles that are not finite.
  std::vector<float> run(int64_t &notFinite) const {
    int64_t rows = shape.tiles(), perGroup = shape.channels / shape.groups;
    int64_t filters = shape.filledFilters();
    int64_t batches = shape.groups * shape.points();
    std::vector<float> u(batches * perGroup * filters);
    std::vector<float> v(batches * rows * perGroup);
    std::vector<float> products(batches * rows * filters);
    std::vector<float> result(
        shape.batch * shape.outHeight * shape.outWidth * shape.filters, -77.f);
    transformWeights(shape, weights.data(), 0, shape.channels, u.data());
    for (int64_t tile = 0; tile < rows; ++tile)
      transformTile(shape, input.data(), tile, tile, rows, v.data());
    for (int64_t batch = 0; batch < batches; ++batch)
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t o = 0; o < filters; ++o) {
          float sum = 0;
          for (int64_t c = 0; c < perGroup; ++c)
            sum += v[(batch * rows + row) * perGroup + c] *
                   u[(batch * perGroup + c) * filters + o];
          products[(batch * rows + row) * filters + o] = sum;
        }
    notFinite = 0;
    for (int64_t tile = 0; tile < rows; ++tile)
      if (!transformProducts(shape, products.data(), tile, tile, rows, end,
                             result.data())) {
        ++notFinite;
        convolveTile(shape, input.data(), weights.data(), tile, end,
                     result.data());
      }
    return result;
  }

  void check(const std::vector<float> &result) const {
    const float *next = result.data();
    for (int64_t n = 0; n < shape.batch; ++n)
      for (int64_t y = 0; y < shape.outHeight; ++y)
        for (int64_t x = 0; x < shape.outWidth; ++x)
          for (int64_t o = 0; o < shape.filters; ++o, ++next) {
            double expected = define(n, y, x, o);
            if (std::isnan(expected))
              ASSERT_TRUE(std::isnan(*next));
            else if (std::isinf(expected))
              ASSERT_EQ(*next, expected);
            else
              ASSERT_NEAR(*next, expected, 2e-4)
                  << n << " " << y << " " << x << " " << o;
          }
  }
};

constexpr std::pair<int64_t, int64_t> allSizes[] = {{2, 3}, {4, 3}, {2, 5}};
} // namespace

TEST(Winograd, IsTheConvolution) {
  for (auto sizes : allSizes)
    for (int64_t groups : {1, 3})
      for (bool relu : {false, true}) {
        // Sizes that neither tiles nor lanes divide.
        Problem problem(sizes, groups, groups * 21, groups * 36, 11, 9, 1);
        problem.end = {relu ? problem.bias.data() : nullptr, relu};
        int64_t notFinite;
        problem.check(problem.run(notFinite));
        EXPECT_EQ(notFinite, 0);
      }
}

TEST(Winograd, FewFilters) {
  for (auto sizes : allSizes)
    for (int64_t groups : {1, 3})
      for (int64_t filters : {1, 3, 15}) {
        Problem problem(sizes, groups, groups * 21, groups * filters, 11, 9, 1);
        problem.end = {problem.bias.data(), true};
        int64_t notFinite;
        problem.check(problem.run(notFinite));
        EXPECT_EQ(notFinite, 0);
        // Such tiles are computed without transforms.
        problem.input[problem.input.size() / 2] =
            std::numeric_limits<float>::infinity();
        problem.check(problem.run(notFinite));
        EXPECT_GT(notFinite, 0);
      }
}

TEST(Winograd, PadsOfAnySize) {
  for (auto sizes : allSizes)
    for (int64_t pad : {0, 2, 5}) {
      Problem problem(sizes, 1, 16, 16, 7, 6, pad);
      int64_t notFinite;
      problem.check(problem.run(notFinite));
    }
}

TEST(Winograd, WhatIsNotFiniteStaysInItsWindow) {
  for (auto sizes : allSizes) {
    Problem problem(sizes, 1, 20, 24, 13, 12, 1);
    const float inf = std::numeric_limits<float>::infinity();
    problem.input[((3 * 12) + 5) * 20 + 7] = std::nanf("");
    problem.input[((9 * 12) + 2) * 20 + 19] = -inf;
    problem.end = {problem.bias.data(), true};
    int64_t notFinite;
    problem.check(problem.run(notFinite));
    EXPECT_GE(notFinite, 2);
    EXPECT_LT(notFinite, problem.shape.tiles() / 2);
  }
}

TEST(Winograd, OverflowOfTransformsAlone) {
  // All taps are finite, and so are the sums; four times an input is not.
  Problem problem({4, 3}, 1, 16, 16, 8, 8, 1);
  for (float &value : problem.input)
    value = 0;
  problem.input[((3 * 8) + 3) * 16] = 3e38f;
  for (float &weight : problem.weights)
    weight *= 1e-38f;
  int64_t notFinite;
  problem.check(problem.run(notFinite));
  EXPECT_GE(notFinite, 1);
}

TEST(Winograd, FewTilesHaveFewerWeights) {
  Problem few({4, 3}, 1, 16, 16, 7, 8, 1), many({4, 3}, 1, 16, 16, 56, 57, 1);
  few.shape.batch = 1;
  EXPECT_EQ(chooseWinogradTile(few.shape), 2);
  EXPECT_EQ(chooseWinogradTile(many.shape), 4);
  many.shape.window = 5;
  EXPECT_EQ(chooseWinogradTile(many.shape), 2);
}
