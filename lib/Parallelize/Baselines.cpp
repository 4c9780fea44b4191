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
  std::optional<Plan> plan = assignDevices(draft, cluster, cut.numDevices);
  if (plan)
    for (PlannedStage &stage : *plan)
      stage.isAfterPrevious = true;
  return plan;
}

/// The cuts of one micro-batch size.
static std::vector<ChainCut> getCuts(const OperatorGraph &graph,
                                     const Cluster &cluster,
                                     const PlannerOptions &options,
                                     ChainOptions chain, uint64_t &budget,
                                     std::string &missing) {
  chain.bound = std::numeric_limits<double>::infinity();
  if (chain.allOrders) {
    // A cut of the operators in their own order bounds those in any order.
    ChainOptions ordered = chain;
    ordered.allOrders = false;
    std::vector<ChainCut> cuts =
        cutIntoChains(graph, cluster, options.training, ordered, budget);
    if (!cuts.empty())
      chain.bound = cuts.back().seconds;
  }
  std::vector<ChainCut> cuts =
      cutIntoChains(graph, cluster, options.training, chain, budget);
  if (budget == 0)
    missing = "not done after " + std::to_string(options.downsetBudget) +
              " steps, in micro-batches of " + std::to_string(chain.microBatch);
  return cuts;
}

Chains tenon::parallelize::planChains(const OperatorGraph &graph,
                                      const Cluster &cluster,
                                      const PlannerOptions &options,
                                      ChainOptions chain) {
  Chains chains;
  if (graph.empty() || cluster.count == 0 || options.training.miniBatch < 1) {
    chains.missing = "expected operators, devices and samples";
    return chains;
  }
  if (getMicroBatchSizes(options).empty()) {
    chains.missing = describeNoSize(options);
    return chains;
  }
  OperatorSets sets(graph);
  Evaluator evaluator(graph, cluster, options.training, sets);
  while (cluster.count / chain.unit > kMostUnits)
    chain.unit *= 2;
  std::multimap<double, Plan> plans;
  uint64_t budget = options.downsetBudget;
  for (int64_t size : getTriedMicroBatchSizes(options)) {
    if (!chains.missing.empty())
      break;
    chain.microBatch = size;
    for (const ChainCut &cut :
         getCuts(graph, cluster, options, chain, budget, chains.missing)) {
      std::optional<Plan> plan = makePlan(sets, cluster, size, cut);
      if (!plan)
        continue;
      std::optional<Evaluator::Rating> rating =
          evaluator.rate(evaluator.getViews(*plan), evaluator.getLimit());
      if (rating && rating->getOverflow(evaluator.getLimit()) == 0)
        plans.emplace(rating->seconds, std::move(*plan));
    }
  }
  // Ratings may be off by a little.
  for (auto &[seconds, plan] : plans)
    if (seconds <= kNear * plans.begin()->first)
      chains.plans.push_back(std::move(plan));
  return chains;
}

ChainOptions tenon::parallelize::getSequential() {
  ChainOptions chain;
  chain.mayReplicate = false;
  return chain;
}

ChainOptions tenon::parallelize::getPipeDream() { return {}; }

ChainOptions tenon::parallelize::getPiper() {
  ChainOptions chain;
  chain.allOrders = true;
  return chain;
}

static std::optional<Evaluation> planFastest(const OperatorGraph &graph,
                                             const Cluster &cluster,
                                             const PlannerOptions &options,
                                             const ChainOptions &chain,
                                             std::string &reason) {
  Chains chains = planChains(graph, cluster, options, chain);
  reason = chains.missing;
  if (!reason.empty())
    return std::nullopt;
  std::optional<Evaluation> best;
  int64_t left = kExactTasks;
  for (Plan &plan : chains.plans) {
    if (best && left <= 0)
      break;
    for (const PlannedStage &stage : plan)
      left -= 2 * (options.training.miniBatch / stage.microBatch + 1);
    std::optional<Evaluation> found =
        evaluate(graph, cluster, options.training, std::move(plan), reason);
    if (found && isFitting(*found, cluster) &&
        (!best || found->seconds < best->seconds))
      best = std::move(found);
  }
  // Another reason is that of a chain that is no plan.
  if (!best && reason.empty())
    reason = "no chain of stages was found that fits into " +
             describeMemory(cluster);
  return best;
}

std::optional<Evaluation> tenon::parallelize::planSequential(
    const OperatorGraph &graph, const Cluster &cluster,
    const PlannerOptions &options, std::string &reason) {
  return planFastest(graph, cluster, options, getSequential(), reason);
}

std::optional<Evaluation> tenon::parallelize::planPipeDream(
    const OperatorGraph &graph, const Cluster &cluster,
    const PlannerOptions &options, std::string &reason) {
  return planFastest(graph, cluster, options, getPipeDream(), reason);
}

std::optional<Evaluation> tenon::parallelize::planPiper(
    const OperatorGraph &graph, const Cluster &cluster,
    const PlannerOptions &options, std::string &reason) {
  return planFastest(graph, cluster, options, getPiper(), reason);
}
