//===- EveryPlan.h - the best of all plans ----------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_PARALLELIZE_EVERYPLAN_H
#define TENON_TEST_UNIT_PARALLELIZE_EVERYPLAN_H

#include "tenon/Parallelize/Plan.h"

#include <algorithm>
#include <limits>

namespace tenon::parallelize {

/// Tries every plan: partitions of the operators into stages, numbers of
/// devices, micro-batches, k of 1 and 2, and recomputation.
class EveryPlan {
public:
  EveryPlan(const OperatorGraph &graph, const Cluster &cluster,
            const TrainingOptions &options)
      : graph(graph), cluster(cluster), options(options) {}

  /// The least seconds of those that fit into memory.
  double find() {
    partition(0);
    return least;
  }

private:
  void partition(unsigned op) {
    if (op == graph.size()) {
      if (isValid())
        choose(0, 0);
      return;
    }
    for (size_t stage = 0; stage <= plan.size(); ++stage) {
      bool isNew = stage == plan.size();
      if (isNew && plan.size() == cluster.count)
        break;
      if (isNew)
        plan.emplace_back();
      plan[stage].operators.push_back(op);
      partition(op + 1);
      plan[stage].operators.pop_back();
      if (isNew) {
        plan.pop_back();
        break;
      }
    }
  }

  /// Whether the stages are a plan at all.
  bool isValid() {
    for (unsigned stage = 0; stage < plan.size(); ++stage) {
      plan[stage].devices = {stage};
      plan[stage].microBatch = plan[stage].k = 1;
    }
    std::string reason;
    return evaluate(graph, cluster, options, plan, reason).has_value();
  }

  /// Chooses how the stages from `number` on run.
  void choose(size_t number, unsigned used) {
    if (number == plan.size()) {
      std::string reason;
      std::optional<Evaluation> found =
          evaluate(graph, cluster, options, plan, reason);
      if (found && std::all_of(found->stageBytes.begin(),
                               found->stageBytes.end(), [&](int64_t bytes) {
                                 return bytes <= cluster.memoryBytes;
                               }))
        least = std::min(least, found->seconds);
      return;
    }
    unsigned left = plan.size() - number - 1;
    for (unsigned devices = 1; used + devices + left <= cluster.count;
         devices *= 2)
      for (int64_t size = devices; size <= options.miniBatch; size *= 2)
        for (int64_t k : {1, 2})
          for (bool recompute : {false, true}) {
            if (getBusy(plan[number].operators, devices, size) > least)
              continue;
            PlannedStage &stage = plan[number];
            stage.devices.clear();
            for (unsigned device = used; device < used + devices; ++device)
              stage.devices.push_back(device);
            stage.microBatch = size;
            stage.k = k;
            stage.recompute = recompute;
            choose(number + 1, used + devices);
          }
  }

  /// The seconds that a stage computes, which no plan with it is below.
  double getBusy(const std::vector<unsigned> &operators, unsigned devices,
                 int64_t size) const {
    double samples = static_cast<double>(size) / devices, seconds = 0;
    for (unsigned op : operators)
      for (const TaskCost &cost : {graph[op].forward, graph[op].backwardInput,
                                   graph[op].backwardWeight})
        seconds += cost.fixed + cost.perSample * samples;
    return seconds * static_cast<double>(options.miniBatch / size);
  }

  const OperatorGraph &graph;
  const Cluster &cluster;
  const TrainingOptions &options;
  Plan plan;
  double least = std::numeric_limits<double>::infinity();
};

} // namespace tenon::parallelize

#endif // TENON_TEST_UNIT_PARALLELIZE_EVERYPLAN_H
