//===- SimulateTest.cpp - simulated pipelines -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Simulate.h"
#include "Pipelines.h"
#include "tenon/Parallelize/Schedules.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tenon::parallelize;

static double getSeconds(const Pipeline &pipeline, const Schedule &schedule) {
  std::string reason;
  std::optional<Simulation> simulation = simulate(pipeline, schedule, reason);
  EXPECT_TRUE(simulation) << reason;
  return simulation ? simulation->seconds : -1;
}

static double getAlternatingSeconds(const Pipeline &pipeline, int64_t k,
                                    std::vector<int64_t> inFlight = {}) {
  std::vector<int64_t> ks(pipeline.stages.size(), k);
  if (inFlight.empty())
    inFlight = getInFlight(pipeline, ks);
  return getSeconds(pipeline, makeAlternatingSchedule(pipeline, ks, inFlight));
}

// Each of four stages is idle for three forward and three backward
// tasks: 64 * 3 + 3 * 3.
TEST(Simulate, ChainWithoutLinkTime) {
  Pipeline chain = makeChain({1, 1, 1, 1}, 64);
  EXPECT_EQ(getAlternatingSeconds(chain, 1), 201);
  EXPECT_EQ(getSeconds(chain, makeGPipeSchedule(chain)), 201);
  EXPECT_EQ(getSeconds(chain, makeForwardSchedule(chain)), 67);
}

// If a message takes as long as a task, one forward task for each backward task
// is a bad choice, and a longer warm-up or larger groups hide the messages.
TEST(Simulate, LinkTime) {
  const double hops[] = {0.25, 0.5, 1, 2};
  const double one[] = {226, 251, 301, 401}, two[] = {203, 204, 207, 236};
  const double four[] = {203, 204, 207, 213}, eager[] = {203, 204, 207, 240};
  for (unsigned n = 0; n < 4; ++n) {
    Pipeline chain = makeChain({1, 1, 1, 1}, 64);
    for (Link &link : chain.links)
      link.latency = hops[n];
    EXPECT_NEAR(getAlternatingSeconds(chain, 1), one[n], 1) << hops[n];
    EXPECT_NEAR(getAlternatingSeconds(chain, 2), two[n], 1) << hops[n];
    EXPECT_NEAR(getAlternatingSeconds(chain, 4), four[n], 1) << hops[n];
    EXPECT_NEAR(getAlternatingSeconds(chain, 1, {7, 5, 3, 1}), eager[n], 1)
        << hops[n];
  }
}

// A link sends one message after the other; a latency delays each by itself.
TEST(Simulate, LinksAreShared) {
  Pipeline chain = makeChain({1, 1}, 8);
  chain.stages[0].forward = chain.stages[1].forward = 1;
  chain.links[0].secondsPerSample = 3;
  EXPECT_EQ(getSeconds(chain, makeForwardSchedule(chain)), 1 + 8 * 3 + 1);
  chain.links[0].secondsPerSample = 0;
  chain.links[0].latency = 3;
  EXPECT_EQ(getSeconds(chain, makeForwardSchedule(chain)), 8 + 3 + 1);
}

// Eight branches of four stages between two ends are as deep as a chain of
// their length; as one chain, they are eight times as deep.
TEST(Simulate, BranchesAreShallow) {
  Pipeline branches;
  branches.miniBatch = 64;
  for (unsigned branch = 0; branch < 8; ++branch)
    for (unsigned layer = 0; layer < 4; ++layer) {
      unsigned stage = addStage(branches, 1);
      if (layer > 0)
        branches.links.push_back({stage - 1, stage});
    }
  unsigned trunk = addStage(branches, 1);
  for (unsigned branch = 0; branch < 8; ++branch)
    branches.links.push_back({4 * branch + 3, trunk});
  Pipeline chain = makeChain(std::vector<int64_t>(33, 1), 64);
  EXPECT_EQ(getAlternatingSeconds(branches, 1), 204);
  EXPECT_EQ(getAlternatingSeconds(chain, 1), 288);
}

// A stage of larger micro-batches waits for several messages; one of smaller
// micro-batches gets several out of one.
TEST(Simulate, UnequalMicroBatches) {
  Pipeline chain = makeChain({1, 4}, 8);
  // The first stage ends at 4, the second runs 4 more seconds, twice.
  EXPECT_EQ(getSeconds(chain, makeForwardSchedule(chain)), 12);
  chain = makeChain({4, 1}, 8);
  // The first stage takes 4 seconds for each of its micro-batches.
  EXPECT_EQ(getSeconds(chain, makeForwardSchedule(chain)), 12);
  // Neither divides the other.
  chain = makeChain({2, 3}, 6);
  EXPECT_EQ(getSeconds(chain, makeForwardSchedule(chain)), 4 + 3 + 3);
}

// The gradients of the weights fill what would be idle.
TEST(Simulate, SplitBackward) {
  Pipeline chain = makeChain({1, 1}, 2);
  Schedule schedule;
  auto forward = TaskKind::Forward, input = TaskKind::BackwardInput,
       weight = TaskKind::BackwardWeight;
  schedule.lanes = {{{0, forward, 0},
                     {0, forward, 1},
                     {0, input, 0},
                     {0, weight, 0},
                     {0, input, 1},
                     {0, weight, 1}},
                    {{1, forward, 0},
                     {1, input, 0},
                     {1, forward, 1},
                     {1, input, 1},
                     {1, weight, 0},
                     {1, weight, 1}}};
  std::string reason;
  std::optional<Simulation> simulation = simulate(chain, schedule, reason);
  ASSERT_TRUE(simulation) << reason;
  EXPECT_EQ(simulation->seconds, 7);
  EXPECT_EQ(simulation->inFlight, (std::vector<int64_t>{2, 2}));
}

TEST(Simulate, Interleaved) {
  // Two stages of one lane, around a third.
  Pipeline chain = makeChain({1, 1, 1}, 1);
  chain.stages[2].lane = 0;
  Schedule schedule;
  schedule.lanes = {{{0, TaskKind::Forward, 0},
                     {2, TaskKind::Forward, 0},
                     {2, TaskKind::Backward, 0},
                     {0, TaskKind::Backward, 0}},
                    {{1, TaskKind::Forward, 0}, {1, TaskKind::Backward, 0}}};
  EXPECT_EQ(getSeconds(chain, schedule), 9);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string getReason(const Pipeline &pipeline,
                             const Schedule &schedule) {
  std::string reason;
  EXPECT_FALSE(simulate(pipeline, schedule, reason));
  return reason;
}

TEST(Simulate, Errors) {
  Pipeline chain = makeChain({1, 2}, 4);
  Schedule good = makeGPipeSchedule(chain), bad = good;
  std::swap(bad.lanes[0][3], bad.lanes[0][4]);
  EXPECT_EQ(getReason(chain, bad),
            "the schedule does not end: backward 0 of stage 0 waits for "
            "gradients of stage 1; forward 1 of stage 1 waits for values of "
            "stage 0");
  bad = good;
  std::swap(bad.lanes[1].front(), bad.lanes[1].back());
  EXPECT_EQ(getReason(chain, bad),
            "the schedule does not end: backward 0 of stage 0 waits for "
            "gradients of stage 1; backward 1 of stage 1 waits for forward 1 "
            "of stage 1");
  bad = good;
  bad.lanes[0].push_back(bad.lanes[0][2]);
  EXPECT_EQ(getReason(chain, bad), "forward 2 of stage 0 occurs twice");
  bad = good;
  bad.lanes[0].erase(bad.lanes[0].begin() + 2);
  EXPECT_EQ(getReason(chain, bad), "forward 2 of stage 0 is missing");
  bad = good;
  bad.lanes[1].pop_back();
  EXPECT_EQ(getReason(chain, bad),
            "expected one backward task, or one for the input and one for the "
            "weights, of micro-batch 1 of stage 1");
  bad = good;
  bad.lanes[0].push_back(good.lanes[1][0]);
  EXPECT_EQ(getReason(chain, bad),
            "forward 0 of stage 1 is not a task of lane 0");
  bad = good;
  bad.lanes[1][0].microBatch = 2;
  EXPECT_EQ(getReason(chain, bad), "forward 2 of stage 1 does not exist");
  bad = good;
  bad.lanes.pop_back();
  EXPECT_EQ(getReason(chain, bad), "expected tasks for 2 lanes, but got 1");
  chain.stages[1].microBatch = 5;
  EXPECT_EQ(getReason(chain, good),
            "stage 1: expected a micro-batch of 1 to 4 samples, but got 5");
  chain = makeChain({1, 1}, 4);
  chain.links[0] = {1, 0};
  EXPECT_EQ(getReason(chain, makeGPipeSchedule(makeChain({1, 1}, 4))),
            "the link from stage 1 to stage 0 does not go forward");
  Pipeline odd = makeChain({1, 1}, 4);
  odd.stages[1].forward = std::nan("");
  EXPECT_EQ(getReason(odd, good), "stage 1: expected times of at least 0");
  odd = makeChain({1, 1}, 4);
  odd.links[0].latency = -1;
  EXPECT_EQ(getReason(odd, good), "the link from stage 0 to stage 1: expected "
                                  "times of at least 0");
  odd = makeChain({1, 1}, 4);
  odd.stages[1].lane = 7;
  EXPECT_EQ(getReason(odd, good), "stage 1: lane 7 of at most 2");
  odd.stages[1].lane = 0;
  odd.stages[0].lane = 1;
  odd.stages.pop_back();
  odd.links.clear();
  EXPECT_EQ(getReason(odd, good), "stage 0: lane 1 of at most 1");
  odd.miniBatch = 0;
  EXPECT_EQ(getReason(odd, good),
            "expected a mini-batch of 1 to 2^40 samples, but got 0");
}
