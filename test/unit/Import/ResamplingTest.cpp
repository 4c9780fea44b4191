//===- ResamplingTest.cpp - interpolation as a matrix ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import/Onnx/Resampling.h"

#include "gtest/gtest.h"

using namespace tenon::onnx;

namespace {
TEST(Resampling, LinearHalfPixel) {
  Resampling how;
  how.coordinates = "half_pixel";
  ResamplingMatrix m = resamplingMatrix(how, 2, 4, 2.0);
  // Positions -0.25, 0.25, 0.75 and 1.25, clamped at the edges.
  std::vector<double> expected = {1, 0, 0.75, 0.25, 0.25, 0.75, 0, 1};
  ASSERT_EQ(m.weights.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(m.weights[i], expected[i], 1e-12) << i;
}

TEST(Resampling, RowsSumToOne) {
  for (bool cubic : {false, true}) {
    Resampling how;
    how.cubic = cubic;
    how.antialias = true;
    how.coordinates = "half_pixel";
    ResamplingMatrix m = resamplingMatrix(how, 9, 4, 4.0 / 9);
    for (int row = 0; row < 4; ++row) {
      double sum = 0;
      for (int i = 0; i < 9; ++i)
        sum += m.weights[row * 9 + i];
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST(Resampling, CropMarksWhatLiesOutside) {
  Resampling how;
  how.coordinates = "tf_crop_and_resize";
  how.roiBegin = -0.5;
  how.roiEnd = 0.5;
  ResamplingMatrix m = resamplingMatrix(how, 3, 3, 1.0);
  EXPECT_EQ(m.outside, (std::vector<bool>{true, false, false}));
}
} // namespace
