//===- Draft.cpp - plans without devices ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace tenon::parallelize;

PlannedStage tenon::parallelize::makePlannedStage(const DraftStage &stage) {
  PlannedStage planned;
  planned.operators = stage.operators;
  planned.microBatch = stage.microBatch;
  planned.k = stage.k;
  planned.recompute = stage.recompute;
  planned.offload = stage.offload;
  planned.eager = stage.eager;
  return planned;
}

std::optional<Plan> tenon::parallelize::assignDevices(const Draft &draft,
                                                      const Cluster &cluster) {
  Plan plan;
  std::vector<unsigned> free(cluster.count);
  std::iota(free.begin(), free.end(), 0);
  for (const DraftStage &stage : draft) {
    if (free.size() < stage.numDevices)
      return std::nullopt;
    PlannedStage planned = makePlannedStage(stage);
    // The first of the free devices, or those of the first node with enough.
    auto begin = free.begin();
    for (auto first = free.begin(); first != free.end(); ++first) {
      size_t left = free.end() - first;
      if (left >= stage.numDevices &&
          *first / cluster.perNode ==
              first[stage.numDevices - 1] / cluster.perNode) {
        begin = first;
        break;
      }
    }
    planned.devices.assign(begin, begin + stage.numDevices);
    free.erase(begin, begin + stage.numDevices);
    plan.push_back(std::move(planned));
  }
  return plan;
}

void tenon::parallelize::sortStages(Draft &draft) {
  llvm::sort(draft, [](const DraftStage &a, const DraftStage &b) {
    return a.operators < b.operators;
  });
}

std::string tenon::parallelize::getKey(const Draft &draft) {
  std::string key;
  for (const DraftStage &stage : draft) {
    for (unsigned op : stage.operators)
      key += std::to_string(op) + " ";
    key += "on " + std::to_string(stage.numDevices) + " by " +
           std::to_string(stage.microBatch) + ", " + std::to_string(stage.k) +
           (stage.recompute ? " again" : "") + (stage.offload ? " away" : "") +
           (stage.eager ? " early;" : ";");
  }
  return key;
}

bool tenon::parallelize::isAllowed(const DraftStage &stage,
                                   const PlannerOptions &options) {
  const TrainingOptions &training = options.training;
  if (stage.operators.empty() || stage.numDevices < 1 || stage.k < 1 ||
      stage.k > options.mostK || stage.microBatch < options.leastMicroBatch ||
      stage.microBatch > options.mostMicroBatch ||
      stage.microBatch < stage.numDevices ||
      stage.microBatch > training.miniBatch)
    return false;
  bool isEven = stage.microBatch % stage.numDevices == 0 &&
                training.miniBatch % stage.microBatch == 0;
  if (options.evenParts && !isEven)
    return false;
  if (training.forwardOnly)
    return stage.k == 1 && !stage.eager && !stage.recompute && !stage.offload;
  return (!stage.eager || options.mayBeEager) &&
         (!stage.recompute || options.mayRecompute) &&
         (!stage.offload || options.mayOffload);
}

int64_t tenon::parallelize::getNumTasks(const Evaluation &evaluation) {
  int64_t tasks = 0;
  for (const auto &lane : evaluation.simulation.times)
    tasks += static_cast<int64_t>(lane.size());
  return tasks;
}
