//===- StageMemory.cpp - bytes that stages hold ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageMemory.h"
#include "MessageSlack.h"

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
  StageMemory(const TrainingOptions &options, llvm::ArrayRef<StageView> views,
              const Evaluation &evaluation)
      : options(options), views(views), evaluation(evaluation),
        places(views.size()) {}

  std::vector<int64_t> count() {
    findPlaces();
    for (unsigned stage = 0; stage < places.size(); ++stage)
      addSaved(stage);
    for (const SentMessage &message : evaluation.simulation.messages)
      addMessage(message);
    return addLasting(getPeaks());
  }

  /// As many samples as are in flight, and messages with so many, or all of an
  /// iteration where nothing bounds how many wait.
  std::vector<int64_t> getBounds() const {
    const Pipeline &pipeline = evaluation.pipeline;
    std::vector<int64_t> bytes;
    for (unsigned stage = 0; stage < places.size(); ++stage) {
      const StageView &view = views[stage];
      bool keeps = view.splitBackward || !(view.recompute || view.offload);
      bytes.push_back((keeps ? getInFlight(stage) : view.microBatch) *
                      view.set->bytes.saved);
    }
    for (auto [link, perSample] :
         llvm::zip(pipeline.links, evaluation.linkBytes)) {
      int64_t from = pipeline.miniBatch, to = pipeline.miniBatch;
      if (!options.forwardOnly) {
        // A value is in flight where it comes from until its gradient is
        // there, and gradients are received and sent for a few tasks. It is
        // kept where it came to for the gradients of weights.
        int64_t flying = getInFlight(link.from);
        int64_t around = kAround * std::max(views[link.from].microBatch,
                                            views[link.to].microBatch);
        from = 2 * flying + around;
        to = flying + around;
        if (views[link.to].splitBackward)
          to += getInFlight(link.to);
        from = std::min(from, 2 * pipeline.miniBatch);
        to = std::min(to, 2 * pipeline.miniBatch);
      }
      bytes[link.from] += from * perSample;
      bytes[link.to] += to * perSample;
    }
    std::vector<int64_t> ofLane(pipeline.getNumLanes(), 0);
    for (unsigned stage = 0; stage < places.size(); ++stage)
      ofLane[pipeline.stages[stage].lane] += share(stage, bytes[stage]);
    return addLasting(ofLane);
  }

private:
  /// Micro-batches of messages that are about to be received, or were sent.
  static constexpr int64_t kAround = kReceivesAhead + kSendsAhead + 2;

  /// The last micro-batch counts like others.
  int64_t getInFlight(unsigned stage) const {
    auto size = static_cast<uint64_t>(views[stage].microBatch);
    return static_cast<int64_t>(llvm::alignTo(
        static_cast<uint64_t>(evaluation.simulation.inFlight[stage]), size));
  }
  unsigned getLane(unsigned stage) const {
    return evaluation.pipeline.stages[stage].lane;
  }
  /// The bytes of the devices of each stage, given those of values by lane.
  /// Inputs and outputs are there once.
  std::vector<int64_t> addLasting(std::vector<int64_t> ofLane) const {
    for (int64_t &bytes : ofLane)
      bytes += options.givenBytes;
    for (unsigned stage = 0; stage < places.size(); ++stage)
      ofLane[getLane(stage)] +=
          getLastingBytes(options, views[stage]) - options.givenBytes;
    std::vector<int64_t> bytes;
    for (unsigned stage = 0; stage < places.size(); ++stage)
      bytes.push_back(ofLane[getLane(stage)]);
    return bytes;
  }
  int64_t share(unsigned stage, int64_t bytes) const {
    // The device that has the most samples of each micro-batch.
    const StageView &view = views[stage];
    auto size = static_cast<uint64_t>(view.microBatch);
    auto most =
        static_cast<double>(llvm::divideCeil(size, uint64_t(view.numDevices)));
    return static_cast<int64_t>(std::ceil(static_cast<double>(bytes) * most /
                                          static_cast<double>(size)));
  }
  void findPlaces();
  void addSaved(unsigned stage);
  void addMessage(const SentMessage &message);
  size_t getSendEnd(const SentMessage &message, unsigned sender) const;
  void add(unsigned stage, size_t first, size_t last, int64_t bytes) {
    changes.push_back({first, stage, bytes});
    changes.push_back({last, stage, -bytes});
  }
  /// The most bytes of values that are live on a device of each lane at a time.
  std::vector<int64_t> getPeaks() const;
  const Places &getPlaces(unsigned stage, int64_t sample) const {
    return places[stage][sample / views[stage].microBatch];
  }

  const TrainingOptions &options;
  const llvm::ArrayRef<StageView> views;
  const Evaluation &evaluation;
  std::vector<Change> changes;
  /// By stage and micro-batch.
  std::vector<std::vector<Places>> places;
};
} // namespace

void StageMemory::findPlaces() {
  for (unsigned stage = 0; stage < places.size(); ++stage)
    places[stage].resize(evaluation.pipeline.getNumMicroBatches(stage));
  for (auto [lane, tasks] : llvm::enumerate(evaluation.schedule.lanes)) {
    const std::vector<size_t> &orders = evaluation.simulation.orders[lane];
    for (auto [number, task] : llvm::enumerate(tasks)) {
      Places &own = places[task.stage][task.microBatch];
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
  unsigned numLanes = evaluation.pipeline.getNumLanes();
  std::vector<int64_t> live(places.size(), 0), ofLane(numLanes, 0),
      most(numLanes, 0);
  for (const Change *change : sorted) {
    unsigned stage = change->stage, lane = getLane(stage);
    ofLane[lane] -= share(stage, live[stage]);
    live[stage] += change->bytes;
    ofLane[lane] += share(stage, live[stage]);
    most[lane] = std::max(most[lane], ofLane[lane]);
  }
  return most;
}

void StageMemory::addSaved(unsigned stage) {
  const StageView &view = views[stage];
  int64_t bytes = view.microBatch * view.set->bytes.saved;
  if (options.forwardOnly || bytes == 0)
    return;
  for (const Places &own : places[stage]) {
    if (!view.recompute && !view.offload) {
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
          .orders[getLane(receiver)][reader - std::min(reader, kReceivesAhead)];
  add(receiver, std::min(message.order, begin), to.last, bytes);
}

/// When the buffer of a message that was sent is free.
size_t StageMemory::getSendEnd(const SentMessage &message,
                               unsigned sender) const {
  if (!options.forwardOnly && !message.isGradient)
    return getPlaces(sender, message.firstSample).firstBackward;
  size_t later = message.firstSample / views[sender].microBatch + kSendsAhead;
  if (later >= places[sender].size())
    return evaluation.simulation.orders[getLane(sender)].back();
  return message.isGradient ? places[sender][later].firstBackward
                            : places[sender][later].forward;
}

std::vector<int64_t>
tenon::parallelize::countStageBytes(const TrainingOptions &options,
                                    llvm::ArrayRef<StageView> views,
                                    const Evaluation &evaluation) {
  return StageMemory(options, views, evaluation).count();
}

std::vector<int64_t>
tenon::parallelize::boundStageBytes(const TrainingOptions &options,
                                    llvm::ArrayRef<StageView> views,
                                    const Evaluation &evaluation) {
  return StageMemory(options, views, evaluation).getBounds();
}
