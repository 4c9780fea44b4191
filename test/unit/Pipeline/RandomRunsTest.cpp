//===- RandomRunsTest.cpp - random valid schedules are run ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random pipelines under random valid schedules run on threads, end, and give
// the bits of their ranks one after the other. TENON_PIPELINE_RUNS says how
// many; the test takes 500.
//
//===----------------------------------------------------------------------===//

#include "RandomRun.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace tenon;

TEST(RandomRuns, EndWithTheSameBits) {
  const char *wanted = std::getenv("TENON_PIPELINE_RUNS");
  const char *first = std::getenv("TENON_PIPELINE_SEED");
  uint64_t count = wanted ? std::strtoull(wanted, nullptr, 10) : 500;
  uint64_t seed = first ? std::strtoull(first, nullptr, 10) : 1;
  uint64_t numRun = 0;
  for (uint64_t number = seed; numRun < count; ++number) {
    RandomRun one(number);
    std::string reason;
    // Not every list schedule fits to transfers in order.
    if (!one.make(reason))
      continue;
    ++numRun;
    std::string error;
    std::vector<float> inTurn = one.run(1, error);
    ASSERT_EQ(error, "") << "seed " << number;
    std::vector<float> onThreads = one.run(0, error);
    ASSERT_EQ(error, "") << "seed " << number;
    ASSERT_EQ(inTurn, onThreads) << "seed " << number;
    ASSERT_NE(inTurn[1], 0) << "seed " << number;
  }
}
