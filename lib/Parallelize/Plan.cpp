//===- Plan.cpp - models cut into stages, and what that costs -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Plan.h"
#include "StageMemory.h"
#include "StageTimes.h"
#include "tenon/Parallelize/Schedules.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace tenon::parallelize;

namespace {
class Evaluator {
public:
  Evaluator(const OperatorGraph &graph, const Cluster &cluster,
            const TrainingOptions &options, Plan plan, std::string &reason)
      : graph(graph), cluster(cluster), options(options), reason(reason) {
    result.plan = std::move(plan);
  }

  bool run();

  Evaluation result;

private:
  bool fail(std::string text) {
    reason = std::move(text);
    return false;
  }
  bool check();
  /// Sorts the stages, and finds which operators' results go from one to
  /// another: each once, however many operators read it.
  bool sortStages();
  void addLink(unsigned from, unsigned to, int64_t bytes);
  /// The seconds in which the devices of a stage sum their gradients: a ring,
  /// over its slowest wire.
  double getReduceSeconds(llvm::ArrayRef<unsigned> devices, double bytes) const;
  /// Adds the sums of gradients of parameters that several stages have.
  void addSharedSums();
  int64_t sum(const PlannedStage &stage, int64_t Operator::*bytes) const {
    int64_t total = 0;
    for (unsigned op : stage.operators)
      total += graph[op].*bytes;
    return total;
  }

  const OperatorGraph &graph;
  const Cluster &cluster;
  const TrainingOptions &options;
  std::string &reason;
  std::vector<unsigned> stageOf;
  /// For each stage, the operators of other stages that it reads.
  std::vector<std::set<unsigned>> reads;
};
} // namespace

static std::string getStage(size_t number) {
  return "stage " + std::to_string(number);
}

bool Evaluator::check() {
  if (cluster.perNode < 1)
    return fail("expected nodes of 1 device or more");
  stageOf.assign(graph.size(), result.plan.size());
  std::set<unsigned> used;
  int64_t microBatches = 0;
  for (auto [number, stage] : llvm::enumerate(result.plan)) {
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
      if (stageOf[op] != result.plan.size())
        return fail("operator " + std::to_string(op) + " is in two stages");
      stageOf[op] = number;
    }
    for (unsigned device : stage.devices)
      if (device >= cluster.count || !used.insert(device).second)
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
  for (size_t number = 2; number < result.plan.size(); ++number)
    if (result.plan[number].isAfterPrevious !=
        result.plan[number - 1].isAfterPrevious)
      return fail(getStage(number) +
                  ": expected a chain of all stages, or of none");
  for (auto [op, stage] : llvm::enumerate(stageOf))
    if (stage == result.plan.size())
      return fail("operator " + std::to_string(op) + " is in no stage");
  return true;
}

bool Evaluator::sortStages() {
  size_t count = result.plan.size();
  std::vector<std::set<unsigned>> before(count), read(count);
  for (auto [op, node] : llvm::enumerate(graph))
    for (unsigned operand : node.operands)
      if (stageOf[operand] != stageOf[op]) {
        before[stageOf[op]].insert(stageOf[operand]);
        read[stageOf[op]].insert(operand);
      }
  for (unsigned stage = 1; stage < count; ++stage)
    if (result.plan[stage].isAfterPrevious)
      before[stage].insert(stage - 1);
  std::vector<unsigned> order;
  std::vector<bool> isDone(count, false);
  // The next stage is the one whose first operator is first, of those that may
  // be next.
  std::vector<unsigned> byOperator;
  for (unsigned stage : stageOf)
    if (!llvm::is_contained(byOperator, stage))
      byOperator.push_back(stage);
  while (order.size() < count) {
    auto next = llvm::find_if(byOperator, [&](unsigned stage) {
      return !isDone[stage] && llvm::all_of(before[stage], [&](unsigned other) {
        return isDone[other];
      });
    });
    if (next == byOperator.end())
      return fail("the stages form a cycle: one of them is not convex");
    isDone[*next] = true;
    order.push_back(*next);
  }
  Plan sorted;
  std::vector<unsigned> numberOf(count);
  for (auto [number, stage] : llvm::enumerate(order)) {
    numberOf[stage] = number;
    sorted.push_back(std::move(result.plan[stage]));
    reads.push_back(std::move(read[stage]));
  }
  result.plan = std::move(sorted);
  for (unsigned &stage : stageOf)
    stage = numberOf[stage];
  return true;
}

void Evaluator::addLink(unsigned from, unsigned to, int64_t bytes) {
  const std::vector<unsigned> &senders = result.plan[from].devices,
                              &receivers = result.plan[to].devices;
  // Devices send at the same time, each to those that have its samples.
  Link link;
  link.from = from;
  link.to = to;
  double slowest = 0;
  for (unsigned sender : senders)
    for (unsigned receiver : receivers) {
      const Cluster::Wire &wire = cluster.getWire(sender, receiver);
      // A link of a chain that carries nothing only says that it is its turn.
      if (bytes > 0)
        link.latency = std::max(link.latency, wire.latency);
      slowest = std::max(slowest, 1 / wire.bytesPerSecond);
    }
  double wires =
      static_cast<double>(std::min(senders.size(), receivers.size()));
  link.secondsPerSample = static_cast<double>(bytes) * slowest / wires;
  result.pipeline.links.push_back(link);
  result.linkBytes.push_back(bytes);
}

double Evaluator::getReduceSeconds(llvm::ArrayRef<unsigned> devices,
                                   double bytes) const {
  double count = static_cast<double>(devices.size());
  double latency = 0, slowest = 0;
  for (auto [number, device] : llvm::enumerate(devices)) {
    unsigned next = devices[(number + 1) % devices.size()];
    const Cluster::Wire &wire = cluster.getWire(device, next);
    latency = std::max(latency, wire.latency);
    slowest = std::max(slowest, 1 / wire.bytesPerSecond);
  }
  return 2 * (count - 1) * (latency + bytes * slowest / count);
}

void Evaluator::addSharedSums() {
  struct Shared {
    std::set<unsigned> stages;
    int64_t bytes = 0;
  };
  std::map<unsigned, Shared> parameters;
  for (unsigned stage = 0; stage < result.plan.size(); ++stage)
    for (unsigned op : result.plan[stage].operators)
      for (auto [parameter, bytes] : graph[op].sharedParameters) {
        parameters[parameter].stages.insert(stage);
        parameters[parameter].bytes = bytes;
      }
  // Those of the same stages are one sum.
  std::map<std::set<unsigned>, int64_t> sums;
  for (const auto &[number, shared] : parameters)
    if (shared.stages.size() > 1)
      sums[shared.stages] += shared.bytes;
  double end = result.seconds;
  for (const auto &[stages, bytes] : sums) {
    std::vector<unsigned> devices;
    for (unsigned stage : stages)
      llvm::append_range(devices, result.plan[stage].devices);
    end += getReduceSeconds(devices, static_cast<double>(bytes));
  }
  result.seconds = end;
}

bool Evaluator::run() {
  if (!check() || !sortStages())
    return false;
  result.pipeline.miniBatch = options.miniBatch;
  std::vector<int64_t> ks;
  std::vector<bool> eager;
  for (unsigned number = 0; number < result.plan.size(); ++number) {
    result.pipeline.stages.push_back(
        getStageTimes(graph, cluster, options, result.plan[number]));
    result.pipeline.stages.back().lane = number;
    ks.push_back(result.plan[number].k);
    eager.push_back(result.plan[number].eager);
    std::vector<int64_t> bytes(number, 0);
    for (unsigned op : reads[number])
      bytes[stageOf[op]] += graph[op].resultBytes;
    for (unsigned from = 0; from < number; ++from)
      if ((from + 1 == number && result.plan[number].isAfterPrevious) ||
          llvm::any_of(reads[number],
                       [&](unsigned op) { return stageOf[op] == from; }))
        addLink(from, number, bytes[from]);
  }
  if (!isValid(result.pipeline, reason))
    return false;
  result.schedule =
      options.forwardOnly
          ? makeForwardSchedule(result.pipeline)
          : makeAlternatingSchedule(result.pipeline, ks,
                                    getInFlight(result.pipeline, ks, eager));
  std::optional<Simulation> simulation =
      simulate(result.pipeline, result.schedule, reason);
  if (!simulation)
    return false;
  result.simulation = std::move(*simulation);
  for (unsigned number = 0; number < result.plan.size(); ++number) {
    const PlannedStage &stage = result.plan[number];
    double reduce =
        options.forwardOnly
            ? 0
            : getReduceSeconds(
                  stage.devices,
                  static_cast<double>(sum(stage, &Operator::weightBytes)));
    result.reduceSeconds.push_back(reduce);
    result.seconds = std::max(
        result.seconds, result.simulation.times[number].back().end + reduce);
  }
  if (!options.forwardOnly)
    addSharedSums();
  boundStageBytes(graph, options, cluster.memoryBytes, result);
  return true;
}

std::optional<Evaluation>
tenon::parallelize::evaluate(const OperatorGraph &graph, const Cluster &cluster,
                             const TrainingOptions &options, Plan plan,
                             std::string &reason) {
  Evaluator evaluator(graph, cluster, options, std::move(plan), reason);
  if (!evaluator.run())
    return std::nullopt;
  return std::move(evaluator.result);
}
