//===- PlacedBuffersTest.cpp - what is alive together ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/PlacedBuffers.h"

#include "gtest/gtest.h"

#include <random>

using namespace tenon::artifact;

static bool meet(const Lifetime &a, const Lifetime &b) {
  return a.first <= b.last && b.first <= a.last;
}

TEST(PlacedBuffers, FindsWhatIsAliveByOffset) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 50; ++round) {
    std::vector<Lifetime> lives(1 + random() % 60);
    for (Lifetime &life : lives) {
      life.first = random() % 40;
      life.last = life.first + random() % (round % 2 ? 4 : 40);
    }
    PlacedBuffers placed(lives);
    std::vector<std::pair<int64_t, size_t>> known; // in order of placement
    for (size_t buffer = 0; buffer < lives.size(); ++buffer) {
      std::vector<std::pair<int64_t, size_t>> expected;
      for (const auto &[offset, other] : known)
        if (meet(lives[buffer], lives[other]))
          expected.emplace_back(offset, other);
      std::stable_sort(
          expected.begin(), expected.end(),
          [](const auto &a, const auto &b) { return a.first < b.first; });
      std::vector<size_t> order;
      for (const auto &[offset, other] : expected)
        order.push_back(other);
      EXPECT_EQ(placed.findAlive(buffer), order) << "round " << round;
      EXPECT_FALSE(placed.getEndIfCrowded(buffer));
      int64_t offset = random() % 8 * 64;
      placed.place(buffer, offset, offset + 64);
      known.emplace_back(offset, buffer);
    }
  }
}

TEST(PlacedBuffers, CrowdsAreNotLookedThrough) {
  std::mt19937 random(4);
  std::vector<Lifetime> lives(20000);
  for (Lifetime &life : lives) {
    life.first = random() % 3000;
    life.last = life.first + random() % 1000;
  }
  PlacedBuffers placed(lives);
  std::vector<int64_t> ends(lives.size(), 0);
  unsigned numCrowded = 0;
  for (size_t buffer = 0; buffer < lives.size(); ++buffer) {
    if (buffer % 100 == 0) {
      int64_t most = 0;
      size_t count = 0;
      for (size_t other = 0; other < buffer; ++other)
        if (meet(lives[buffer], lives[other])) {
          most = std::max(most, ends[other]);
          ++count;
        }
      std::optional<int64_t> end = placed.getEndIfCrowded(buffer);
      EXPECT_EQ(end.has_value(), count > 1024);
      if (end)
        EXPECT_EQ(*end, most);
      numCrowded += end.has_value();
    }
    ends[buffer] = 64 * (1 + random() % 100000);
    placed.place(buffer, ends[buffer] - 64, ends[buffer]);
  }
  EXPECT_GT(numCrowded, 50u);
}
