//===- RecomputePlanTest.cpp - tests of plans of recomputation ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Differentiate/RecomputePlan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

using namespace tenon::differentiate;

namespace {
/// Ops one after another, each of which reads the value of the one before.
struct OpChain {
  std::vector<int64_t> bytes;
  std::vector<double> work;
  std::vector<bool> isRead; // by the backward pass

  unsigned size() const { return bytes.size(); }

  std::vector<ForwardStep> getSteps() const {
    std::vector<ForwardStep> steps(size());
    for (unsigned i = 0; i < size(); ++i) {
      steps[i].work = work[i];
      steps[i].saved = isRead[i] ? bytes[i] : 0;
      if (i > 0) {
        steps[i].boundary = bytes[i - 1];
        steps[i].shared = steps[i - 1].saved;
      }
    }
    return steps;
  }

  static OpChain draw(std::mt19937 &random, unsigned size) {
    auto number = [&](int least, int most) {
      return std::uniform_int_distribution<int>(least, most)(random);
    };
    OpChain chain;
    for (unsigned i = 0; i < size; ++i) {
      chain.bytes.push_back(number(0, 3) ? number(1, 20) : number(50, 100));
      chain.work.push_back(number(0, 3) ? number(1, 5) : number(20, 40));
      chain.isRead.push_back(number(0, 2) > 0);
    }
    return chain;
  }
};

struct Outcome {
  int64_t bytes = 0;
  double work = 0;
};
} // namespace

/// What a plan keeps and adds, counted by sets of values.
static Outcome simulate(const OpChain &chain,
                        const std::vector<ForwardSegment> &segments) {
  unsigned size = chain.size();
  std::vector<bool> isHeld(size);
  for (const ForwardSegment &segment : segments) {
    if (segment.again) {
      if (segment.begin > 0)
        isHeld[segment.begin - 1] = true;
      if (segment.end < size)
        isHeld[segment.end - 1] = true;
      continue;
    }
    for (unsigned i = segment.begin; i < segment.end; ++i)
      if (chain.isRead[i])
        isHeld[i] = true;
  }
  Outcome outcome;
  for (unsigned i = 0; i < size; ++i)
    outcome.bytes += isHeld[i] ? chain.bytes[i] : 0;
  for (const ForwardSegment &segment : segments) {
    if (!segment.again)
      continue;
    int64_t bytes = 0;
    double work = 0, needed = 0;
    for (unsigned i = 0; i < segment.end; ++i) {
      bool isInside = i >= segment.begin;
      if (isHeld[i] || (isInside && chain.isRead[i]))
        bytes += chain.bytes[i];
      if (!isInside)
        continue;
      work += chain.work[i];
      if (chain.isRead[i] && !isHeld[i])
        needed = work;
    }
    outcome.bytes = std::max(outcome.bytes, bytes);
    outcome.work += needed;
  }
  return outcome;
}

/// Calls `visit` with each way to divide and keep the steps.
static void enumerate(
    unsigned size,
    const std::function<void(const std::vector<ForwardSegment> &)> &visit) {
  std::vector<ForwardSegment> segments;
  std::function<void(unsigned)> extend = [&](unsigned place) {
    if (place == size)
      return visit(segments);
    segments.push_back({place, place + 1, false});
    extend(place + 1);
    segments.pop_back();
    for (unsigned end = place + 1; end <= size; ++end) {
      segments.push_back({place, end, true});
      extend(end);
      segments.pop_back();
    }
  };
  extend(0);
}

TEST(RecomputePlan, EqualsBruteForce) {
  std::mt19937 random(1);
  unsigned numSaving = 0;
  for (unsigned round = 0; round < 200; ++round) {
    OpChain chain = OpChain::draw(random, 1 + round % 8);
    std::vector<ForwardStep> steps = chain.getSteps();
    std::vector<Outcome> outcomes;
    enumerate(chain.size(), [&](const std::vector<ForwardSegment> &segments) {
      outcomes.push_back(simulate(chain, segments));
    });
    int64_t least = INT64_MAX, most = 0;
    for (const Outcome &outcome : outcomes)
      least = std::min(least, outcome.bytes);
    for (const ForwardStep &step : steps)
      most += step.saved;
    EXPECT_EQ(findLeastBytes(steps), least) << "round " << round;
    EXPECT_FALSE(planRecompute(steps, least - 1)) << "round " << round;
    numSaving += least < most;
    for (int64_t limit : {least, least + (most - least) / 3,
                          least + 2 * (most - least) / 3, most}) {
      double best = INFINITY;
      for (const Outcome &outcome : outcomes)
        if (outcome.bytes <= limit)
          best = std::min(best, outcome.work);
      std::optional<RecomputePlan> plan = planRecompute(steps, limit);
      ASSERT_TRUE(plan) << "round " << round << ", limit " << limit;
      EXPECT_TRUE(plan->isExact);
      EXPECT_EQ(plan->work, best) << "round " << round << ", limit " << limit;
      Outcome outcome = simulate(chain, plan->segments);
      EXPECT_EQ(outcome.bytes, plan->bytes) << "round " << round;
      EXPECT_EQ(outcome.work, plan->work) << "round " << round;
      EXPECT_LE(plan->bytes, limit);
    }
  }
  EXPECT_GT(numSaving, 50u);
}

TEST(RecomputePlan, NeedsTheRootOfALongChain) {
  OpChain chain;
  chain.bytes.assign(100, 1);
  chain.work.assign(100, 1);
  chain.isRead.assign(100, true);
  std::vector<ForwardStep> steps = chain.getSteps();
  // k segments of 100/k values: the borders and the values of one segment.
  EXPECT_LE(findLeastBytes(steps), 20);
  std::optional<RecomputePlan> plan = planRecompute(steps, 20);
  ASSERT_TRUE(plan);
  EXPECT_LE(plan->work, 100);
  // Without a limit, nothing is computed again.
  plan = planRecompute(steps, 100);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->work, 0);
  EXPECT_EQ(plan->bytes, 100);
}

TEST(RecomputePlan, LeavesPlansOutIfThereAreTooMany) {
  std::mt19937 random(2);
  OpChain chain = OpChain::draw(random, 60);
  for (int64_t &bytes : chain.bytes)
    bytes = bytes * 1000003 + random() % 1000000;
  for (double &work : chain.work)
    work += std::uniform_real_distribution<double>(0, 1)(random);
  std::vector<ForwardStep> steps = chain.getSteps();
  int64_t least = findLeastBytes(steps);
  EXPECT_TRUE(planRecompute(steps, least));
  std::optional<RecomputePlan> plan = planRecompute(steps, 3 * least);
  ASSERT_TRUE(plan);
  EXPECT_LE(plan->bytes, 3 * least);
}

TEST(RecomputePlan, TakesEmptyChains) {
  EXPECT_EQ(findLeastBytes({}), 0);
  EXPECT_TRUE(planRecompute({}, 0)->segments.empty());
}
