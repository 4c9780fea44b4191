//===- ListSchedule.cpp - tasks as soon as they are ready -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineState.h"
#include "tenon/Parallelize/Schedules.h"

#include <tuple>

using namespace tenon::parallelize;

namespace {
class ListScheduler {
public:
  ListScheduler(const Pipeline &pipeline, const ListOptions &options)
      : pipeline(pipeline), options(options), state(pipeline, true),
        next(pipeline.stages.size()), laneFree(pipeline.getNumLanes(), 0) {
    schedule.lanes.resize(laneFree.size());
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

  void consider(const Task &task, unsigned rank,
                std::optional<Candidate> &best) const;
  std::optional<Candidate> findNext() const;

  const Pipeline &pipeline;
  const ListOptions &options;
  PipelineState state;
  std::vector<Next> next;
  std::vector<double> laneFree;
};
} // namespace

void ListScheduler::consider(const Task &task, unsigned rank,
                             std::optional<Candidate> &best) const {
  if (task.microBatch >= pipeline.getNumMicroBatches(task.stage))
    return;
  std::optional<double> ready = state.getReady(task);
  if (!ready)
    return;
  double free = laneFree[pipeline.stages[task.stage].lane];
  Candidate candidate{std::max(*ready, free), rank, task};
  if (!best || candidate < *best)
    best = candidate;
}

/// The task that can begin first, of all lanes. A task that another one makes
/// ready begins no earlier.
std::optional<ListScheduler::Candidate> ListScheduler::findNext() const {
  std::optional<Candidate> best;
  TaskKind backward =
      options.splitBackward ? TaskKind::BackwardInput : TaskKind::Backward;
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage) {
    const Next &at = next[stage];
    // With gradients of weights apart, forward and backward tasks take turns,
    // so that later stages are never without work: what is in the way of a
    // forward task, the memory of gradients that are left, goes first.
    bool owes = options.splitBackward && at.wasBackward &&
                at.forward < pipeline.getNumMicroBatches(stage);
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

bool ListScheduler::run(std::string &reason) {
  while (std::optional<Candidate> best = findNext()) {
    const Task &task = best->task;
    state.begin(task, best->begin);
    unsigned lane = pipeline.stages[task.stage].lane;
    laneFree[lane] = best->begin + state.getSeconds(task);
    schedule.lanes[lane].push_back(task);
    Next &at = next[task.stage];
    if (task.kind == TaskKind::BackwardWeight) {
      ++at.weight;
      continue;
    }
    at.wasBackward = task.kind != TaskKind::Forward;
    ++(at.wasBackward ? at.backward : at.forward);
  }
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
    if (next[stage].backward < pipeline.getNumMicroBatches(stage)) {
      reason = "stage " + std::to_string(stage) + " can't continue with " +
               std::to_string(options.inFlight[stage]) +
               " samples in flight: " +
               getTaskText({stage, TaskKind::Backward, next[stage].backward}) +
               " waits";
      return false;
    }
  return true;
}

std::optional<Schedule> tenon::parallelize::makeListSchedule(
    const Pipeline &pipeline, const ListOptions &options, std::string &reason) {
  ListScheduler scheduler(pipeline, options);
  if (!scheduler.run(reason))
    return std::nullopt;
  return std::move(scheduler.schedule);
}
