//===- PlannerTest.cpp - the planner against all plans --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Planner.h"
#include "DrawnPlans.h"
#include "EveryPlan.h"
#include "tenon/Parallelize/Baselines.h"

#include "gtest/gtest.h"

#include <cstdio>

using namespace tenon::parallelize;

struct Comparison {
  unsigned total = 0, equal = 0, within2Percent = 0, fastest = 0;
  double worst = 1;

  void add(double ratio) {
    ++total;
    equal += ratio <= 1 + 1e-9;
    within2Percent += ratio <= 1.02;
    worst = std::max(worst, ratio);
  }
};

/// Compares with all plans of random graphs.
static Comparison compareWithEveryPlan(unsigned numGraphs,
                                       unsigned mostOperators,
                                       unsigned numDevices, uint64_t seed,
                                       bool exact) {
  Comparison comparison;
  for (unsigned number = 0; number < numGraphs; ++number) {
    std::mt19937_64 random(seed + number);
    OperatorGraph graph = drawGraph(random, 2 + random() % (mostOperators - 1));
    Cluster cluster = drawCluster(random, numDevices);
    drawDevices(random, cluster);
    PlannerOptions options;
    options.training = {static_cast<int64_t>(5 + random() % 4), 1};
    options.mostK = 2;
    options.exact = exact;
    // What EveryPlan does not know would hide that something is missed.
    options.mayBeEager = options.mayInterleave = false;
    std::string reason;
    std::optional<Evaluation> found =
        planGraph(graph, cluster, options, reason);
    double least = EveryPlan(graph, cluster, options.training).find();
    if (!found) {
      EXPECT_EQ(least, std::numeric_limits<double>::infinity())
          << "seed " << seed + number << ": " << reason;
      continue;
    }
    EXPECT_TRUE(isFitting(*found, cluster)) << "seed " << seed + number;
    // A search whose budget is spent may have found the best plan, too.
    EXPECT_TRUE(!found->isFastest || found->seconds <= least * (1 + 1e-9))
        << "seed " << seed + number;
    comparison.add(found->seconds / least);
    comparison.fastest += found->isFastest;
  }
  printf("%u graphs: %u equal, %u of them known to be, worst %.4f\n",
         comparison.total, comparison.equal, comparison.fastest,
         comparison.worst);
  return comparison;
}

TEST(Planner, EqualsTheBestPlanOfThreeDevices) {
  Comparison comparison = compareWithEveryPlan(
      getNumDrawn("TENON_PLANNER_GRAPHS", 40), 6, 3, 1000, true);
  EXPECT_EQ(comparison.equal, comparison.total);
  EXPECT_GE(comparison.fastest, 0.7 * comparison.total);
}

TEST(Planner, EqualsTheBestPlanOfFourDevices) {
  Comparison comparison = compareWithEveryPlan(
      getNumDrawn("TENON_PLANNER_GRAPHS", 40) / 8, 8, 4, 9000, true);
  EXPECT_EQ(comparison.equal, comparison.total);
  EXPECT_GE(comparison.fastest, 0.3 * comparison.total);
}

// Larger graphs have the local search alone.
TEST(Planner, LocalSearchIsNearTheBestPlan) {
  Comparison comparison = compareWithEveryPlan(
      getNumDrawn("TENON_PLANNER_GRAPHS", 40), 6, 3, 5000, false);
  EXPECT_GE(comparison.equal, 0.9 * comparison.total);
  EXPECT_LE(comparison.worst, 1.25);
}

TEST(Planner, IsNotSlowerThanChains) {
  for (uint64_t seed = 0; seed < getNumDrawn("TENON_PLANNER_GRAPHS", 40);
       ++seed) {
    std::mt19937_64 random(seed);
    OperatorGraph graph = drawGraph(random, 2 + random() % 12);
    Cluster cluster = drawCluster(random, 1 + random() % 8);
    cluster.memoryBytes *= 2;
    PlannerOptions options;
    options.training = {int64_t(1) << random() % 6, 1};
    options.downsetBudget = 1 << 22;
    std::string reason;
    std::optional<Evaluation> found =
        planGraph(graph, cluster, options, reason);
    for (auto plan : {planSequential, planPipeDream, planPiper}) {
      std::optional<Evaluation> chain = plan(graph, cluster, options, reason);
      if (!chain)
        continue;
      EXPECT_TRUE(isFitting(*chain, cluster)) << "seed " << seed;
      ASSERT_TRUE(found) << "seed " << seed << ": " << reason;
      EXPECT_LE(found->seconds, chain->seconds) << "seed " << seed;
    }
  }
}

TEST(Planner, SaysWhatDoesNotFit) {
  OperatorGraph graph(2);
  graph[0].weightBytes = 100;
  Cluster cluster;
  cluster.count = 2;
  cluster.memoryBytes = 399;
  std::string reason;
  EXPECT_FALSE(planGraph(graph, cluster, {}, reason));
  EXPECT_EQ(reason, "no plan was found whose stages fit into 399 bytes of each "
                    "device");
  cluster.memoryBytes = 400;
  EXPECT_TRUE(planGraph(graph, cluster, {}, reason));
  EXPECT_FALSE(planGraph({}, cluster, {}, reason));
  EXPECT_EQ(reason, "expected operators, devices and samples");
}

TEST(Planner, SaysWhyOthersLost) {
  std::mt19937_64 random(3);
  OperatorGraph graph = drawGraph(random, 12);
  Cluster cluster = drawCluster(random, 4);
  PlannerOptions options;
  options.training = {64, 1};
  cluster.memoryBytes = 1 << 20;
  std::string reason;
  std::optional<Evaluation> found = planGraph(graph, cluster, options, reason);
  ASSERT_TRUE(found) << reason;
  ASSERT_EQ(found->rejected.size(), 1u);
  EXPECT_GE(found->rejected[0].seconds, found->seconds);
  EXPECT_NE(found->rejected[0].reason, "");
  // What needs more than there is says so.
  int64_t most = 0;
  for (int64_t bytes : found->stageBytes)
    most = std::max(most, bytes);
  cluster.memoryBytes = most - 1;
  std::optional<Evaluation> less = planGraph(graph, cluster, options, reason);
  ASSERT_TRUE(less) << reason;
  ASSERT_FALSE(less->rejected.empty());
  const RejectedPlan &large = less->rejected.back();
  EXPECT_EQ(large.reason, "it does not fit into memory");
  EXPECT_LT(large.seconds, less->seconds);
  EXPECT_GT(large.mostBytes, cluster.memoryBytes);
  // Inputs and outputs that no device has room for are no matter of plans.
  options.training.givenBytes = cluster.memoryBytes + 1;
  EXPECT_FALSE(planGraph(graph, cluster, options, reason));
  EXPECT_EQ(reason, "the inputs and outputs of 64 samples are " +
                        std::to_string(most) +
                        " bytes, which do not fit into " +
                        std::to_string(most - 1) + " bytes of each device");
}

// A billion samples take no longer than many.
TEST(Planner, PlansABillionSamples) {
  std::mt19937_64 random(3);
  OperatorGraph graph = drawGraph(random, 12);
  Cluster cluster = drawCluster(random, 4);
  cluster.memoryBytes = int64_t(1) << 50;
  PlannerOptions options;
  options.training = {1000000000, 1};
  std::string reason;
  std::optional<Evaluation> found = planGraph(graph, cluster, options, reason);
  ASSERT_TRUE(found) << reason;
  EXPECT_TRUE(isFitting(*found, cluster));
}

// Inference has no gradients, whose sums would be what devices share.
TEST(Planner, PlansInference) {
  std::mt19937_64 random(7);
  OperatorGraph graph = drawGraph(random, 6);
  Cluster cluster = drawCluster(random, 3);
  PlannerOptions options;
  options.training = {8, 1, true};
  std::string reason;
  std::optional<Evaluation> found = planGraph(graph, cluster, options, reason);
  ASSERT_TRUE(found) << reason;
  for (const auto &lane : found->schedule.lanes)
    for (const Task &task : lane)
      EXPECT_EQ(task.kind, TaskKind::Forward);
  for (const PlannedStage &stage : found->plan)
    EXPECT_FALSE(stage.recompute || stage.offload || stage.eager);
}
