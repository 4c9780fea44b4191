//===- ArenaPlanTest.cpp - offsets of buffers in one arena ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Lower/ArenaPlan.h"

#include "gtest/gtest.h"

#include <random>

using namespace tenon::lower;

TEST(ArenaPlan, ReusesWhatIsDead) {
  // A chain of three: the third takes the place of the first.
  ArenaPlan plan = planArena({{128, 0, 1}, {64, 1, 2}, {128, 2, 3}});
  EXPECT_EQ(plan.bytes, 192);
  EXPECT_EQ(plan.offsets[0], plan.offsets[2]);
  EXPECT_EQ(plan.offsets[1], 128);
}

TEST(ArenaPlan, AlignsAndAllowsEmpty) {
  ArenaPlan plan = planArena({{1, 0, 0}, {1, 0, 0}, {0, 0, 0}});
  EXPECT_EQ(plan.bytes, 128);
  EXPECT_EQ(plan.offsets[0] + plan.offsets[1], 64);
  EXPECT_EQ(planArena({}).bytes, 0);
}

TEST(ArenaPlan, NeverOverlaps) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    llvm::SmallVector<ArenaInterval> intervals;
    for (int i = 0; i < 60; ++i) {
      unsigned first = random() % 40;
      intervals.push_back(
          {int64_t(random() % 5000), first, first + unsigned(random() % 8)});
    }
    ArenaPlan plan = planArena(intervals);
    // No plan is smaller than what is alive at one time.
    int64_t peak = 0;
    for (unsigned step = 0; step < 48; ++step) {
      int64_t alive = 0;
      for (const ArenaInterval &interval : intervals)
        if (interval.firstStep <= step && step <= interval.lastStep)
          alive += interval.bytes;
      peak = std::max(peak, alive);
    }
    EXPECT_GE(plan.bytes, peak);
    EXPECT_LE(plan.bytes, 2 * peak);
    for (size_t a = 0; a < intervals.size(); ++a) {
      EXPECT_EQ(plan.offsets[a] % arenaAlignment, 0);
      EXPECT_LE(plan.offsets[a] + intervals[a].bytes, plan.bytes);
      for (size_t b = 0; b < a; ++b) {
        bool together = intervals[a].firstStep <= intervals[b].lastStep &&
                        intervals[b].firstStep <= intervals[a].lastStep;
        bool apart = plan.offsets[a] + intervals[a].bytes <= plan.offsets[b] ||
                     plan.offsets[b] + intervals[b].bytes <= plan.offsets[a];
        EXPECT_TRUE(!together || apart || intervals[a].bytes == 0 ||
                    intervals[b].bytes == 0);
      }
    }
  }
}
