//===- CompareTest.cpp - tests of comparing results ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Compare.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tenon::artifact;

static TensorData make(std::vector<double> values, DType dtype = DType::F32) {
  TensorData tensor =
      *TensorData::zeros(dtype, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.set(static_cast<int64_t>(i), values[i]);
  return tensor;
}

static Comparison compare(std::vector<double> actual,
                          std::vector<double> expected,
                          Tolerance tolerance = {}) {
  return *compareTensors(make(actual), make(expected), tolerance);
}

TEST(Compare, BoundScalesWithTheLargestExpected) {
  Tolerance tolerance{0.01, 0.5};
  Comparison result = compare({0, 101.25}, {0, 100}, tolerance);
  EXPECT_TRUE(result.agrees());
  EXPECT_EQ(result.bound, 1.5);
  result = compare({0, 102}, {0, 100}, tolerance);
  EXPECT_EQ(result.mismatches, 1);
  EXPECT_EQ(result.worst, 1);
  EXPECT_EQ(result.worstError, 2);
  EXPECT_EQ(result.summary(), "max error 2 at [1] (got 102, expected 100), "
                              "bound 1.5; 1 of 2 elements differ");
}

TEST(Compare, NaNAndInfinities) {
  EXPECT_TRUE(compare({NAN, INFINITY}, {NAN, INFINITY}).agrees());
  EXPECT_FALSE(compare({1}, {NAN}).agrees());
  EXPECT_FALSE(compare({NAN}, {1}).agrees());
  EXPECT_FALSE(compare({INFINITY}, {-INFINITY}).agrees());
  EXPECT_FALSE(compare({INFINITY}, {1e30}).agrees());
  EXPECT_FALSE(compare({1e30}, {INFINITY}).agrees());
  // An infinity does not widen the bound of its neighbours.
  EXPECT_FALSE(compare({INFINITY, 1.1}, {INFINITY, 1}).agrees());
  // The place where NaN disagrees is named, not the largest number.
  EXPECT_EQ(compare({5, NAN, 9}, {1, 1, 1}).worst, 1);
}

TEST(Compare, IntegersAreExact) {
  TensorData a = *TensorData::zeros(DType::I64, {1}), b = a;
  a.setInteger(0, (int64_t(1) << 60) + 1);
  b.setInteger(0, int64_t(1) << 60);
  EXPECT_FALSE(compareTensors(a, b, {0, 0})->agrees());
  EXPECT_TRUE(compareTensors(a, b, {0, 1})->agrees());
  a.setInteger(0, INT64_MIN);
  b.setInteger(0, INT64_MAX);
  EXPECT_FALSE(compareTensors(a, b, {0, 1})->agrees());
}

TEST(Compare, EmptyAndMismatched) {
  EXPECT_TRUE(compare({}, {}).agrees());
  EXPECT_EQ(compare({}, {}).summary(), "no elements");
  EXPECT_EQ(compareTensors(make({1}), make({1, 2}), {}).error(),
            "expected f32 2, but got f32 1");
  EXPECT_EQ(compareTensors(make({1}), make({1}, DType::F64), {}).error(),
            "expected f64 1, but got f32 1");
}
