//===- DTypeTest.cpp - tests of element types and tensors ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/TensorData.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tenon::artifact;

TEST(DType, HalfRoundTripsEveryPattern) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float wide = halfToFloat(static_cast<uint16_t>(bits));
    if (std::isnan(wide))
      EXPECT_TRUE(std::isnan(halfToFloat(toHalf(wide)))) << bits;
    else
      EXPECT_EQ(toHalf(wide), bits);
  }
}

TEST(DType, BfloatRoundTripsEveryPattern) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float wide = bfloatToFloat(static_cast<uint16_t>(bits));
    if (std::isnan(wide))
      EXPECT_TRUE(std::isnan(bfloatToFloat(toBfloat(wide)))) << bits;
    else
      EXPECT_EQ(toBfloat(wide), bits) << wide;
  }
}

TEST(DType, RoundsHalfwayToEven) {
  EXPECT_EQ(toHalf(1 + 0x1p-11), toHalf(1.0));
  EXPECT_EQ(toHalf(1 + 0x3p-11), toHalf(1 + 0x1p-9));
  EXPECT_EQ(toHalf(1 + 0x1p-11 + 0x1p-40), toHalf(1 + 0x1p-10));
  EXPECT_EQ(toHalf(65519.999), 0x7bff);
  EXPECT_EQ(toHalf(65520), 0x7c00);
  EXPECT_EQ(toHalf(0x1p-25), 0);
  EXPECT_EQ(toHalf(0x1.0001p-25), 1);
  EXPECT_EQ(toHalf(-0.0), 0x8000);
  EXPECT_EQ(toBfloat(1 + 0x1p-8), toBfloat(1.0));
  EXPECT_EQ(toBfloat(0x1p-134), 0);
  EXPECT_EQ(toBfloat(0x1p-133), 1);
}

TEST(DType, CodesOfDLPack) {
  for (DType dtype :
       {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32,
        DType::I8, DType::U8, DType::Bool}) {
    EXPECT_EQ(fromDLDType(toDLDType(dtype)), dtype);
    EXPECT_EQ(parseDType(dtypeName(dtype)), dtype);
  }
  EXPECT_FALSE(fromDLDType({TENON_DL_FLOAT, 8, 1}));
  EXPECT_FALSE(fromDLDType({TENON_DL_FLOAT, 32, 4}));
  EXPECT_FALSE(parseDType("u16"));
}

TEST(TensorData, Converts) {
  TensorData from = *TensorData::zeros(DType::F64, {6});
  double values[] = {1.75, -1.75, 300, NAN, -INFINITY, 1e300};
  for (int i = 0; i < 6; ++i)
    from.set(i, values[i]);
  TensorData bytes = from.convert(DType::I8);
  int64_t expected[] = {1, -1, 127, 0, -128, 127};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(bytes.getInteger(i), expected[i]) << i;
  EXPECT_EQ(from.convert(DType::I64).getInteger(5),
            std::numeric_limits<int64_t>::max());

  TensorData wide = *TensorData::zeros(DType::I64, {2});
  wide.setInteger(0, (int64_t(1) << 53) + 1);
  wide.setInteger(1, 257);
  EXPECT_EQ(wide.getInteger(0), (int64_t(1) << 53) + 1);
  EXPECT_EQ(wide.convert(DType::U8).getInteger(1), 1);
  EXPECT_EQ(wide.convert(DType::Bool).getInteger(1), 1);
}

TEST(TensorData, RefusesImpossibleShapes) {
  EXPECT_EQ(TensorData::zeros(DType::F32, {2, -1}).error(),
            "expected sizes of at least 0, but got -1");
  EXPECT_FALSE(TensorData::zeros(DType::F32, {1 << 30, 1 << 30, 1 << 30}));
  EXPECT_TRUE(TensorData::zeros(DType::F32, {int64_t(1) << 62, 0}));
  EXPECT_EQ(TensorData::zeros(DType::F32, {})->numElements(), 1);
}
