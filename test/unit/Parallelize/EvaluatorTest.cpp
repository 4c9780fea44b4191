//===- EvaluatorTest.cpp - ratings are what plans cost --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallelize/Evaluator.h"
#include "DrawnPlans.h"

#include "gtest/gtest.h"

using namespace tenon::parallelize;

/// A chain of stages in the order of the operators, each with its own mode.
static Plan drawPlan(std::mt19937_64 &random, const OperatorGraph &graph,
                     const Cluster &cluster) {
  unsigned most = std::min<unsigned>(cluster.count, graph.size());
  unsigned count = 1 + random() % most;
  Plan plan(count);
  for (unsigned op = 0; op < graph.size(); ++op)
    plan[op * count / graph.size()].operators.push_back(op);
  bool split = random() % 2;
  for (unsigned stage = 0; stage < count; ++stage) {
    plan[stage].devices = {stage};
    plan[stage].microBatch = 1 << random() % 3;
    plan[stage].k = 1 + random() % 2;
    plan[stage].recompute = random() % 4 == 0;
    plan[stage].eager = random() % 4 == 0;
    plan[stage].splitBackward = split;
  }
  return plan;
}

TEST(Evaluator, RatesAsPlansCost) {
  unsigned numRated = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    OperatorGraph graph = drawGraph(random, 1 + random() % 8);
    Cluster cluster = drawCluster(random, 1 + random() % 4);
    drawDevices(random, cluster);
    TrainingOptions options{static_cast<int64_t>(4 + random() % 400), 1};
    Plan plan = drawPlan(random, graph, cluster);
    OperatorSets sets(graph);
    Evaluator evaluator(graph, cluster, options, sets);
    std::string reason;
    std::optional<Evaluation> whole = evaluator.evaluate(plan, reason);
    // Bounds, and what is counted because no bound is below 0.
    std::vector<StageView> views = evaluator.getViews(plan);
    std::optional<Evaluator::Rating> bound = evaluator.rate(views, 1 << 30),
                                     counted = evaluator.rate(views, -1);
    ASSERT_EQ(bool(whole), bool(counted)) << "seed " << seed << reason;
    if (!whole)
      continue;
    ++numRated;
    // Long iterations are not simulated as a whole.
    EXPECT_NEAR(counted->seconds, whole->seconds, 0.01 * whole->seconds)
        << "seed " << seed;
    if (options.miniBatch < 16)
      EXPECT_EQ(counted->seconds, whole->seconds) << "seed " << seed;
    EXPECT_EQ(counted->getOverflow(evaluator.getLimit()) == 0,
              isFitting(*whole, cluster))
        << "seed " << seed;
    for (auto [most, bytes] : llvm::zip(bound->stageBytes, counted->stageBytes))
      EXPECT_GE(most, bytes) << "seed " << seed;
    EXPECT_EQ(evaluator.rateWhole(views, -1)->seconds, whole->seconds);
    EXPECT_EQ(evaluator.isFitting(views, *bound), isFitting(*whole, cluster))
        << "seed " << seed;
    EXPECT_LE(evaluator.getBound(views), whole->seconds * (1 + 1e-9));
  }
  EXPECT_GE(numRated, 200u);
}
