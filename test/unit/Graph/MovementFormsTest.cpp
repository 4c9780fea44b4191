//===- MovementFormsTest.cpp - what ops that move data mean ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormText.h"

#include <gtest/gtest.h>

using namespace tenon::graph;

TEST(MovementForms, TransposeReadsAtTheInversePermutation) {
  EXPECT_EQ(
      formText("%x: tensor<2x3x4xf32>",
               "%0 = graph.transpose %x perm = [2, 0, 1] : (tensor<2x3x4xf32>) "
               "-> tensor<4x2x3xf32>"),
      "x0[i1, i2, i0]");
}

TEST(MovementForms, ReshapeMergesOnlyTheMergedAxes) {
  EXPECT_EQ(
      formText("%x: tensor<?x?x?xf32, #graph.dims<a, b, c>>",
               "%0 = graph.reshape %x shape = [a, b * c] : (tensor<?x?x?xf32, "
               "#graph.dims<a, b, c>>) -> tensor<?x?xf32, #graph.dims<a, b * "
               "c>>"),
      "x0[i0, (i1 floordiv c), (i1 mod c)]");
}

TEST(MovementForms, ReshapeSplitsWithoutDivision) {
  EXPECT_EQ(
      formText("%x: tensor<?x?xf32, #graph.dims<a, b * c>>",
               "%0 = graph.reshape %x shape = [a, b, c] : (tensor<?x?xf32, "
               "#graph.dims<a, b * c>>) -> tensor<?x?x?xf32, #graph.dims<a, b, "
               "c>>"),
      "x0[i0, ((i1 * c) + i2)]");
}

TEST(MovementForms, ReshapeRegroupsInTheMiddle) {
  EXPECT_EQ(formText("%x: tensor<2x6x20xf32>",
                     "%0 = graph.reshape %x shape = [2, 3, 8, 5] : "
                     "(tensor<2x6x20xf32>) -> tensor<2x3x8x5xf32>"),
            "x0[i0, (((i1 * 40) + ((i2 * 5) + i3)) floordiv 20), (((i1 * "
            "40) + ((i2 * 5) + i3)) mod 20)]");
}

TEST(MovementForms, ReshapeMovesAxesOfSizeOne) {
  EXPECT_EQ(formText("%x: tensor<2x1x6xf32>",
                     "%0 = graph.reshape %x shape = [1, 2, 6, 1] : "
                     "(tensor<2x1x6xf32>) -> tensor<1x2x6x1xf32>"),
            "x0[i1, 0, i2]");
}

TEST(MovementForms, ReshapeKeepsTrailingAxes) {
  EXPECT_EQ(
      formText("%x: tensor<?x?x4xf32, #graph.dims<n, m, 4>>",
               "%0 = graph.reshape %x shape = [m, n, 4] : (tensor<?x?x4xf32, "
               "#graph.dims<n, m, 4>>) -> tensor<?x?x4xf32, #graph.dims<m, n, "
               "4>>"),
      "x0[(((i0 * n) + i1) floordiv m), (((i0 * n) + i1) mod m), i2]");
}

TEST(MovementForms, BroadcastIgnoresWhatItRepeats) {
  EXPECT_EQ(
      formText("%x: tensor<3x1xf32>",
               "%0 = graph.broadcast %x shape = [2, 3, 4] : (tensor<3x1xf32>) "
               "-> tensor<2x3x4xf32>"),
      "x0[i1, 0]");
}

TEST(MovementForms, TileTakesTheRemainder) {
  EXPECT_EQ(
      formText("%x: tensor<3x2xf32>",
               "%0 = graph.tile %x repeats = [2, 1] : (tensor<3x2xf32>) -> "
               "tensor<6x2xf32>"),
      "x0[(i0 mod 3), i1]");
}

TEST(MovementForms, SliceStepsBackwards) {
  EXPECT_EQ(
      formText("%x: tensor<?x9xf32, #graph.dims<n, 9>>",
               "%0 = graph.slice %x starts = [n - 1, 1] sizes = [n, 4] steps = "
               "[-1, 2] : (tensor<?x9xf32, #graph.dims<n, 9>>) -> "
               "tensor<?x4xf32, #graph.dims<n, 4>>"),
      "x0[((i0 * -1) + n - 1), ((i1 * 2) + 1)]");
}

TEST(MovementForms, ConcatSelectsOnItsAxis) {
  EXPECT_EQ(
      formText(
          "%a: tensor<?x2xf32, #graph.dims<n, 2>>, %b: tensor<?x2xf32, "
          "#graph.dims<m, 2>>, %c: tensor<3x2xf32>",
          "%0 = graph.concat %a, %b, %c axis = 0 : (tensor<?x2xf32, "
          "#graph.dims<n, 2>>, tensor<?x2xf32, #graph.dims<m, 2>>, "
          "tensor<3x2xf32>) -> tensor<?x2xf32, #graph.dims<n + m + 3, 2>>"),
      "select((i0 < n), x0[i0, i1], select((i0 < m + n), x1[(i0 + "
      "-n), i1], x2[(i0 + -m - n), i1]))");
}

TEST(MovementForms, SplitGivesAFormForEachPart) {
  EXPECT_EQ(formText("%x: tensor<5x2xf32>",
                     "%0:2 = graph.split %x axis = 0 sizes = [2, 3] : "
                     "(tensor<5x2xf32>) -> (tensor<2x2xf32>, tensor<3x2xf32>)"),
            "x0[i0, i1]\nx0[(i0 + 2), i1]");
}

TEST(MovementForms, PadGuardsOnlyPaddedSides) {
  EXPECT_EQ(
      formText("%x: tensor<5x2xf32>",
               "%0 = graph.pad %x low = [1, 0] high = [2, 3] constant value = "
               "-1.5 : (tensor<5x2xf32>) -> tensor<8x5xf32>"),
      "select((((0 <= (i0 + -1)) and ((i0 + -1) < 5)) and (i1 < 2)), "
      "x0[(i0 + -1), i1], -1.500000e+00)");
}

TEST(MovementForms, PadReflectsAtBothEnds) {
  EXPECT_EQ(
      formText("%x: tensor<5x2xf32>",
               "%0 = graph.pad %x low = [1, 0] high = [2, 1] reflect value = "
               "0.0 : (tensor<5x2xf32>) -> tensor<8x3xf32>"),
      "x0[imin(imax((i0 + -1), (-1 * (i0 + -1))), (8 + (-1 * imax((i0 "
      "+ -1), (-1 * (i0 + -1)))))), imin(i1, (2 + (-1 * i1)))]");
}

TEST(MovementForms, PadClampsToTheEdge) {
  EXPECT_EQ(
      formText("%x: tensor<5x2xf32>",
               "%0 = graph.pad %x low = [1, 0] high = [2, 1] edge value = 0.0 "
               ": (tensor<5x2xf32>) -> tensor<8x3xf32>"),
      "x0[imin(imax(0, (i0 + -1)), 4), imin(i1, 1)]");
}

TEST(MovementForms, PadWrapsRound) {
  EXPECT_EQ(
      formText("%x: tensor<5x2xf32>",
               "%0 = graph.pad %x low = [1, 0] high = [2, 0] wrap value = 0.0 "
               ": (tensor<5x2xf32>) -> tensor<8x2xf32>"),
      "x0[((i0 + -1) mod 5), i1]");
}

TEST(MovementForms, ReverseCountsFromTheEnd) {
  EXPECT_EQ(formText("%x: tensor<5x2xf32>",
                     "%0 = graph.reverse %x axes = [0] : tensor<5x2xf32>"),
            "x0[(4 + (-1 * i0)), i1]");
}

TEST(MovementForms, ResizeByAnIntegerNeedsNoFloatingPoint) {
  EXPECT_EQ(
      formText("%x: tensor<1x4x?xf32, #graph.dims<1, 4, w>>",
               "%0 = graph.resize %x shape = [1, 8, 2 * w] scales = [1.0, 2.0, "
               "2.0] nearest asymmetric floor cubic_coeff = -0.75 : "
               "(tensor<1x4x?xf32, #graph.dims<1, 4, w>>) -> tensor<1x8x?xf32, "
               "#graph.dims<1, 8, 2 * w>>"),
      "x0[i0, imax(0, imin((i1 floordiv 2), 3)), imax(0, imin((i2 "
      "floordiv 2), w - 1))]");
}

TEST(MovementForms, GatherWrapsAndClamps) {
  EXPECT_EQ(formText("%x: tensor<4x5x6xf32>, %i: tensor<2x3xi64>",
                     "%0 = graph.gather %x, %i axis = 1 : (tensor<4x5x6xf32>, "
                     "tensor<2x3xi64>) -> tensor<4x2x3x6xf32>"),
            "x0[i0, imax(0, imin(select((index(x1[i1, i2]) < 0), "
            "(index(x1[i1, i2]) + 5), index(x1[i1, i2])), 4)), i3]");
}

TEST(MovementForms, GatherNdKeepsBatchAxes) {
  EXPECT_EQ(
      formText("%x: tensor<4x5x6xf32>, %i: tensor<4x7x1xi64>",
               "%0 = graph.gather_nd %x, %i batch_dims = 1 : "
               "(tensor<4x5x6xf32>, tensor<4x7x1xi64>) -> tensor<4x7x6xf32>"),
      "x0[i0, imax(0, imin(select((index(x1[i0, i1, 0]) < 0), "
      "(index(x1[i0, i1, 0]) + 5), index(x1[i0, i1, 0])), 4)), i2]");
}

TEST(MovementForms, ScatterElementsTakesTheLastUpdate) {
  EXPECT_EQ(
      formText(
          "%x: tensor<4xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>",
          "%0 = graph.scatter_elements %x, %i, %u axis = 0 none : "
          "(tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<4xf32>"),
      "select((0 <= index(max{i1 < 2 | (select((index(x1[i1]) < 0), "
      "(index(x1[i1]) + 4), index(x1[i1])) == "
      "i0)}(element<i64>(i1)))), x2[index(max{i1 < 2 | "
      "(select((index(x1[i1]) < 0), (index(x1[i1]) + 4), "
      "index(x1[i1])) == i0)}(element<i64>(i1)))], x0[i0])");
}

TEST(MovementForms, ScatterElementsAddsUnderAGuard) {
  EXPECT_EQ(
      formText("%x: tensor<4x5xf16>, %i: tensor<3x2xi64>, %u: tensor<3x2xf16>",
               "%0 = graph.scatter_elements %x, %i, %u axis = 1 add : "
               "(tensor<4x5xf16>, tensor<3x2xi64>, tensor<3x2xf16>) -> "
               "tensor<4x5xf16>"),
      "cast<f16>(add(cast<f32>(x0[i0, i1]), sum{i2 < 2 | ((i0 < 3) "
      "and (select((index(x1[i0, i2]) < 0), (index(x1[i0, i2]) + 5), "
      "index(x1[i0, i2])) == i1))}(cast<f32>(x2[i0, i2]))))");
}

TEST(MovementForms, ScatterNdOfOneTupleHasNoReduction) {
  EXPECT_EQ(formText("%x: tensor<4x5xf32>, %i: tensor<2xi64>, %u: tensor<f32>",
                     "%0 = graph.scatter_nd %x, %i, %u max : (tensor<4x5xf32>, "
                     "tensor<2xi64>, tensor<f32>) -> tensor<4x5xf32>"),
            "select(((select((index(x1[0]) < 0), (index(x1[0]) + 4), "
            "index(x1[0])) == i0) and (select((index(x1[1]) < 0), "
            "(index(x1[1]) + 5), index(x1[1])) == i1)), max(x0[i0, i1], "
            "x2[]), x0[i0, i1])");
}

TEST(MovementForms, IotaIsItsOwnPosition) {
  EXPECT_EQ(formText("",
                     "%0 = graph.iota shape = [2, n] axis = 1 of i32 : () -> "
                     "tensor<2x?xi32, #graph.dims<2, n>>"),
            "element<i32>(i1)");
}
