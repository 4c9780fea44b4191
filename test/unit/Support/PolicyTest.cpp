//===- PolicyTest.cpp - how a model is compiled ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/Policy.h"

#include "gtest/gtest.h"

using namespace tenon;

namespace {

TEST(PolicyTest, NamesAreRead) {
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
TEST(PolicyTest, ListsHoldAllNames) {
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

TEST(PolicyTest, SaysWhatIsAllowed) {
  Policy policy;
  EXPECT_TRUE(policy.mayReassociate());
  EXPECT_FALSE(policy.isForGpu());
  EXPECT_FALSE(policy.storesHalf());
  policy.fp = FpMode::Strict;
  EXPECT_FALSE(policy.mayReassociate());
  policy.fp = FpMode::Finite;
  EXPECT_TRUE(policy.mayReassociate());
  // Only kernels for GPUs round factors.
  policy.precision = Precision::TF32;
  EXPECT_FALSE(policy.mayRoundFactors());
  policy.device = Device::Cuda;
  EXPECT_TRUE(policy.mayRoundFactors());
  EXPECT_FALSE(policy.storesHalf());
  for (Precision precision : {Precision::F16, Precision::BF16}) {
    policy.precision = precision;
    EXPECT_TRUE(policy.storesHalf());
    EXPECT_FALSE(policy.mayRoundFactors());
  }
}

TEST(PolicyTest, EveryFieldIsCompared) {
  const Policy usual;
  EXPECT_EQ(usual, Policy());
  Policy others[6];
  others[0].fp = FpMode::Strict;
  others[1].precision = Precision::F16;
  others[2].device = Device::Cuda;
  others[3].archs = {"sm_80"};
  others[4].host = "cpu:native";
  others[5].levels = {};
  for (const Policy &other : others)
    EXPECT_NE(other, usual);
}

} // namespace
