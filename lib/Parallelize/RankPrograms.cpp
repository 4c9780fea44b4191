//===- RankPrograms.cpp - what each rank does, step by step ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/RankPrograms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <map>

using namespace tenon::parallelize;

namespace {
/// A task or a message, for all ranks that take part.
struct Event {
  double time = 0;
  /// Orders events of equal times: a message is between the task that produces
  /// it and those that need it.
  size_t order = 0;
  Task task;
  /// Whether it is a message of a link; else it is the task.
  bool isMessage = false, isGradient = false;
  unsigned link = 0;
  int64_t begin = 0, end = 0;
};

class Builder {
public:
  Builder(const Pipeline &pipeline, const LaneRanks &laneRanks)
      : pipeline(pipeline), laneRanks(laneRanks) {
    size_t numRanks = 0;
    for (const std::vector<unsigned> &ranks : laneRanks)
      numRanks += ranks.size();
    programs.resize(numRanks);
  }

  void compute(const Task &task);
  void transfer(const Event &event);
  void reduceGradients(unsigned stage);

  RankPrograms programs;

private:
  /// The rank that has a sample of a stage's micro-batch, and the end of its
  /// samples.
  struct Holder {
    unsigned rank;
    int64_t end;
  };
  Holder findHolder(unsigned stage, int64_t sample) const;
  const std::vector<unsigned> &getRanks(unsigned stage) const {
    return laneRanks[pipeline.stages[stage].lane];
  }

  const Pipeline &pipeline;
  const LaneRanks &laneRanks;
};
} // namespace

void Builder::compute(const Task &task) {
  const std::vector<unsigned> &ranks = getRanks(task.stage);
  Samples all = pipeline.getSamples(task.stage, task.microBatch);
  for (auto [number, rank] : llvm::enumerate(ranks)) {
    Samples share =
        getShare(all, int64_t(number), static_cast<int64_t>(ranks.size()));
    // Some ranks may have no sample of the last micro-batch.
    if (share.size() == 0)
      continue;
    Step step;
    step.task = task;
    step.begin = share.begin;
    step.end = share.end;
    programs[rank].push_back(std::move(step));
  }
}

Builder::Holder Builder::findHolder(unsigned stage, int64_t sample) const {
  const std::vector<unsigned> &ranks = getRanks(stage);
  Samples all =
      pipeline.getSamples(stage, sample / pipeline.stages[stage].microBatch);
  for (auto [number, rank] : llvm::enumerate(ranks)) {
    Samples share =
        getShare(all, int64_t(number), static_cast<int64_t>(ranks.size()));
    if (share.begin <= sample && sample < share.end)
      return {rank, share.end};
  }
  llvm_unreachable("each sample is one rank's");
}

void Builder::transfer(const Event &event) {
  const Link &link = pipeline.links[event.link];
  unsigned from = event.isGradient ? link.to : link.from;
  unsigned to = event.isGradient ? link.from : link.to;
  std::map<unsigned, Step> steps;
  for (int64_t begin = event.begin; begin < event.end;) {
    auto [source, sent] = findHolder(from, begin);
    auto [target, received] = findHolder(to, begin);
    int64_t end = std::min({event.end, sent, received});
    // Stages of one lane pass values to each other in place.
    if (source != target) {
      steps[source].transfers.push_back(
          {true, target, event.link, event.isGradient, begin, end});
      steps[target].transfers.push_back(
          {false, source, event.link, event.isGradient, begin, end});
    }
    begin = end;
  }
  for (auto &[rank, step] : steps) {
    step.kind = Step::Kind::Group;
    programs[rank].push_back(std::move(step));
  }
}

void Builder::reduceGradients(unsigned stage) {
  const std::vector<unsigned> &ranks = getRanks(stage);
  if (ranks.size() < 2)
    return;
  for (unsigned rank : ranks) {
    Step step;
    step.kind = Step::Kind::ReduceGradients;
    step.task.stage = stage;
    programs[rank].push_back(std::move(step));
  }
}

/// The events of a simulation, from first to last.
static std::vector<Event> getEvents(const Pipeline &pipeline,
                                    const Schedule &schedule,
                                    const Simulation &simulation) {
  std::vector<Event> events;
  for (auto [lane, tasks] : llvm::enumerate(schedule.lanes))
    for (auto [number, task] : llvm::enumerate(tasks)) {
      Event event;
      event.time = simulation.times[lane][number].begin;
      event.order = simulation.orders[lane][number];
      event.task = task;
      events.push_back(event);
    }
  for (const SentMessage &message : simulation.messages) {
    Event event;
    event.time = message.begin;
    event.order = message.order;
    event.isMessage = true;
    event.isGradient = message.isGradient;
    event.link = message.link;
    event.begin = message.firstSample;
    event.end = message.lastSample;
    events.push_back(event);
  }
  llvm::sort(events, [](const Event &a, const Event &b) {
    return std::make_pair(a.time, a.order) < std::make_pair(b.time, b.order);
  });
  return events;
}

RankPrograms tenon::parallelize::makeRankPrograms(const Pipeline &pipeline,
                                                  const Schedule &schedule,
                                                  const Simulation &simulation,
                                                  const LaneRanks &laneRanks) {
  Builder builder(pipeline, laneRanks);
  // The last gradients of a stage's weights are summed at once.
  std::vector<int64_t> left;
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
    left.push_back(pipeline.getNumMicroBatches(stage));
  for (const Event &event : getEvents(pipeline, schedule, simulation)) {
    if (event.isMessage) {
      builder.transfer(event);
      continue;
    }
    builder.compute(event.task);
    if ((event.task.kind == TaskKind::Backward ||
         event.task.kind == TaskKind::BackwardWeight) &&
        --left[event.task.stage] == 0)
      builder.reduceGradients(event.task.stage);
  }
  return builder.programs;
}
