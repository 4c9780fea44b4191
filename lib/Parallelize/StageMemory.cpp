//===- StageMemory.cpp - bytes that stages hold ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageMemory.h"
#include "MessageSlack.h"
#include "StageTimes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace tenon::parallelize;

namespace {
/// The places of a micro-batch's tasks in the order of the simulation.
struct Places {
  size_t forward = 0, firstBackward = 0, last = 0;
  /// The numbers of the first two among the tasks of the stage's lane.
  size_t forwardTask = 0, backwardTask = 0;
  bool hasBackward = false;
};

/// What changes at a place of the order; what begins to live comes first.
struct Change {
  size_t place = 0;
  unsigned stage = 0;
  int64_t bytes = 0;

  /// Where it is among all changes: sorting by it is a count.
  size_t getKey() const { return 2 * place + (bytes < 0 ? 1 : 0); }
};

class StageMemory {
public:
  StageMemory(const OperatorGraph &graph, const TrainingOptions &options,
              const Evaluation &evaluation)
      : options(options), evaluation(evaluation),
        places(evaluation.plan.size()) {
    for (const PlannedStage &planned : evaluation.plan)
      held.emplace_back(graph, planned.operators);
  }

  std::vector<int64_t> count() {
    findPlaces();
    for (unsigned stage = 0; stage < places.size(); ++stage)
      addSaved(stage);
    for (const SentMessage &message : evaluation.simulation.messages)
      addMessage(message);
    std::vector<int64_t> bytes = getPeaks();
    for (auto [stage, peak] : llvm::enumerate(bytes))
      peak = getLasting(stage) + share(stage, peak);
    return bytes;
  }

  /// All messages of an iteration at once, and as many samples as are in
  /// flight.
  int64_t getBound(unsigned stage) const {
    const Pipeline &pipeline = evaluation.pipeline;
    // The last micro-batch counts like others.
    auto size = static_cast<uint64_t>(evaluation.plan[stage].microBatch);
    auto inFlight = static_cast<int64_t>(llvm::alignTo(
        static_cast<uint64_t>(evaluation.simulation.inFlight[stage]), size));
    int64_t bytes = inFlight * held[stage].saved;
    for (auto [link, perSample] :
         llvm::zip(pipeline.links, evaluation.linkBytes))
      if (link.from == stage || link.to == stage)
        bytes += (options.forwardOnly ? 1 : 2) * pipeline.miniBatch * perSample;
    return getLasting(stage) + share(stage, bytes);
  }

private:
  int64_t share(unsigned stage, int64_t bytes) const {
    // The device that has the most samples of each micro-batch.
    const PlannedStage &planned = evaluation.plan[stage];
    auto size = static_cast<uint64_t>(planned.microBatch);
    auto most = static_cast<double>(
        llvm::divideCeil(size, uint64_t(planned.devices.size())));
    return static_cast<int64_t>(std::ceil(static_cast<double>(bytes) * most /
                                          static_cast<double>(size)));
  }
  int64_t getLasting(unsigned stage) const {
    return getLastingBytes(options, evaluation.plan[stage], held[stage]);
  }
  void findPlaces();
  void addSaved(unsigned stage);
  void addMessage(const SentMessage &message);
  size_t getSendEnd(const SentMessage &message, unsigned sender) const;
  void add(unsigned stage, size_t first, size_t last, int64_t bytes) {
    changes.push_back({first, stage, bytes});
    changes.push_back({last, stage, -bytes});
  }
  /// The most bytes that are live in each stage at a time.
  std::vector<int64_t> getPeaks() const;
  const Places &getPlaces(unsigned stage, int64_t sample) const {
    return places[stage][sample / evaluation.plan[stage].microBatch];
  }

  const TrainingOptions &options;
  const Evaluation &evaluation;
  /// By stage.
  std::vector<OperatorBytes> held;
  std::vector<Change> changes;
  /// By stage and micro-batch.
  std::vector<std::vector<Places>> places;
};
} // namespace

void StageMemory::findPlaces() {
  for (unsigned stage = 0; stage < places.size(); ++stage) {
    places[stage].resize(evaluation.pipeline.getNumMicroBatches(stage));
    const std::vector<size_t> &orders = evaluation.simulation.orders[stage];
    for (auto [number, task] :
         llvm::enumerate(evaluation.schedule.lanes[stage])) {
      Places &own = places[stage][task.microBatch];
      own.last = std::max(own.last, orders[number]);
      if (task.kind == TaskKind::Forward) {
        own.forward = orders[number];
        own.forwardTask = number;
      } else if (!own.hasBackward) {
        own.firstBackward = orders[number];
        own.backwardTask = number;
      }
      own.hasBackward |= task.kind != TaskKind::Forward;
    }
  }
}

std::vector<int64_t> StageMemory::getPeaks() const {
  std::vector<size_t> next;
  for (const Change &change : changes) {
    size_t key = change.getKey();
    if (key + 1 >= next.size())
      next.resize(key + 2, 0);
    ++next[key + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<const Change *> sorted(changes.size());
  for (const Change &change : changes)
    sorted[next[change.getKey()]++] = &change;
  std::vector<int64_t> live(places.size(), 0), most(places.size(), 0);
  for (const Change *change : sorted) {
    live[change->stage] += change->bytes;
    most[change->stage] = std::max(most[change->stage], live[change->stage]);
  }
  return most;
}

void StageMemory::addSaved(unsigned stage) {
  const PlannedStage &planned = evaluation.plan[stage];
  int64_t bytes = planned.microBatch * held[stage].saved;
  if (options.forwardOnly || bytes == 0)
    return;
  for (const Places &own : places[stage]) {
    if (!planned.recompute && !planned.offload) {
      add(stage, own.forward, own.last, bytes);
      continue;
    }
    add(stage, own.forward, own.forward, bytes);
    add(stage, own.firstBackward, own.last, bytes);
  }
}

void StageMemory::addMessage(const SentMessage &message) {
  const Link &link = evaluation.pipeline.links[message.link];
  int64_t bytes = evaluation.linkBytes[message.link] *
                  (message.lastSample - message.firstSample);
  if (bytes == 0)
    return;
  unsigned sender = message.isGradient ? link.to : link.from;
  unsigned receiver = message.isGradient ? link.from : link.to;
  const Places &from = getPlaces(sender, message.firstSample);
  add(sender, message.isGradient ? from.firstBackward : from.forward,
      std::max(message.order, getSendEnd(message, sender)), bytes);
  const Places &to = getPlaces(receiver, message.firstSample);
  size_t reader = message.isGradient ? to.backwardTask : to.forwardTask;
  size_t begin =
      evaluation.simulation
          .orders[receiver][reader - std::min(reader, kReceivesAhead)];
  add(receiver, std::min(message.order, begin), to.last, bytes);
}

/// When the buffer of a message that was sent is free.
size_t StageMemory::getSendEnd(const SentMessage &message,
                               unsigned sender) const {
  if (!options.forwardOnly && !message.isGradient)
    return getPlaces(sender, message.firstSample).firstBackward;
  size_t later =
      message.firstSample / evaluation.plan[sender].microBatch + kSendsAhead;
  if (later >= places[sender].size())
    return evaluation.simulation.orders[sender].back();
  return message.isGradient ? places[sender][later].firstBackward
                            : places[sender][later].forward;
}

void tenon::parallelize::countStageBytes(const OperatorGraph &graph,
                                         const TrainingOptions &options,
                                         Evaluation &evaluation) {
  evaluation.stageBytes = StageMemory(graph, options, evaluation).count();
}

void tenon::parallelize::boundStageBytes(const OperatorGraph &graph,
                                         const TrainingOptions &options,
                                         int64_t limit,
                                         Evaluation &evaluation) {
  StageMemory memory(graph, options, evaluation);
  std::vector<int64_t> bounds;
  for (unsigned stage = 0; stage < evaluation.plan.size(); ++stage)
    bounds.push_back(memory.getBound(stage));
  if (llvm::all_of(bounds, [&](int64_t bytes) { return bytes <= limit; }))
    evaluation.stageBytes = std::move(bounds);
  else
    evaluation.stageBytes = memory.count();
}
