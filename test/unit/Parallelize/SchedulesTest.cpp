//===- SchedulesTest.cpp - orders of a pipeline's tasks -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Schedules.h"
#include "Pipelines.h"
#include "tenon/Parallelize/Simulate.h"

#include "gtest/gtest.h"

#include <functional>
#include <limits>

using namespace tenon::parallelize;

static std::vector<int64_t> getInFlightOfChain(std::vector<int64_t> sizes,
                                               int64_t miniBatch, int64_t k) {
  std::vector<int64_t> ks(sizes.size(), k);
  return getInFlight(makeChain(sizes, miniBatch), ks);
}

// The examples of GraphPipe's section 6, and the depth of 1F1B.
TEST(Schedules, InFlight) {
  using Samples = std::vector<int64_t>;
  EXPECT_EQ(getInFlightOfChain({4, 4, 4}, 64, 1), (Samples{12, 8, 4}));
  EXPECT_EQ(getInFlightOfChain({1, 2, 4}, 64, 1), (Samples{10, 8, 4}));
  EXPECT_EQ(getInFlightOfChain({1, 1, 1, 1}, 64, 1), (Samples{4, 3, 2, 1}));
  EXPECT_EQ(getInFlightOfChain({1, 1, 1, 1}, 64, 2), (Samples{8, 6, 4, 2}));
  // Stages whose successors have smaller micro-batches need more.
  EXPECT_EQ(getInFlightOfChain({4, 1, 2}, 64, 1), (Samples{12, 4, 2}));
  // No more than there are.
  EXPECT_EQ(getInFlightOfChain({4, 4, 4}, 8, 1), (Samples{8, 8, 4}));
}

TEST(Schedules, Alternating) {
  Pipeline chain = makeChain({1, 2}, 4);
  Schedule schedule = makeAlternatingSchedule(chain, {1, 1}, {3, 2});
  auto f = TaskKind::Forward, b = TaskKind::Backward;
  std::vector<std::vector<Task>> expected = {
      {{0, f, 0},
       {0, f, 1},
       {0, f, 2},
       {0, b, 0},
       {0, f, 3},
       {0, b, 1},
       {0, b, 2},
       {0, b, 3}},
      {{1, f, 0}, {1, b, 0}, {1, f, 1}, {1, b, 1}}};
  EXPECT_EQ(schedule.lanes, expected);
}

/// Calls `visit` with every order of the tasks of `stage` in which both kinds
/// are in the order of micro-batches, and each backward task is behind its
/// forward task.
static void forEachOrder(const Pipeline &pipeline, unsigned stage,
                         const std::function<void(std::vector<Task>)> &visit) {
  int64_t count = pipeline.getNumMicroBatches(stage);
  std::vector<Task> tasks;
  std::function<void(int64_t, int64_t)> extend = [&](int64_t f, int64_t b) {
    if (b == count)
      return visit(tasks);
    if (f < count) {
      tasks.push_back({stage, TaskKind::Forward, f});
      extend(f + 1, b);
      tasks.pop_back();
    }
    if (b < f) {
      tasks.push_back({stage, TaskKind::Backward, b});
      extend(f, b + 1);
      tasks.pop_back();
    }
  };
  extend(0, 0);
}

/// The least time of any orders of the tasks, with any number of samples in
/// flight.
static double findLeastSeconds(const Pipeline &pipeline) {
  double least = std::numeric_limits<double>::infinity();
  Schedule schedule;
  schedule.lanes.resize(pipeline.stages.size());
  std::function<void(unsigned)> extend = [&](unsigned stage) {
    if (stage < pipeline.stages.size())
      return forEachOrder(pipeline, stage, [&](std::vector<Task> tasks) {
        schedule.lanes[stage] = std::move(tasks);
        extend(stage + 1);
      });
    std::string reason;
    if (std::optional<Simulation> found = simulate(pipeline, schedule, reason))
      least = std::min(least, found->seconds);
  };
  extend(0);
  return least;
}

// Without link times, the samples of getInFlight are enough for the least time
// that any order reaches.
TEST(Schedules, AlternatingIsOptimalForChains) {
  unsigned count = 0;
  auto compare = [&](const std::vector<int64_t> &sizes) {
    Pipeline chain = makeChain(sizes, 4);
    double least = findLeastSeconds(chain);
    for (int64_t k : {1, 2}) {
      std::vector<int64_t> ks(sizes.size(), k);
      std::vector<int64_t> inFlight = getInFlight(chain, ks);
      std::string reason;
      std::optional<Simulation> found =
          simulate(chain, makeAlternatingSchedule(chain, ks, inFlight), reason);
      ASSERT_TRUE(found) << reason;
      EXPECT_EQ(found->seconds, least)
          << testing::PrintToString(sizes) << " with k = " << k;
      for (unsigned stage = 0; stage < sizes.size(); ++stage)
        EXPECT_LE(found->inFlight[stage], inFlight[stage]);
      ++count;
    }
  };
  for (int64_t a : {1, 2, 4})
    for (int64_t b : {1, 2, 4}) {
      compare({a, b});
      for (int64_t c : {1, 2, 4})
        compare({a, b, c});
    }
  EXPECT_EQ(count, 72u);
}

static double getListSeconds(const Pipeline &pipeline,
                             const ListOptions &options,
                             std::vector<int64_t> &inFlight) {
  std::string reason;
  std::optional<Schedule> schedule =
      makeListSchedule(pipeline, options, reason);
  EXPECT_TRUE(schedule) << reason;
  std::optional<Simulation> found = simulate(pipeline, *schedule, reason);
  EXPECT_TRUE(found) << reason;
  inFlight = found->inFlight;
  return found->seconds;
}

// With tasks of one second, 1F1B leaves each of four stages idle for 9 seconds
// (three forward and three backward tasks). Gradients of weights fill six of
// them, which is all that can be filled, with as many samples in flight as its
// first stage has.
TEST(Schedules, ZeroBubble) {
  Pipeline chain = makeChain({1, 1, 1, 1}, 16);
  ListOptions options{{4, 3, 2, 1}, false};
  std::vector<int64_t> inFlight;
  EXPECT_EQ(getListSeconds(chain, options, inFlight), 16 * 3 + 9);
  EXPECT_EQ(inFlight, options.inFlight);
  options.splitBackward = true;
  // ZB-H1: within the memory of 1F1B, the last stage never waits once it began.
  options.inFlight = {4, 4, 4, 4};
  EXPECT_EQ(getListSeconds(chain, options, inFlight), 16 * 3 + 3);
  EXPECT_EQ(getListSeconds(makeChain({1, 1, 1, 1}, 8), options, inFlight), 27);
}

// With two halves of each stage a lane apart, lanes are idle half as long.
TEST(Schedules, Interleaved) {
  for (unsigned parts : {1, 2, 4}) {
    Pipeline chain = makeChain(std::vector<int64_t>(4 * parts, 1), 16);
    for (unsigned stage = 0; stage < 4 * parts; ++stage) {
      Stage &part = chain.stages[stage];
      part.lane = stage % 4;
      part.forward = part.backwardInput = part.backwardWeight = 1.0 / parts;
    }
    std::string reason;
    std::optional<Schedule> schedule = makeInterleavedSchedule(chain, reason);
    ASSERT_TRUE(schedule) << reason;
    std::optional<Simulation> found = simulate(chain, *schedule, reason);
    ASSERT_TRUE(found) << reason;
    EXPECT_EQ(found->seconds, 16 * 3 + 9.0 / parts);
  }
}

TEST(Schedules, InterleavedErrors) {
  std::string reason;
  Pipeline chain = makeChain({1, 1, 1}, 4);
  chain.stages[2].lane = 0;
  EXPECT_FALSE(makeInterleavedSchedule(chain, reason));
  EXPECT_EQ(reason,
            "expected stages of one micro-batch size in turn on each of 2 "
            "lanes");
  EXPECT_FALSE(makeInterleavedSchedule(makeChain({1, 1}, 3), reason));
  EXPECT_EQ(reason, "expected a number of micro-batches that is a multiple of "
                    "2, but got 3");
}

TEST(Schedules, TooFewInFlight) {
  std::string reason;
  Pipeline chain = makeChain({1, 2}, 4);
  EXPECT_FALSE(makeListSchedule(chain, {{1, 2}, false}, reason));
  EXPECT_EQ(reason,
            "stage 0 can't continue with 1 samples in flight: backward 0 "
            "of stage 0 waits");
}
