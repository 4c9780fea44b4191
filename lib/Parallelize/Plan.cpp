//===- Plan.cpp - models cut into stages, and what that costs -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Plan.h"
#include "Evaluator.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace tenon::parallelize;

static std::string getStage(size_t number) {
  return "stage " + std::to_string(number);
}

Cluster::Device Cluster::getLeast(llvm::ArrayRef<unsigned> some) const {
  Device least = getDevice(some.empty() ? 0 : some.front());
  if (devices.empty())
    return least;
  for (unsigned number : some) {
    least.speed = std::min(least.speed, devices[number].speed);
    least.memoryBytes =
        std::min(least.memoryBytes, devices[number].memoryBytes);
    least.linkSpeed = std::min(least.linkSpeed, devices[number].linkSpeed);
  }
  return least;
}

int64_t Cluster::getMostMemory() const {
  int64_t most = devices.empty() ? memoryBytes : 0;
  for (const Device &device : llvm::ArrayRef(devices).take_front(count))
    most = std::max(most, device.memoryBytes);
  return most;
}

bool tenon::parallelize::isValid(const OperatorGraph &graph,
                                 const Cluster &cluster,
                                 const TrainingOptions &options,
                                 const Plan &plan, std::string &reason) {
  auto fail = [&](std::string text) {
    reason = std::move(text);
    return false;
  };
  if (cluster.perNode < 1)
    return fail("expected nodes of 1 device or more");
  std::vector<size_t> stageOf(graph.size(), plan.size());
  std::set<unsigned> used;
  int64_t microBatches = 0;
  for (auto [number, stage] : llvm::enumerate(plan)) {
    if (stage.microBatch >= 1)
      microBatches += (options.miniBatch - 1) / stage.microBatch + 1;
    if (microBatches > kMostMicroBatches)
      return fail(getStage(number) + ": a micro-batch of " +
                  std::to_string(stage.microBatch) + " gives more than " +
                  std::to_string(kMostMicroBatches) + " micro-batches");
    if (stage.operators.empty() || stage.devices.empty())
      return fail(getStage(number) + ": expected operators and devices");
    for (unsigned op : stage.operators) {
      if (op >= graph.size())
        return fail(getStage(number) + ": there is no operator " +
                    std::to_string(op));
      if (stageOf[op] != plan.size())
        return fail("operator " + std::to_string(op) + " is in two stages");
      stageOf[op] = number;
    }
    bool takesTurns = llvm::any_of(llvm::ArrayRef(plan).take_front(number),
                                   [&](const PlannedStage &other) {
                                     return other.devices == stage.devices &&
                                            !options.forwardOnly;
                                   });
    for (unsigned device : stage.devices)
      if (device >= cluster.count ||
          (!takesTurns && !used.insert(device).second))
        return fail(
            getStage(number) + ": device " + std::to_string(device) +
            (device < cluster.count ? " is used twice" : " does not exist"));
    if (stage.microBatch < static_cast<int64_t>(stage.devices.size()))
      return fail(getStage(number) + ": a micro-batch of " +
                  std::to_string(stage.microBatch) + " can't be shared by " +
                  std::to_string(stage.devices.size()) + " devices");
    if (stage.k < 1)
      return fail(getStage(number) + ": expected a k of 1 or more");
    if (stage.offload && stage.recompute)
      return fail(getStage(number) + ": can't both offload and recompute");
    if (stage.offload && !(cluster.hostBytesPerSecond > 0))
      return fail(getStage(number) + ": there is no memory to offload to");
  }
  for (size_t number = 1; number < plan.size(); ++number)
    if (plan[number].splitBackward != plan[0].splitBackward)
      return fail(getStage(number) +
                  ": expected gradients of weights apart in all stages, or in "
                  "none");
  for (size_t number = 2; number < plan.size(); ++number)
    if (plan[number].isAfterPrevious != plan[number - 1].isAfterPrevious)
      return fail(getStage(number) +
                  ": expected a chain of all stages, or of none");
  for (auto [op, stage] : llvm::enumerate(stageOf))
    if (stage == plan.size())
      return fail("operator " + std::to_string(op) + " is in no stage");
  return true;
}

bool tenon::parallelize::isFitting(const Evaluation &evaluation,
                                   const Cluster &cluster) {
  for (auto [stage, bytes] : llvm::zip(evaluation.plan, evaluation.stageBytes))
    if (bytes > cluster.getLeast(stage.devices).memoryBytes)
      return false;
  return true;
}

std::optional<Evaluation>
tenon::parallelize::evaluate(const OperatorGraph &graph, const Cluster &cluster,
                             const TrainingOptions &options, Plan plan,
                             std::string &reason) {
  OperatorSets sets(graph);
  return Evaluator(graph, cluster, options, sets)
      .evaluate(std::move(plan), reason);
}
