//===- DominanceTest.cpp - more of anything makes no plan slower ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawnPlans.h"
#include "tenon/Parallelize/Baselines.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstdio>

using namespace tenon::parallelize;

namespace {
/// A model, and what it is planned for.
struct Drawn {
  OperatorGraph graph;
  Cluster cluster;
  PlannerOptions options;

  explicit Drawn(uint64_t seed) {
    std::mt19937_64 random(seed);
    auto upTo = [&](double most) {
      return std::exp2(std::log2(most) * static_cast<double>(random() % 10001) /
                       1e4);
    };
    graph = drawGraph(random, 2 + random() % 30);
    double fixed = upTo(100);
    for (Operator &op : graph)
      for (TaskCost *cost :
           {&op.forward, &op.backwardInput, &op.backwardWeight}) {
        cost->fixed *= fixed;
        cost->least = static_cast<double>(random() % 3) * fixed;
      }
    cluster = drawCluster(random, static_cast<unsigned>(upTo(64)));
    cluster.perNode = 1u << random() % 4;
    drawDevices(random, cluster);
    options.training = {static_cast<int64_t>(upTo(2000)), 1};
    options.downsetBudget = 1 << 18;
    double memory = upTo(100);
    cluster.memoryBytes =
        static_cast<int64_t>(static_cast<double>(cluster.memoryBytes) * memory);
    for (Cluster::Device &device : cluster.devices)
      device.memoryBytes = static_cast<int64_t>(
          static_cast<double>(device.memoryBytes) * memory);
  }

  double plan() const {
    std::string reason;
    std::optional<Evaluation> found =
        planGraph(graph, cluster, options, reason);
    return found ? found->seconds : std::numeric_limits<double>::infinity();
  }
};
} // namespace

TEST(Dominance, HoldsForDrawnModels) {
  uint64_t first = getNumDrawn("TENON_PLANNER_SEED", 0);
  unsigned violations = 0;
  for (uint64_t seed = first;
       seed < first + getNumDrawn("TENON_PLANNER_DRAWS", 6); ++seed) {
    Drawn drawn(seed);
    std::mt19937_64 random(seed);
    double seconds = drawn.plan();
    auto check = [&](const char *what, double most) {
      if (seconds <= most * (1 + 1e-9))
        return;
      ++violations;
      printf("seed %llu: %zu operators, %u devices, %lld samples: %g, but %s "
             "%g (%.4f)\n",
             static_cast<unsigned long long>(seed), drawn.graph.size(),
             drawn.cluster.count,
             static_cast<long long>(drawn.options.training.miniBatch), seconds,
             what, most, seconds / most);
    };
    auto checkChain = [&](const char *what, auto plan) {
      std::string reason;
      if (std::optional<Evaluation> chain =
              plan(drawn.graph, drawn.cluster, drawn.options, reason))
        check(what, chain->seconds);
    };
    checkChain("sequential", planSequential);
    checkChain("PipeDream", planPipeDream);
    checkChain("Piper", planPiper);
    if (drawn.cluster.count > 1) {
      Drawn fewer = drawn;
      fewer.cluster.count = 1 + random() % (drawn.cluster.count - 1);
      check("with fewer devices", fewer.plan());
      fewer.cluster.count = drawn.cluster.count - 1;
      check("with one device less", fewer.plan());
    }
    Drawn less = drawn;
    double share = 0.5 + static_cast<double>(random() % 500) / 1000;
    less.cluster.memoryBytes = static_cast<int64_t>(
        static_cast<double>(drawn.cluster.memoryBytes) * share);
    for (Cluster::Device &device : less.cluster.devices)
      device.memoryBytes =
          static_cast<int64_t>(static_cast<double>(device.memoryBytes) * share);
    check("with less memory", less.plan());
    Drawn more = drawn;
    ++more.options.training.miniBatch;
    double next = more.plan();
    check("with one sample more", next);
    auto samples = static_cast<double>(drawn.options.training.miniBatch);
    if (drawn.options.training.miniBatch >= 16 * drawn.cluster.count)
      check("by sample, 1.1 of the next", 1.1 * next * samples / (samples + 1));
  }
  EXPECT_EQ(violations, 0u);
}
