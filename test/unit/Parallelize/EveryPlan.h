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

/// Tries every plan: partitions of the operators into stages, which devices
/// they have, micro-batches, k of 1 and 2, recomputation, and gradients of
/// weights apart.
class EveryPlan {
public:
  EveryPlan(const OperatorGraph &graph, const Cluster &cluster,
            const TrainingOptions &options)
      : graph(graph), cluster(cluster), options(options) {}

  /// The least seconds of those that fit into memory.
  double find() {
    for (int64_t count = 1; count <= options.miniBatch; ++count) {
      int64_t size = (options.miniBatch + count - 1) / count;
      if (sizes.empty() || sizes.back() != size)
        sizes.push_back(size);
    }
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

  /// Chooses how the stages from `number` on run. `used`: a bit for each
  /// device.
  void choose(size_t number, unsigned used) {
    if (number == plan.size()) {
      for (bool split : {false, true}) {
        for (PlannedStage &stage : plan)
          stage.splitBackward = split;
        std::string reason;
        std::optional<Evaluation> found =
            evaluate(graph, cluster, options, plan, reason);
        if (found && isFitting(*found, cluster))
          least = std::min(least, found->seconds);
      }
      return;
    }
    for (unsigned set = 1; set < 1u << cluster.count; ++set) {
      std::vector<unsigned> devices;
      for (unsigned device = 0; device < cluster.count; ++device)
        if (set >> device & 1)
          devices.push_back(device);
      // Devices that are alike are taken from the first on.
      bool isFirst = (set & used) == 0;
      for (unsigned device : devices)
        for (unsigned other = 0; other < device; ++other)
          isFirst &= ((set | used) >> other & 1) || !areAlike(device, other);
      for (int64_t size : sizes)
        for (int64_t k : {1, 2})
          for (bool recompute : {false, true}) {
            if (!isFirst || size < static_cast<int64_t>(devices.size()) ||
                getBusy(plan[number].operators, devices, size) > least)
              continue;
            PlannedStage &stage = plan[number];
            stage.devices = devices;
            stage.microBatch = size;
            stage.k = k;
            stage.recompute = recompute;
            choose(number + 1, used | set);
          }
    }
  }

  bool areAlike(unsigned a, unsigned b) const {
    return a / cluster.perNode == b / cluster.perNode &&
           cluster.getDevice(a) == cluster.getDevice(b);
  }

  /// The seconds that a stage computes, which no plan with it is below.
  double getBusy(const std::vector<unsigned> &operators,
                 const std::vector<unsigned> &devices, int64_t size) const {
    auto getSeconds = [&](int64_t all) {
      int64_t count = static_cast<int64_t>(devices.size());
      double samples = static_cast<double>((all + count - 1) / count);
      double seconds = 0;
      for (unsigned op : operators)
        for (const TaskCost &cost : {graph[op].forward, graph[op].backwardInput,
                                     graph[op].backwardWeight})
          seconds += cost.getSeconds(samples);
      return seconds;
    };
    int64_t full = options.miniBatch / size, rest = options.miniBatch % size;
    double seconds = getSeconds(size) * static_cast<double>(full);
    if (rest > 0)
      seconds += getSeconds(rest);
    return seconds / cluster.getLeast(devices).speed;
  }

  const OperatorGraph &graph;
  const Cluster &cluster;
  const TrainingOptions &options;
  std::vector<int64_t> sizes;
  Plan plan;
  double least = std::numeric_limits<double>::infinity();
};

} // namespace tenon::parallelize

#endif // TENON_TEST_UNIT_PARALLELIZE_EVERYPLAN_H
