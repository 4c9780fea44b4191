//===- ArenaPlanTest.cpp - tests of placing buffers ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/ArenaPlan.h"

#include <gtest/gtest.h>

#include <random>

using namespace tenon::runtime;

static void expectValid(const std::vector<ArenaItem> &items,
                        const std::vector<int64_t> &offsets, int64_t total) {
  ASSERT_EQ(offsets.size(), items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(offsets[i] % arenaAlignment, 0);
    EXPECT_GE(offsets[i], 0);
    EXPECT_LE(offsets[i] + items[i].bytes, total);
    for (size_t j = 0; j < i; ++j) {
      bool meet = items[i].firstStep <= items[j].lastStep &&
                  items[j].firstStep <= items[i].lastStep;
      bool overlap = offsets[i] < offsets[j] + items[j].bytes &&
                     offsets[j] < offsets[i] + items[i].bytes;
      EXPECT_FALSE(meet && overlap) << i << " and " << j;
    }
  }
}

TEST(ArenaPlan, ReusesMemory) {
  std::vector<ArenaItem> items = {{640, 0, 1}, {64, 1, 2}, {640, 2, 3}};
  std::vector<int64_t> offsets;
  EXPECT_EQ(planArena(items, offsets), 704);
  EXPECT_EQ(offsets[0], offsets[2]);
  expectValid(items, offsets, 704);
}

TEST(ArenaPlan, TakesTheSmallestGap) {
  // Items 0, 2 and 4 live on; where 1 and 3 were, gaps of 1216 and 1088 bytes
  // open at step 1. The last item belongs in the smaller, later one.
  std::vector<ArenaItem> items = {{1280, 0, 9}, {1216, 0, 0}, {1152, 0, 9},
                                  {1088, 0, 0}, {1024, 0, 9}, {500, 1, 9}};
  std::vector<int64_t> offsets;
  int64_t total = planArena(items, offsets);
  expectValid(items, offsets, total);
  EXPECT_LT(offsets[1], offsets[3]);
  EXPECT_EQ(offsets[5], offsets[3]);
}

TEST(ArenaPlan, EmptyAndZero) {
  std::vector<int64_t> offsets;
  EXPECT_EQ(planArena({}, offsets), 0);
  EXPECT_EQ(planArena({{0, 0, 5}, {1, 0, 5}}, offsets), 64);
  EXPECT_EQ(arenaLowerBound({{0, 0, 5}, {1, 0, 5}}), 64);
}

TEST(ArenaPlan, RandomPlansAreValidAndTight) {
  std::mt19937 random(7);
  double worst = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<ArenaItem> items(1 + random() % 60);
    for (ArenaItem &item : items) {
      item.bytes = static_cast<int64_t>(random() % 5000);
      item.firstStep = static_cast<int32_t>(random() % 40);
      item.lastStep = item.firstStep + static_cast<int32_t>(random() % 6);
    }
    std::vector<int64_t> offsets;
    int64_t total = planArena(items, offsets);
    expectValid(items, offsets, total);
    int64_t bound = arenaLowerBound(items);
    EXPECT_GE(total, bound);
    worst =
        std::max(worst, double(total) / double(std::max<int64_t>(bound, 1)));
  }
  EXPECT_LT(worst, 1.5);
}
