//===- PhiloxTest.cpp - tests of random numbers -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Philox.h"
#include "tenon/Artifact/TensorData.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tenon::artifact;

// The known answers of Random123's kat_vectors.
TEST(Philox, KnownAnswers) {
  using Block = std::array<uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

static std::vector<double> draw(int64_t count, const Distribution &distribution,
                                DType dtype = DType::F64,
                                const char *name = "x") {
  TensorData tensor = *TensorData::zeros(dtype, {count});
  fillRandom(tensor.bytes.data(), dtype, 0, count, streamKey(1, name),
             distribution);
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(tensor.get(i));
  return values;
}

TEST(Philox, NormalMatchesTheLibraryAndHasItsMoments) {
  std::vector<double> values = draw(200000, Distribution::normal());
  double sum = 0, square = 0, fourth = 0;
  for (double x : values) {
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
  }
  double n = static_cast<double>(values.size());
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(square / n, 1, 0.02);
  EXPECT_NEAR(fourth / n, 3, 0.1);
  // The same transformation by way of the C library.
  uint64_t key = streamKey(1, "x");
  for (uint32_t pair = 0; pair < 1000; ++pair) {
    auto block =
        philox4x32({pair, 0, 0, 0}, {static_cast<uint32_t>(key),
                                     static_cast<uint32_t>(key >> 32)});
    uint64_t r0 = block[0] | uint64_t(block[1]) << 32;
    uint64_t r1 = block[2] | uint64_t(block[3]) << 32;
    double radius = std::sqrt(-2 * std::log(1 - double(r0 >> 11) * 0x1p-53));
    double angle = 2 * M_PI * (double(r1 >> 11) * 0x1p-53);
    EXPECT_NEAR(values[2 * pair], radius * std::cos(angle), 1e-13);
    EXPECT_NEAR(values[2 * pair + 1], radius * std::sin(angle), 1e-13);
  }
}

// Bits that must never change: models are compared by them. The numbers come
// from a separate program written after Philox.h.
TEST(Philox, StaysTheSame) {
  EXPECT_EQ(streamKey(0, ""), 9886184608339236366ull);
  std::vector<double> values = draw(4, Distribution::normal(), DType::F32);
  std::vector<double> units = draw(2, Distribution::uniform(0, 1));
  std::vector<double> integers =
      draw(4, Distribution::integers(-5, 1000), DType::I32);
  EXPECT_EQ(values,
            (std::vector<double>{0x1.4b0b1a0000000p-1, 0x1.d2acaa0000000p-2,
                                 0x1.3a1c900000000p-1, 0x1.6ff9720000000p-3}));
  EXPECT_EQ(units,
            (std::vector<double>{0x1.131b0629a2300p-2, 0x1.9040130a3dd98p-4}));
  EXPECT_EQ(integers, (std::vector<double>{265, 93, 180, 40}));
}

TEST(Philox, RangesAreHalfOpen) {
  for (double x : draw(100000, Distribution::uniform(-2, 3), DType::F32)) {
    EXPECT_GE(x, -2);
    EXPECT_LT(x, 3);
  }
  bool seen[3] = {};
  for (double x : draw(1000, Distribution::integers(-1, 2), DType::I8)) {
    ASSERT_TRUE(x >= -1 && x <= 1) << x;
    seen[static_cast<int>(x) + 1] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1] && seen[2]);
  for (double x :
       draw(10, Distribution::integers(INT64_MIN, INT64_MAX), DType::I64))
    EXPECT_NE(x, 0);
}

TEST(Philox, AnySplitGivesTheSame) {
  for (DType dtype : {DType::F32, DType::F16, DType::I64}) {
    Distribution distribution = defaultInputDistribution(dtype);
    std::vector<uint8_t> whole(101 * dtypeSize(dtype)), parts(whole.size());
    fillRandom(whole.data(), dtype, 0, 101, 7, distribution);
    for (int64_t begin = 0; begin < 101; begin += 13)
      fillRandom(parts.data() + begin * dtypeSize(dtype), dtype, begin,
                 std::min<int64_t>(begin + 13, 101), 7, distribution);
    EXPECT_EQ(whole, parts);
  }
}

TEST(Philox, StreamsDiffer) {
  EXPECT_NE(draw(4, Distribution::normal(), DType::F32, "x"),
            draw(4, Distribution::normal(), DType::F32, "y"));
  EXPECT_NE(streamKey(0, "x"), streamKey(1, "x"));
}

TEST(Philox, ParametersScaleWithTheirFan) {
  Distribution conv = defaultParameterDistribution(DType::F32, {64, 32, 3, 3});
  EXPECT_EQ(conv.kind, Distribution::Uniform);
  EXPECT_DOUBLE_EQ(conv.high, std::sqrt(6.0 / (32 * 9)));
  Distribution bias = defaultParameterDistribution(DType::F32, {64});
  EXPECT_EQ(bias.low, 0.5);
  EXPECT_EQ(defaultParameterDistribution(DType::I64, {2}).kind,
            Distribution::Int);
}
