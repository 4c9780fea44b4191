//===- Baselines.cpp - planners of chains of stages -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Baselines.h"
#include "ChainTable.h"
#include "Draft.h"
#include "Evaluator.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <map>

using namespace tenon::parallelize;

/// Devices are given out in so many units at most.
static constexpr unsigned kMostUnits = 64;
/// Chains whose rating is no more than the best one's by this factor are
/// simulated as a whole, up to so many tasks.
static constexpr double kNear = 1.02;
static constexpr int64_t kExactTasks = 1 << 19;

/// The plan of a cut, if there are enough devices.
static std::optional<Plan> makePlan(OperatorSets &sets, const Cluster &cluster,
                                    int64_t microBatch, const ChainCut &cut) {
  Draft draft;
  for (const auto &[operators, devices] : cut.stages) {
    DraftStage stage;
    stage.set = sets.get(operators);
    stage.numDevices = devices;
    stage.microBatch = microBatch;
    draft.push_back(std::move(stage));
  }
  std::optional<Plan> plan = assignDevices(draft, cluster, cluster.count);
  if (plan)
    for (PlannedStage &stage : *plan)
      stage.isAfterPrevious = true;
  return plan;
}

/// Cuts the graph for each micro-batch size, and returns the fastest.
static std::optional<Evaluation> planChain(const OperatorGraph &graph,
                                           const Cluster &cluster,
                                           const PlannerOptions &options,
                                           ChainOptions chain,
                                           std::string &reason) {
  OperatorSets sets(graph);
  Evaluator evaluator(graph, cluster, options.training, sets);
  const int64_t memory = cluster.getMostMemory();
  std::multimap<double, Plan> plans;
  if (graph.empty() || cluster.count == 0 || options.training.miniBatch < 1) {
    reason = "expected operators, devices and samples";
    return std::nullopt;
  }
  if (getMicroBatchSizes(options).empty()) {
    reason = describeNoSize(options);
    return std::nullopt;
  }
  while (cluster.count / chain.unit > kMostUnits)
    chain.unit *= 2;
  for (int64_t size : getTriedMicroBatchSizes(options)) {
    chain.microBatch = size;
    // A cut of the operators in their own order bounds those in any order.
    chain.bound = std::numeric_limits<double>::infinity();
    uint64_t budget = options.downsetBudget;
    ChainOptions ordered = chain;
    ordered.allOrders = false;
    std::optional<ChainCut> cut =
        cutIntoChain(graph, cluster, options.training, ordered, budget);
    if (chain.allOrders) {
      if (cut)
        chain.bound = cut->seconds;
      budget = options.downsetBudget;
      cut = cutIntoChain(graph, cluster, options.training, chain, budget);
    }
    if (budget == 0) {
      reason = "not done after " + std::to_string(options.downsetBudget) +
               " steps, in micro-batches of " + std::to_string(size);
      return std::nullopt;
    }
    if (!cut)
      continue;
    std::optional<Plan> plan = makePlan(sets, cluster, size, *cut);
    if (!plan)
      continue;
    std::optional<Evaluator::Rating> rating =
        evaluator.rate(evaluator.getViews(*plan), evaluator.getLimit());
    if (rating && rating->getOverflow(evaluator.getLimit()) == 0)
      plans.emplace(rating->seconds, std::move(*plan));
  }
  // Ratings may be off by a little.
  std::optional<Evaluation> best;
  int64_t left = kExactTasks;
  for (auto &[seconds, plan] : plans) {
    if (best && (left <= 0 || seconds > kNear * best->seconds))
      break;
    for (const PlannedStage &stage : plan)
      left -= 2 * (options.training.miniBatch / stage.microBatch + 1);
    std::optional<Evaluation> found =
        evaluator.evaluate(std::move(plan), reason);
    if (found && isFitting(*found, cluster) &&
        (!best || found->seconds < best->seconds))
      best = std::move(found);
  }
  if (best)
    return best;
  reason = "no chain of stages was found that fits into " +
           std::to_string(memory) + " bytes of each device";
  return std::nullopt;
}

std::optional<Evaluation> tenon::parallelize::planSequential(
    const OperatorGraph &graph, const Cluster &cluster,
    const PlannerOptions &options, std::string &reason) {
  ChainOptions chain;
  chain.mayReplicate = false;
  return planChain(graph, cluster, options, chain, reason);
}

std::optional<Evaluation> tenon::parallelize::planPipeDream(
    const OperatorGraph &graph, const Cluster &cluster,
    const PlannerOptions &options, std::string &reason) {
  return planChain(graph, cluster, options, {}, reason);
}

std::optional<Evaluation> tenon::parallelize::planPiper(
    const OperatorGraph &graph, const Cluster &cluster,
    const PlannerOptions &options, std::string &reason) {
  ChainOptions chain;
  chain.allOrders = true;
  return planChain(graph, cluster, options, chain, reason);
}
