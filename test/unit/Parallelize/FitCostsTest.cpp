//===- FitCostsTest.cpp - costs that give what was measured ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawnPlans.h"
#include "tenon/Parallelize/MeasuredRun.h"

#include "gtest/gtest.h"

using namespace tenon::parallelize;

namespace {
/// A run of two stages on one device each, whose costs are `factors` times
/// those of the graph: of forward, of backward inputs and of weights.
struct Drawn {
  OperatorGraph graph;
  Cluster cluster;
  MeasuredRun run;

  explicit Drawn(uint64_t seed) {
    std::mt19937_64 random(seed);
    graph = drawGraph(random, 4 + random() % 6);
    cluster = drawCluster(random, 2);
    drawDevices(random, cluster);
    run.plan.stages.resize(2);
    for (unsigned op = 0; op < graph.size(); ++op)
      run.plan.stages[2 * op >= graph.size()].operators.push_back(op);
    for (unsigned device : {0, 1})
      run.plan.stages[device].devices = {device};
  }

  void scale(unsigned stage, std::array<double, 3> factors, OperatorGraph &by) {
    for (unsigned op : run.plan.stages[stage].operators) {
      TaskCost *costs[] = {&by[op].forward, &by[op].backwardInput,
                           &by[op].backwardWeight};
      for (unsigned kind : {0, 1, 2})
        for (double *part : {&costs[kind]->fixed, &costs[kind]->perSample,
                             &costs[kind]->least})
          *part *= factors[kind];
    }
  }

  /// Adds tasks as the costs of `by` have them.
  void measure(unsigned stage, std::string kind, int64_t samples, size_t count,
               const OperatorGraph &by) {
    RunTasks tasks{stage, std::move(kind), samples, count, 0};
    tasks.seconds = predictSeconds(by, cluster, run, tasks);
    run.tasks.push_back(tasks);
  }

  void expectFitted(const OperatorGraph &by) const {
    OperatorGraph fitted = fitCosts(graph, cluster, run);
    for (auto [one, other] : llvm::zip_equal(fitted, by))
      for (auto kind : {&Operator::forward, &Operator::backwardInput,
                        &Operator::backwardWeight})
        for (double samples : {1, 7})
          EXPECT_NEAR((one.*kind).getSeconds(samples),
                      (other.*kind).getSeconds(samples), 1e-6);
  }
};
} // namespace

TEST(FitCosts, FindsTheFactorsOfStages) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Drawn drawn(seed);
    OperatorGraph other = drawn.graph;
    drawn.scale(0, {2, 3, 3}, other);
    drawn.scale(1, {0.5, 7, 7}, other);
    for (unsigned stage : {0, 1})
      for (const char *kind : {"forward", "backward"}) {
        drawn.measure(stage, kind, 4, 3, other);
        drawn.measure(stage, kind, 1, 1, other);
      }
    drawn.expectFitted(other);
  }
}

TEST(FitCosts, KnowsTasksOfWeights) {
  Drawn drawn(1);
  drawn.run.plan.stages[1].recompute = true;
  OperatorGraph other = drawn.graph;
  // The first stage has no inputs to give gradients to: one task for all.
  drawn.scale(0, {2, 5, 5}, other);
  drawn.scale(1, {0.5, 3, 4}, other);
  for (const char *kind : {"forward", "backward_input", "backward_weight"})
    drawn.measure(1, kind, 4, 1, other);
  for (const char *kind : {"forward", "backward_weight"})
    drawn.measure(0, kind, 4, 1, other);
  drawn.expectFitted(other);
}

TEST(FitCosts, KnowsBackwardTasksThatComputeAgain) {
  Drawn drawn(2);
  for (PlannedStage &stage : drawn.run.plan.stages)
    stage.recompute = true;
  OperatorGraph other = drawn.graph;
  drawn.scale(0, {2, 3, 3}, other);
  drawn.scale(1, {0.5, 7, 7}, other);
  for (unsigned stage : {0, 1})
    for (const char *kind : {"forward", "backward"})
      drawn.measure(stage, kind, 4, 2, other);
  drawn.expectFitted(other);
}

TEST(FitCosts, CountsUpdatesAndOverhead) {
  Drawn drawn(3);
  drawn.run.overheadSeconds = 0.5;
  drawn.run.tasks = {{0, "forward", 2, 1, 3},   {0, "backward", 2, 1, 5},
                     {1, "forward", 2, 1, 3},   {1, "backward", 2, 1, 5},
                     {0, "update", 0, 1, 0.25}, {0, "norm", 0, 1, 0.5}};
  OperatorGraph fitted = fitCosts(drawn.graph, drawn.cluster, drawn.run);
  auto predict = [&](const char *kind, int64_t samples) {
    return predictSeconds(fitted, drawn.cluster, drawn.run,
                          {0, kind, samples, 1, 0});
  };
  EXPECT_DOUBLE_EQ(predict("forward", 2), 3.5);
  EXPECT_DOUBLE_EQ(predict("backward", 2), 5.5);
  EXPECT_DOUBLE_EQ(predict("update", 0), 0.75);

  // The iteration ends with the updates of the device that has most of them.
  TrainingOptions options{2, 1};
  Plan plan = drawn.run.plan.stages;
  for (PlannedStage &stage : plan)
    stage.microBatch = 2;
  std::string reason;
  std::optional<Evaluation> with =
      evaluate(fitted, drawn.cluster, options, plan, reason);
  EXPECT_DOUBLE_EQ(with->updateSeconds, 0.75);
  for (Operator &op : fitted)
    op.updateSeconds = 0;
  std::optional<Evaluation> without =
      evaluate(fitted, drawn.cluster, options, plan, reason);
  ASSERT_TRUE(with && without) << reason;
  EXPECT_DOUBLE_EQ(with->seconds, without->seconds + 0.75);
}

TEST(FitCosts, FindsFixedPartsFromTasksOfTwoSizes) {
  Drawn drawn(5);
  for (unsigned stage : {0, 1})
    for (const char *kind : {"forward", "backward"})
      for (int64_t samples : {10, 2}) {
        RunTasks tasks{stage, kind, samples, samples == 2 ? 1u : 3u, 0};
        double predicted =
            predictSeconds(drawn.graph, drawn.cluster, drawn.run, tasks);
        tasks.seconds = 7 + 2 * predicted;
        drawn.run.tasks.push_back(tasks);
      }
  OperatorGraph fitted = fitCosts(drawn.graph, drawn.cluster, drawn.run);
  for (const RunTasks &tasks : drawn.run.tasks)
    for (int64_t samples : {1, 2, 10, 40}) {
      RunTasks other = tasks;
      other.samples = samples;
      EXPECT_NEAR(
          predictSeconds(fitted, drawn.cluster, drawn.run, other),
          7 + 2 * predictSeconds(drawn.graph, drawn.cluster, drawn.run, other),
          1e-6);
    }
}

TEST(FitCosts, AddsWhatCostsNothing) {
  Drawn drawn(4);
  for (Operator &op : drawn.graph)
    op.forward = {};
  drawn.run.tasks = {{0, "forward", 2, 2, 3}, {1, "forward", 2, 2, 1}};
  OperatorGraph fitted = fitCosts(drawn.graph, drawn.cluster, drawn.run);
  EXPECT_DOUBLE_EQ(
      predictSeconds(fitted, drawn.cluster, drawn.run, {0, "forward", 8, 1, 0}),
      3);
  EXPECT_EQ(fitted.front().forward.perSample, 0);
}
