//===- PlanTest.cpp - what plans cost -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/IdleTime.h"

#include "gtest/gtest.h"

using namespace tenon::parallelize;

/// A second per sample and task, 10 bytes of parameters, and for each sample 2
/// bytes of result and 4 that are kept.
static Operator makeOperator(std::vector<unsigned> operands) {
  Operator made;
  made.forward = made.backwardInput = made.backwardWeight = {0, 1};
  made.weightBytes = 10;
  made.resultBytes = 2;
  made.savedBytes = 4;
  made.operands = std::move(operands);
  return made;
}

/// Four operators: 0 gives to 1 and 2, which give to 3.
static OperatorGraph makeDiamond() {
  return {makeOperator({}), makeOperator({0}), makeOperator({0}),
          makeOperator({1, 2})};
}

/// Four devices in two nodes. Wires inside of a node carry 4 bytes a second,
/// others 2, after a second.
static Cluster makeCluster() {
  Cluster cluster;
  cluster.count = 4;
  cluster.perNode = 2;
  cluster.inside = {0, 4};
  cluster.between = {1, 2};
  return cluster;
}

static Evaluation evaluateWell(const OperatorGraph &graph, const Plan &plan,
                               int64_t miniBatch) {
  std::string reason;
  std::optional<Evaluation> found =
      evaluate(graph, makeCluster(), {miniBatch, 1}, plan, reason);
  EXPECT_TRUE(found) << reason;
  return found ? *found : Evaluation();
}

TEST(Plan, OneStage) {
  Evaluation one = evaluateWell(makeDiamond(), {{{0, 1, 2, 3}, {0}, 2}}, 8);
  // Three tasks of four operators for 8 samples.
  EXPECT_EQ(one.seconds, 96);
  // Parameters and gradients, and what two samples keep.
  EXPECT_EQ(one.stageBytes, std::vector<int64_t>{80 + 2 * 16});
  // Two devices share the samples, and sum 40 bytes of gradients: each sends
  // and receives 20 bytes twice.
  Evaluation two = evaluateWell(makeDiamond(), {{{0, 1, 2, 3}, {0, 1}, 2}}, 8);
  EXPECT_EQ(two.seconds, 48 + 2 * 20.0 / 4);
  // The gradients that are sent, and as many that come.
  EXPECT_EQ(two.stageBytes, std::vector<int64_t>{80 + 80 + 16});
  // In different nodes, the wire is slower.
  two = evaluateWell(makeDiamond(), {{{0, 1, 2, 3}, {0, 2}, 2}}, 8);
  EXPECT_EQ(two.seconds, 48 + 2 * (1 + 20.0 / 2));
}

TEST(Plan, FixedCostsFavourLargeMicroBatches) {
  OperatorGraph graph = {makeOperator({})};
  graph[0].forward.fixed = 5;
  EXPECT_EQ(evaluateWell(graph, {{{0}, {0}, 1}}, 8).seconds, 8 * 8);
  EXPECT_EQ(evaluateWell(graph, {{{0}, {0}, 8}}, 8).seconds, 24 + 5);
}

TEST(Plan, Recompute) {
  Plan plan = {{{0}, {0}, 1, 1, false}, {{1, 2, 3}, {1}, 1, 1, true}};
  Evaluation found = evaluateWell(makeDiamond(), plan, 4);
  // One sample at a time keeps all 12. Beside it are five messages of 2 bytes:
  // the result of operator 0 that it reads, the next one, which comes early,
  // its gradients, and the two before, which may be on their way.
  EXPECT_EQ(found.stageBytes[1], 60 + 12 + 5 * 2);
  EXPECT_EQ(found.pipeline.stages[1].backwardInput, 3 + 3);
}

// The result of operator 0 goes once to a stage, however many read it, and the
// stages of a graph are not a chain.
TEST(Plan, Links) {
  Plan plan = {{{3}, {3}, 1}, {{1}, {1}, 1}, {{0}, {0}, 1}, {{2}, {2}, 1}};
  Evaluation found = evaluateWell(makeDiamond(), plan, 4);
  ASSERT_EQ(found.pipeline.links.size(), 4u);
  EXPECT_EQ(found.plan[0].operators, std::vector<unsigned>{0});
  EXPECT_EQ(found.plan[3].operators, std::vector<unsigned>{3});
  EXPECT_EQ(found.pipeline.links[0].secondsPerSample, 0.5);
  EXPECT_EQ(found.pipeline.links[1].secondsPerSample, 1);
  EXPECT_EQ(found.pipeline.links[1].latency, 1);
  found = evaluateWell(makeDiamond(), {{{0}, {0}, 1}, {{1, 2, 3}, {1}, 1}}, 4);
  ASSERT_EQ(found.pipeline.links.size(), 1u);
  EXPECT_EQ(found.pipeline.links[0].secondsPerSample, 0.5);
}

TEST(Plan, Errors) {
  auto getReason = [](const Plan &plan) {
    std::string reason;
    EXPECT_FALSE(evaluate(makeDiamond(), makeCluster(), {8, 1}, plan, reason));
    return reason;
  };
  EXPECT_EQ(getReason({{{0, 1, 2}, {0}, 1}}), "operator 3 is in no stage");
  EXPECT_EQ(getReason({{{0, 1, 2, 3}, {0}, 1}, {{3}, {1}, 1}}),
            "operator 3 is in two stages");
  EXPECT_EQ(getReason({{{0, 1, 2, 4}, {0}, 1}}),
            "stage 0: there is no operator 4");
  EXPECT_EQ(getReason({{{0, 3}, {0}, 1}, {{1, 2}, {1}, 1}}),
            "the stages form a cycle: one of them is not convex");
  EXPECT_EQ(getReason({{{0, 1, 2, 3}, {0, 0}, 2}}),
            "stage 0: device 0 is used twice");
  EXPECT_EQ(getReason({{{0, 1, 2, 3}, {4}, 2}}),
            "stage 0: device 4 does not exist");
  EXPECT_EQ(getReason({{{0, 1, 2, 3}, {0}, 9}}),
            "stage 0: expected a micro-batch of 1 to 8 samples, but got 9");
  EXPECT_EQ(getReason({{{0, 1, 2, 3}, {0, 1, 2}, 2}}),
            "stage 0: a micro-batch of 2 can't be shared by 3 devices");
  EXPECT_EQ(getReason({{{0, 1, 2, 3}, {}, 4}}),
            "stage 0: expected operators and devices");
  EXPECT_EQ(getReason({{{0, 1, 2, 3}, {0}, 4, 0}}),
            "stage 0: expected a k of 1 or more");
  EXPECT_EQ(getReason({{{0, 1, 2, 3}, {0}, 0}}),
            "stage 0: a micro-batch of 0 can't be shared by 1 devices");
  std::string reason;
  EXPECT_FALSE(evaluate(makeDiamond(), makeCluster(), {0, 1},
                        {{{0, 1, 2, 3}, {0}, 1}}, reason));
  EXPECT_EQ(reason, "expected a mini-batch of 1 to 2^40 samples, but got 0");
}

// What goes to the host takes 4 * 4 / 8 = 2 seconds, and holds up nothing.
TEST(Plan, Offload) {
  OperatorGraph graph = {makeOperator({})};
  Cluster cluster = makeCluster();
  Plan plan = {{{0}, {0}, 4}};
  plan[0].offload = true;
  std::string reason;
  EXPECT_FALSE(evaluate(graph, cluster, {16, 1}, plan, reason));
  EXPECT_EQ(reason, "stage 0: there is no memory to offload to");
  cluster.hostBytesPerSecond = 8;
  std::optional<Evaluation> found =
      evaluate(graph, cluster, {16, 1}, plan, reason);
  ASSERT_TRUE(found) << reason;
  EXPECT_EQ(found->seconds, 48);
  // Through a wire of 2 bytes a second, 8 seconds: 4 more than the forward
  // task, as much as both gradients.
  cluster.hostBytesPerSecond = 2;
  found = evaluate(graph, cluster, {16, 1}, plan, reason);
  ASSERT_TRUE(found) << reason;
  EXPECT_EQ(found->seconds, 4 * (8 + 8));
  plan[0].recompute = true;
  EXPECT_FALSE(evaluate(graph, cluster, {16, 1}, plan, reason));
  EXPECT_EQ(reason, "stage 0: can't both offload and recompute");
}

// Two branches that wait for each other, and then do not.
TEST(Plan, Chain) {
  OperatorGraph graph = {makeOperator({}), makeOperator({})};
  Plan plan = {{{0}, {0}, 1}, {{1}, {1}, 1}};
  std::string reason;
  auto getSeconds = [&] {
    std::optional<Evaluation> found =
        evaluate(graph, makeCluster(), {4, 1}, plan, reason);
    return found ? found->seconds : 0;
  };
  EXPECT_EQ(getSeconds(), 12);
  plan[1].isAfterPrevious = true;
  EXPECT_EQ(getSeconds(), 15);
  graph.push_back(makeOperator({}));
  plan.push_back({{2}, {2}, 1});
  EXPECT_EQ(getSeconds(), 0);
  EXPECT_EQ(reason, "stage 2: expected a chain of all stages, or of none");
}

// A message takes as long as a task, which hides behind another micro-batch.
TEST(Plan, Eager) {
  OperatorGraph graph = {makeOperator({}), makeOperator({0})};
  graph[0].resultBytes = 4;
  Plan plan = {{{0}, {0}, 1}, {{1}, {1}, 1}};
  std::string reason;
  auto getPlan = [&] {
    return *evaluate(graph, makeCluster(), {16, 1}, plan, reason);
  };
  double before = getPlan().seconds;
  plan[0].eager = true;
  Evaluation eager = getPlan();
  EXPECT_LT(eager.seconds, before);
  EXPECT_EQ(eager.simulation.inFlight[0], 3);
}

TEST(Plan, ForwardOnly) {
  OperatorGraph graph = {makeOperator({}), makeOperator({0})};
  Plan plan = {{{0}, {0, 1}, 4}, {{1}, {2}, 4}};
  std::string reason;
  TrainingOptions options{16, 3, true};
  std::optional<Evaluation> found =
      evaluate(graph, makeCluster(), options, plan, reason);
  ASSERT_TRUE(found) << reason;
  // Parameters, four micro-batches that two devices send, which may all be on
  // their way, and that come sooner than they are read.
  EXPECT_EQ(found->stageBytes,
            (std::vector<int64_t>{10 + 4 * 8 / 2, 10 + 4 * 8}));
}

// Seconds are divided by the speed of the slowest device, and bytes of wires by
// the slower end.
TEST(Plan, UnequalDevices) {
  Cluster cluster = makeCluster();
  cluster.devices = {{1, 100, 1}, {0.5, 50, 1}, {2, 100, 0.25}, {1, 200, 1}};
  std::string reason;
  auto getPlan = [&](const Plan &plan) {
    return *evaluate(makeDiamond(), cluster, {8, 1}, plan, reason);
  };
  EXPECT_EQ(getPlan({{{0, 1, 2, 3}, {1}, 2}}).seconds, 2 * 96);
  EXPECT_EQ(getPlan({{{0, 1, 2, 3}, {2}, 2}}).seconds, 96 / 2);
  Evaluation both = getPlan({{{0, 1, 2, 3}, {0, 1}, 2}});
  EXPECT_EQ(both.seconds, 2 * 48 + 2 * 20.0 / 4);
  EXPECT_FALSE(isFitting(both, cluster));
  Evaluation linked = getPlan({{{0}, {0}, 1}, {{1, 2, 3}, {2}, 1}});
  EXPECT_EQ(linked.pipeline.links[0].secondsPerSample, 2 / (2 * 0.25));
  EXPECT_EQ(cluster.getMostMemory(), 200);
  cluster.count = 3;
  EXPECT_EQ(cluster.getMostMemory(), 100);
}

// Stages with the same devices take turns.
TEST(Plan, StagesTakeTurns) {
  OperatorGraph graph = {makeOperator({}), makeOperator({0}), makeOperator({1}),
                         makeOperator({2})};
  Plan plan = {{{0}, {0}, 1}, {{1}, {1}, 1}, {{2}, {0}, 1}, {{3}, {1}, 1}};
  Evaluation found = evaluateWell(graph, plan, 8);
  EXPECT_EQ(found.pipeline.getNumLanes(), 2u);
  ASSERT_EQ(found.schedule.lanes.size(), 2u);
  EXPECT_EQ(found.schedule.lanes[0].size(), 32u);
  // Both lanes have all that their stages hold.
  EXPECT_EQ(found.stageBytes[0], found.stageBytes[2]);
  EXPECT_GE(found.stageBytes[0], 2 * 20 + 4 + 4);
  plan[2].devices = {0, 2};
  std::string reason;
  EXPECT_FALSE(evaluate(graph, makeCluster(), {8, 1}, plan, reason));
  EXPECT_EQ(reason, "stage 2: device 0 is used twice");
  plan = {{{0, 1}, {0}, 1}, {{2, 3}, {0}, 1}};
  EXPECT_FALSE(evaluate(graph, makeCluster(), {8, 1}, plan, reason));
  EXPECT_EQ(reason, "stage 1 reads stage 0, which has the same devices");
  EXPECT_FALSE(evaluate(graph, makeCluster(), {8, 1, true}, plan, reason));
  EXPECT_EQ(reason, "stage 1: device 0 is used twice");
}

// ZB-H1 (Qi et al.): with equal tasks, four stages of eight micro-batches take
// 27 in place of 33, and no device has more than the first one had.
TEST(Plan, SplitsBackward) {
  OperatorGraph graph = {makeOperator({}), makeOperator({0}), makeOperator({1}),
                         makeOperator({2})};
  Cluster cluster = makeCluster();
  cluster.inside = cluster.between = {0, 1e300};
  Plan plan;
  for (unsigned stage = 0; stage < 4; ++stage)
    plan.push_back({{stage}, {stage}, 1});
  std::string reason;
  Evaluation whole = *evaluate(graph, cluster, {8, 1}, plan, reason);
  EXPECT_EQ(whole.seconds, 33);
  for (PlannedStage &stage : plan)
    stage.splitBackward = true;
  Evaluation split = *evaluate(graph, cluster, {8, 1}, plan, reason);
  EXPECT_EQ(split.seconds, 27);
  for (int64_t samples : split.simulation.inFlight)
    EXPECT_LE(samples, whole.simulation.inFlight[0]);
  plan[1].splitBackward = false;
  EXPECT_FALSE(evaluate(graph, cluster, {8, 1}, plan, reason));
  EXPECT_EQ(reason, "stage 1: expected gradients of weights apart in all "
                    "stages, or in none");
}

// Two stages of two samples: the second one waits for the first at the
// beginning, both for messages, and the first one for gradients.
TEST(Plan, IdleShares) {
  OperatorGraph graph = {makeOperator({}), makeOperator({0})};
  Cluster cluster = makeCluster();
  cluster.inside = {0.5, 1e300};
  std::string reason;
  Evaluation found =
      *evaluate(graph, cluster, {2, 1}, {{{0}, {0}, 1}, {{1}, {1}, 1}}, reason);
  // The first: 0 1 2, then backward at 5 and 8.5; the second: 1.5 and on.
  EXPECT_EQ(found.seconds, 10);
  IdleShares idle = getIdleShares(found, 4);
  EXPECT_DOUBLE_EQ(idle.filling, 1.5 / 40);
  EXPECT_DOUBLE_EQ(idle.draining, 2.5 / 40);
  EXPECT_DOUBLE_EQ(idle.links, 1.0 / 40);
  EXPECT_DOUBLE_EQ(idle.unused, 0.5);
  EXPECT_EQ(idle.sums, 0);
  double busy = 12.0 / 40;
  EXPECT_DOUBLE_EQ(busy + idle.filling + idle.draining + idle.links +
                       idle.stages + idle.unused,
                   1);
}
