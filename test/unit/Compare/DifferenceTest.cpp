//===- DifferenceTest.cpp - differences of tensors -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/Difference.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::compare;
using interpret::Tensor;

namespace {
class DifferenceOf : public ::testing::Test {
protected:
  Tensor floats(ArrayRef<double> values) {
    return Tensor::of(Builder(&context).getF32Type(),
                      {static_cast<int64_t>(values.size())}, values);
  }
  Tensor integers(ArrayRef<double> values) {
    return Tensor::of(Builder(&context).getI64Type(),
                      {static_cast<int64_t>(values.size())}, values);
  }
  artifact::TensorData stored(std::vector<int64_t> shape) {
    artifact::TensorData data =
        *artifact::TensorData::zeros(artifact::DType::F32, std::move(shape));
    for (int64_t i = 0; i < data.numElements(); ++i)
      data.set(i, static_cast<double>(i));
    return data;
  }

  MLIRContext context;
};
using Axes = std::vector<unsigned>;
} // namespace

TEST_F(DifferenceOf, ElementsBeyondTheBound) {
  Difference difference =
      compareTensors(floats({1, 2, 30}), floats({1, 4, 40}), {0.1, 0});
  EXPECT_EQ(difference.beyond, 1);
  EXPECT_EQ(difference.first, 2);
  EXPECT_EQ(difference.bound, 4);
  EXPECT_EQ(difference.maxError, 10);
  EXPECT_EQ(difference.maxRelative, 0.5);
  EXPECT_EQ(difference.getRelative(), 0.25);
  EXPECT_EQ(difference.getOverBound(), 2.5);
}

TEST_F(DifferenceOf, NanAndInfinitiesAgreeWithThemselvesAlone) {
  Difference same = compareTensors(floats({NAN, INFINITY, -INFINITY}),
                                   floats({NAN, INFINITY, -INFINITY}), {});
  EXPECT_TRUE(same.agrees());
  EXPECT_EQ(same.getRelative(), 0);
  Difference other = compareTensors(floats({9, NAN, 1, INFINITY}),
                                    floats({8, 1, NAN, -INFINITY}), {1, 1});
  EXPECT_EQ(other.specials, 3);
  EXPECT_EQ(other.beyond, 3);
  EXPECT_EQ(other.first, 1);
  EXPECT_EQ(other.worst, 1);
  EXPECT_TRUE(std::isinf(other.getOverBound()));
}

TEST_F(DifferenceOf, IntegersAreEqualOrNot) {
  double large = 0x1p60;
  Tensor a = integers({large, 1}), b = integers({large, 1});
  a.data()[0].integer += 1;
  EXPECT_EQ(compareTensors(a, b, {1, 1}).beyond, 1);
  EXPECT_TRUE(compareTensors(b, b, {}).agrees());
}

TEST_F(DifferenceOf, NothingOfNothing) {
  Difference difference = compareTensors(floats({}), floats({}), {});
  EXPECT_TRUE(difference.agrees());
  EXPECT_EQ(difference.worst, -1);
  EXPECT_EQ(difference.getOverBound(), 0);
  EXPECT_TRUE(
      compareRounded(floats({}), floats({}), floats({}), 32, 0x1p-24).agrees());
}

TEST_F(DifferenceOf, RoundingGivesTheBound) {
  Tensor expected = floats({1, 2, 4}), rounded = floats({1, 2, 4 + 1e-6});
  EXPECT_TRUE(
      compareRounded(floats({1, 2 + 2e-5, 4}), expected, rounded, 32, 0x1p-24)
          .agrees());
  EXPECT_EQ(
      compareRounded(floats({1, 2 + 2e-4, 4}), expected, rounded, 32, 0x1p-24)
          .first,
      1);
  // In f16, that is nothing.
  EXPECT_TRUE(
      compareRounded(floats({1, 2 + 2e-4, 4}), expected, rounded, 32, 0x1p-11)
          .agrees());
}

TEST_F(DifferenceOf, ChoicesThatRoundingTurnsAreNotJudged) {
  std::vector<double> values(20, 1), other(20, 1);
  other[3] = 2;
  Difference difference =
      compareRounded(floats(other), floats(values), floats(other), 32, 0x1p-24);
  EXPECT_TRUE(difference.agrees());
  EXPECT_EQ(difference.undecided, 1);
  std::vector<double> wrong = values;
  wrong[5] = 2;
  EXPECT_EQ(
      compareRounded(floats(wrong), floats(values), floats(other), 32, 0x1p-24)
          .first,
      5);
}

TEST_F(DifferenceOf, FillersOfAMaskDoNotCount) {
  std::vector<double> values(20, 1), wrong;
  values[3] = -3.4e38;
  wrong = values;
  wrong[5] = 1.001;
  Difference difference = compareRounded(floats(wrong), floats(values),
                                         floats(values), 32, 0x1p-24);
  EXPECT_EQ(difference.first, 5);
  EXPECT_EQ(difference.largest, 1);
  wrong = values;
  wrong[3] = -1e30;
  EXPECT_EQ(
      compareRounded(floats(wrong), floats(values), floats(values), 32, 0x1p-24)
          .first,
      3);
}

TEST_F(DifferenceOf, LayoutsOfAStoredValue) {
  EXPECT_EQ(listLayouts({2, 3, 4, 5}, {2, 3, 4, 5}).front(), Axes());
  // Channels last.
  auto layouts = listLayouts({2, 4, 5, 3}, {2, 3, 4, 5});
  ASSERT_EQ(layouts.size(), 1u);
  EXPECT_EQ(layouts.front(), (Axes{0, 2, 3, 1}));
  // Sizes do not tell.
  EXPECT_EQ(listLayouts({2, 3, 3, 3}, {2, 3, 3, 3})[1], (Axes{0, 2, 3, 1}));
  // Axes of size 1 move no bytes.
  EXPECT_EQ(listLayouts({3, 1, 1}, {1, 3, 1}).size(), 1u);
  EXPECT_EQ(listLayouts({3, 1, 1}, {1, 3, 1}).front(), Axes());
  // A reshape, or a shape that is not known.
  EXPECT_EQ(listLayouts({6}, {2, 3}), (std::vector<Axes>{Axes(), Axes{1, 0}}));
  EXPECT_EQ(listLayouts({120}, {2, 3, 4, 5})[1], (Axes{0, 2, 3, 1}));
  EXPECT_EQ(listLayouts({3, 2}, {6}), (std::vector<Axes>{Axes()}));
}

TEST_F(DifferenceOf, StoredElementsAreArranged) {
  Type f32 = Builder(&context).getF32Type();
  // Stored 2x3: element (i, j) is (j, i) of 3x2.
  FailureOr<Tensor> tensor = arrange(stored({2, 3}), f32, {3, 2}, {1, 0});
  ASSERT_TRUE(succeeded(tensor));
  std::vector<double> got;
  for (int i = 0; i < 6; ++i)
    got.push_back(tensor->data()[i].number);
  EXPECT_EQ(got, (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_TRUE(succeeded(arrange(stored({0, 3}), f32, {3, 0}, {1, 0})));
}

TEST_F(DifferenceOf, IndicesAsText) {
  EXPECT_EQ(formatIndex(7, {2, 4}), "[1, 3]");
  EXPECT_EQ(formatIndex(0, {}), "[]");
}
