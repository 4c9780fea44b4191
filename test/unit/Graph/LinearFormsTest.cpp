//===- LinearFormsTest.cpp - what matmul, conv and pooling mean -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormText.h"

#include <gtest/gtest.h>

using namespace tenon::graph;

TEST(LinearForms, MatmulContractsTheInnerAxes) {
  EXPECT_EQ(
      formText("%a: tensor<?x?xf32, #graph.dims<m, k>>, %b: tensor<?x?xf32, "
               "#graph.dims<k, n>>",
               "%0 = graph.matmul %a, %b : (tensor<?x?xf32, #graph.dims<m, "
               "k>>, tensor<?x?xf32, #graph.dims<k, n>>) -> tensor<?x?xf32, "
               "#graph.dims<m, n>>"),
      "sum{i2 < k}(mul(x0[i0, i2], x1[i2, i1]))");
}

TEST(LinearForms, MatmulBroadcastsBatchesAndAccumulatesF16InF32) {
  EXPECT_EQ(
      formText("%a: tensor<8x1x4x5xf16>, %b: tensor<3x6x5xf16>",
               "%0 = graph.matmul %a, %b transpose_b : (tensor<8x1x4x5xf16>, "
               "tensor<3x6x5xf16>) -> tensor<8x3x4x6xf16>"),
      "cast<f16>(sum{i4 < 5}(mul(cast<f32>(x0[i0, 0, i2, i4]), "
      "cast<f32>(x1[i1, i3, i4]))))");
}

TEST(LinearForms, ConvWithPadsGroupsAndDilations) {
  EXPECT_EQ(
      formText("%x: tensor<1x8x9x9xf32>, %w: tensor<6x4x3x3xf32>",
               "%0 = graph.conv %x, %w strides = [2, 1] pads = [1, 0, 1, 0] "
               "dilations = [1, 2] groups = 2 channels_first : "
               "(tensor<1x8x9x9xf32>, tensor<6x4x3x3xf32>) -> "
               "tensor<1x6x5x5xf32>"),
      "sum{i4 < 4, i5 < 3, i6 < 3 | ((0 <= (((i2 * 2) + i5) + -1)) "
      "and ((((i2 * 2) + i5) + -1) < 9))}(mul(x0[i0, (((i1 floordiv "
      "3) * 4) + i4), (((i2 * 2) + i5) + -1), (i3 + (i6 * 2))], "
      "x1[i1, i4, i5, i6]))");
}

TEST(LinearForms, ConvWithoutPadsHasNoGuard) {
  EXPECT_EQ(
      formText("%x: tensor<1x9x9x8xf32>, %w: tensor<6x8x3x3xf32>",
               "%0 = graph.conv %x, %w strides = [1, 1] pads = [0, 0, 0, 0] "
               "dilations = [1, 1] groups = 1 channels_last : "
               "(tensor<1x9x9x8xf32>, tensor<6x8x3x3xf32>) -> "
               "tensor<1x7x7x6xf32>"),
      "sum{i4 < 8, i5 < 3, i6 < 3}(mul(x0[i0, (i1 + i5), (i2 + i6), "
      "i4], x1[i3, i4, i5, i6]))");
}

TEST(LinearForms, ConvWithSymbolicParameters) {
  EXPECT_EQ(
      formText("%x: tensor<1x?x?xf32, #graph.dims<1, c * g, w>>, %w: "
               "tensor<?x?x?xf32, #graph.dims<o * g, c, k>>",
               "%0 = graph.conv %x, %w strides = [s] pads = [p, q] dilations = "
               "[1] groups = g channels_first : (tensor<1x?x?xf32, "
               "#graph.dims<1, c * g, w>>, tensor<?x?x?xf32, #graph.dims<o * "
               "g, c, k>>) -> tensor<1x?x?xf32, #graph.dims<1, o * g, (w + p + "
               "q - k) floordiv s + 1>>"),
      "sum{i3 < c, i4 < k | ((0 <= (((i2 * s) + i4) + -p)) and ((((i2 "
      "* s) + i4) + -p) < w))}(mul(x0[i0, (((i1 floordiv o) * c) + "
      "i3), (((i2 * s) + i4) + -p)], x1[i1, i3, i4]))");
}

TEST(LinearForms, ConvTransposeReadsWhatStridesReach) {
  EXPECT_EQ(
      formText("%x: tensor<1x4x5xf32>, %w: tensor<4x3x3xf32>",
               "%0 = graph.conv_transpose %x, %w strides = [2] pads = [1, 1] "
               "dilations = [1] output_padding = [1] groups = 2 : "
               "(tensor<1x4x5xf32>, tensor<4x3x3xf32>) -> tensor<1x6x10xf32>"),
      "sum{i3 < 2, i4 < 3 | (((0 <= ((i2 + (i4 * -1)) + 1)) and "
      "((((i2 + (i4 * -1)) + 1) mod 2) == 0)) and ((((i2 + (i4 * -1)) "
      "+ 1) floordiv 2) < 5))}(mul(x0[i0, (((i1 floordiv 3) * 2) + "
      "i3), (((i2 + (i4 * -1)) + 1) floordiv 2)], x1[(((i1 floordiv "
      "3) * 2) + i3), (i1 mod 3), i4]))");
}

TEST(LinearForms, MaxPoolGuardsTheOverhangOfCeil) {
  EXPECT_EQ(
      formText("%x: tensor<1x2x7xf32>",
               "%0 = graph.max_pool %x kernel = [3] strides = [3] pads = [0, "
               "0] dilations = [1] ceil channels_first : (tensor<1x2x7xf32>) "
               "-> tensor<1x2x3xf32>"),
      "max{i3 < 3 | (((i2 * 3) + i3) < 7)}(x0[i0, i1, ((i2 * 3) + "
      "i3)])");
}

TEST(LinearForms, AvgPoolCountsInputElements) {
  EXPECT_EQ(
      formText("%x: tensor<1x2x7xf32>",
               "%0 = graph.avg_pool %x kernel = [3] strides = [2] pads = [1, "
               "1] dilations = [1] channels_first : (tensor<1x2x7xf32>) -> "
               "tensor<1x2x4xf32>"),
      "div(sum{i3 < 3 | ((0 <= (((i2 * 2) + i3) + -1)) and ((((i2 * "
      "2) + i3) + -1) < 7))}(x0[i0, i1, (((i2 * 2) + i3) + -1)]), "
      "element<f32>((imin(3, (8 + (-1 * (i2 * 2)))) + (-1 * imax(0, "
      "(1 + (-1 * (i2 * 2))))))))");
}

TEST(LinearForms, AvgPoolWithoutPadsDividesByAConstant) {
  EXPECT_EQ(
      formText("%x: tensor<1x2x7xf16>",
               "%0 = graph.avg_pool %x kernel = [3] strides = [2] pads = [0, "
               "0] dilations = [1] channels_first : (tensor<1x2x7xf16>) -> "
               "tensor<1x2x3xf16>"),
      "cast<f16>(div(sum{i3 < 3}(cast<f32>(x0[i0, i1, ((i2 * 2) + "
      "i3)])), element<f32>(3)))");
}

TEST(LinearForms, LrnTakesTheLargerHalfAbove) {
  EXPECT_EQ(
      formText("%x: tensor<1x5x2xf32>",
               "%0 = graph.lrn %x size = 4 alpha = 0.5 beta = 0.75 bias = 1.0 "
               ": tensor<1x5x2xf32>"),
      "div(x0[i0, i1, i2], pow(add(1.000000e+00, mul(1.250000e-01, "
      "sum{i3 < 4 | ((0 <= ((i1 + i3) + -1)) and (((i1 + i3) + -1) < "
      "5))}(mul(x0[i0, ((i1 + i3) + -1), i2], x0[i0, ((i1 + i3) + "
      "-1), i2])))), 7.500000e-01))");
}
