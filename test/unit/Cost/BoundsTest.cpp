//===- BoundsTest.cpp - how far a cost may be off -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/MeasuredRatio.h"

#include "gtest/gtest.h"

using namespace tenon::cost;

static Cost makeCost(double seconds, bool isMeasured, bool isMatrix = false) {
  Cost cost;
  cost.seconds = seconds;
  cost.measured = isMeasured;
  cost.isMatrix = isMatrix;
  return cost;
}

static Measurement makeMeasurement(double low, double high, uint64_t runs) {
  return {(low + high) / 2, low, high, runs};
}

TEST(Bounds, ManyRunsAreCertain) {
  EXPECT_EQ(makeMeasurement(1e-6, 3e-6, 10).getMargin(), 0);
  EXPECT_EQ(makeMeasurement(1e-6, 3e-6, 20).getMargin(), 0);
}

TEST(Bounds, FewRunsAreNot) {
  double one = makeMeasurement(1e-6, 1e-6, 1).getMargin();
  double two = makeMeasurement(1e-6, 1e-6, 2).getMargin();
  EXPECT_GT(one, 0.2);
  EXPECT_GT(one, two);
  EXPECT_GT(two, makeMeasurement(1e-6, 1e-6, 9).getMargin());
  // Kernels that vary more are less certain.
  EXPECT_GT(makeMeasurement(1e-6, 4e-6, 4).getMargin(),
            makeMeasurement(1e-6, 1.1e-6, 4).getMargin());
}

TEST(Bounds, MeasuredLiesBetween) {
  MeasuredRatio ratio;
  Cost cost = makeCost(1e-4, true);
  EXPECT_EQ(ratio.getBounds("cpu", cost).low, 1e-4);
  EXPECT_EQ(ratio.getBounds("cpu", cost).high, 1e-4);
  cost.margin = std::log(1.5);
  EXPECT_NEAR(ratio.getBounds("cpu", cost).low, 1e-4 / 1.5, 1e-12);
  EXPECT_NEAR(ratio.getBounds("cpu", cost).high, 1e-4 * 1.5, 1e-12);
}

TEST(Bounds, FewSamplesAreWide) {
  MeasuredRatio ratio;
  Cost unknown = makeCost(1e-4, false);
  Bounds none = ratio.getBounds("cpu", unknown);
  EXPECT_GT(none.high, 3e-4);
  EXPECT_LT(none.low, 1e-4 / 3);
  for (int i = 0; i < 2; ++i)
    ratio.add("cpu", makeCost(1e-4, true), 1e-4);
  Bounds few = ratio.getBounds("cpu", unknown);
  EXPECT_GT(few.high, 2e-4);
  EXPECT_LT(few.high, none.high);
  for (int i = 0; i < 100; ++i)
    ratio.add("cpu", makeCost(1e-4, true), 1e-4);
  Bounds many = ratio.getBounds("cpu", unknown);
  EXPECT_LT(many.high, 1.5e-4);
  EXPECT_GT(many.low, 1e-4 / 1.5);
  // One backend says nothing about another.
  EXPECT_EQ(ratio.getBounds("onednn", unknown).high, none.high);
}

TEST(Bounds, ScatteredSamplesAreWide) {
  MeasuredRatio narrow, wide;
  for (int i = 0; i < 50; ++i) {
    narrow.add("cpu", makeCost(1e-4, true), 1e-4);
    wide.add("cpu", makeCost(i % 2 ? 4e-4 : 1e-4, true), 2e-4);
  }
  Cost unknown = makeCost(1e-4, false);
  EXPECT_GT(wide.getBounds("cpu", unknown).high,
            1.5 * narrow.getBounds("cpu", unknown).high);
}

TEST(Bounds, MatrixWorkIsAnotherKind) {
  MeasuredRatio ratio;
  // Elementwise kernels take a tenth of what is predicted.
  for (int i = 0; i < 100; ++i)
    ratio.add("cpu", makeCost(1e-6, true), 1e-5);
  Cost product = makeCost(1e-4, false, /*isMatrix=*/true);
  EXPECT_NEAR(ratio.correct("cpu", product), 1e-5, 1e-12);
  // This says little about products.
  EXPECT_GT(ratio.getBounds("cpu", product).high, 3e-4);
  EXPECT_LT(ratio.getBounds("cpu", makeCost(1e-4, false)).high, 2e-5);
}

TEST(Bounds, WithoutPrediction) {
  MeasuredRatio ratio;
  ratio.add("cpu", makeCost(1e-4, true), 0);
  ratio.add("cpu", makeCost(0, true), 1e-4);
  EXPECT_EQ(ratio.correct("cpu", makeCost(1e-4, false)), 1e-4);
}
