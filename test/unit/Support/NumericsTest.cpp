//===- NumericsTest.cpp - words of numerics -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/Numerics.h"

#include "gtest/gtest.h"

using namespace tenon;

namespace {

TEST(NumericsTest, NamesAreRead) {
  for (FpMode mode : {FpMode::Strict, FpMode::Reassociate, FpMode::Finite})
    EXPECT_EQ(parseFpMode(getName(mode)), mode);
  for (Precision precision :
       {Precision::F32, Precision::TF32, Precision::F16, Precision::BF16})
    EXPECT_EQ(parsePrecision(getName(precision)), precision);
  for (Device device : {Device::Cpu, Device::Cuda})
    EXPECT_EQ(parseDevice(getName(device)), device);
  for (const char *other :
       {"", "Strict", "strict ", "f64", "gpu", "cpu,cuda"}) {
    EXPECT_EQ(parseFpMode(other), std::nullopt) << other;
    EXPECT_EQ(parsePrecision(other), std::nullopt) << other;
    EXPECT_EQ(parseDevice(other), std::nullopt) << other;
  }
}

/// Lists for diagnostics hold every name that is read.
TEST(NumericsTest, ListsHoldAllNames) {
  EXPECT_EQ(kFpModes,
            (getName(FpMode::Strict) + ", " + getName(FpMode::Reassociate) +
             " or " + getName(FpMode::Finite))
                .str());
  EXPECT_EQ(kPrecisions,
            (getName(Precision::F32) + ", " + getName(Precision::TF32) + ", " +
             getName(Precision::F16) + " or " + getName(Precision::BF16))
                .str());
  EXPECT_EQ(kDevices,
            (getName(Device::Cpu) + " or " + getName(Device::Cuda)).str());
}

TEST(NumericsTest, SaysWhatIsAllowed) {
  Numerics numerics;
  EXPECT_TRUE(numerics.mayReassociate());
  EXPECT_FALSE(numerics.storesHalf());
  EXPECT_FALSE(numerics.mayRoundFactors());
  numerics.fp = FpMode::Strict;
  EXPECT_FALSE(numerics.mayReassociate());
  numerics.fp = FpMode::Finite;
  EXPECT_TRUE(numerics.mayReassociate());
  numerics.precision = Precision::TF32;
  EXPECT_TRUE(numerics.mayRoundFactors());
  EXPECT_FALSE(numerics.storesHalf());
  for (Precision precision : {Precision::F16, Precision::BF16}) {
    numerics.precision = precision;
    EXPECT_TRUE(numerics.storesHalf());
    EXPECT_FALSE(numerics.mayRoundFactors());
  }
}

} // namespace
