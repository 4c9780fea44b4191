//===- ListSchedule.cpp - tasks as soon as they are ready -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineState.h"
#include "tenon/Parallelize/Schedules.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace tenon::parallelize;

namespace {
class ListScheduler {
public:
  ListScheduler(const Pipeline &pipeline, const ListOptions &options)
      : pipeline(pipeline), options(options), state(pipeline, true, false),
        next(pipeline.stages.size()), lanes(pipeline.getNumLanes()) {
    schedule.lanes.resize(lanes.size());
    for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
      lanes[pipeline.stages[stage].lane].stages.push_back(stage);
  }

  bool run(std::string &reason);

  Schedule schedule;

private:
  /// A task that can begin. The least one is taken.
  struct Candidate {
    double begin;
    /// The kind of work that is wanted most has rank 0.
    unsigned rank;
    Task task;

    bool operator<(const Candidate &other) const {
      // Later stages first.
      return std::make_tuple(begin, rank, other.task.stage) <
             std::make_tuple(other.begin, other.rank, task.stage);
    }
  };
  /// The number of each stage's next task of a kind: tasks of a kind are in the
  /// order of micro-batches.
  struct Next {
    int64_t forward = 0, backward = 0, weight = 0;
    /// Whether the last one, but for gradients of weights, was backward.
    bool wasBackward = false;
  };

  struct Lane {
    std::vector<unsigned> stages;
    double free = 0;
    /// Its next task, unless that must be looked for.
    std::optional<Candidate> best;
    bool isKnown = false;
  };

  void consider(const Task &task, unsigned rank,
                std::optional<Candidate> &best) const;
  std::optional<Candidate> findBest(const Lane &lane) const;
  std::optional<Candidate> findNext();
  void take(const Candidate &candidate);

  const Pipeline &pipeline;
  const ListOptions &options;
  PipelineState state;
  std::vector<Next> next;
  std::vector<Lane> lanes;
};
} // namespace

void ListScheduler::consider(const Task &task, unsigned rank,
                             std::optional<Candidate> &best) const {
  if (task.microBatch >= state.getNumMicroBatches(task.stage))
    return;
  std::optional<double> ready = state.getReady(task);
  if (!ready)
    return;
  double free = lanes[pipeline.stages[task.stage].lane].free;
  Candidate candidate{std::max(*ready, free), rank, task};
  if (!best || candidate < *best)
    best = candidate;
}

std::optional<ListScheduler::Candidate>
ListScheduler::findBest(const Lane &lane) const {
  std::optional<Candidate> best;
  TaskKind backward =
      options.splitBackward ? TaskKind::BackwardInput : TaskKind::Backward;
  for (unsigned stage : lane.stages) {
    const Next &at = next[stage];
    // With gradients of weights apart, forward and backward tasks take turns,
    // so that later stages are never without work: what is in the way of a
    // forward task, the memory of gradients that are left, goes first.
    bool owes = options.splitBackward && at.wasBackward &&
                at.forward < state.getNumMicroBatches(stage);
    consider({stage, backward, at.backward}, owes ? 1 : 0, best);
    int64_t samples = pipeline.getSamples(stage, at.forward).size();
    bool hasRoom =
        state.getInFlight(stage) + samples <= options.inFlight[stage];
    if (hasRoom)
      consider({stage, TaskKind::Forward, at.forward}, owes ? 0 : 1, best);
    if (options.splitBackward && at.weight < at.backward)
      consider({stage, TaskKind::BackwardWeight, at.weight},
               owes && !hasRoom ? 0 : 2, best);
  }
  return best;
}

/// The task that can begin first, of all lanes. A task that another one makes
/// ready begins no earlier.
std::optional<ListScheduler::Candidate> ListScheduler::findNext() {
  std::optional<Candidate> best;
  for (Lane &lane : lanes) {
    if (!lane.isKnown)
      lane.best = findBest(lane);
    lane.isKnown = true;
    if (lane.best && (!best || *lane.best < *best))
      best = lane.best;
  }
  return best;
}

/// Runs a task, and forgets what it changes.
void ListScheduler::take(const Candidate &candidate) {
  const Task &task = candidate.task;
  state.begin(task, candidate.begin);
  unsigned number = pipeline.stages[task.stage].lane;
  lanes[number].free = candidate.begin + state.getSeconds(task);
  lanes[number].isKnown = false;
  schedule.lanes[number].push_back(task);
  Next &at = next[task.stage];
  if (task.kind == TaskKind::BackwardWeight) {
    ++at.weight;
    return;
  }
  at.wasBackward = task.kind != TaskKind::Forward;
  ++(at.wasBackward ? at.backward : at.forward);
  auto forget = [&](unsigned stage) {
    lanes[pipeline.stages[stage].lane].isKnown = false;
  };
  if (at.wasBackward)
    for (unsigned link : state.getIncoming(task.stage))
      forget(pipeline.links[link].from);
  else
    for (unsigned link : state.getOutgoing(task.stage))
      forget(pipeline.links[link].to);
}

bool ListScheduler::run(std::string &reason) {
  while (std::optional<Candidate> best = findNext())
    take(*best);
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
    if (next[stage].backward < state.getNumMicroBatches(stage)) {
      reason = "stage " + std::to_string(stage) + " can't continue with " +
               std::to_string(options.inFlight[stage]) +
               " samples in flight: " +
               getTaskText({stage, TaskKind::Backward, next[stage].backward}) +
               " waits";
      return false;
    }
  return true;
}

ListOptions tenon::parallelize::makeListOptions(std::vector<int64_t> inFlight,
                                                bool splitBackward) {
  if (splitBackward && !inFlight.empty()) {
    int64_t most = *llvm::max_element(inFlight);
    inFlight.assign(inFlight.size(), most);
  }
  return {std::move(inFlight), splitBackward};
}

std::optional<Schedule> tenon::parallelize::makeListSchedule(
    const Pipeline &pipeline, const ListOptions &options, std::string &reason) {
  ListScheduler scheduler(pipeline, options);
  if (!scheduler.run(reason))
    return std::nullopt;
  return std::move(scheduler.schedule);
}
