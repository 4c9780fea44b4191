//===- CheckTasks.cpp - that each rank computes its tasks ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckTasks.h"
#include "ProgramText.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace tenon::parallelize;

namespace {
/// What one rank holds, in the order of its steps.
class RankState {
public:
  RankState(const Pipeline &pipeline) : pipeline(pipeline) {}

  /// Whether all samples are there: of values or gradients of a link.
  bool has(unsigned link, bool isGradient, int64_t begin, int64_t end,
           bool madeHere) const {
    for (const auto *held : {&made, &received}) {
      if (held == &received && madeHere)
        return false;
      auto it = held->find({link, isGradient});
      if (it != held->end() &&
          std::all_of(it->second.begin() + begin, it->second.begin() + end,
                      [](bool here) { return here; }))
        return true;
    }
    return false;
  }
  bool receive(const Transfer &transfer) {
    return add(received, transfer.link, transfer.isGradient, transfer.begin,
               transfer.end);
  }
  void make(unsigned link, bool isGradient, int64_t begin, int64_t end) {
    add(made, link, isGradient, begin, end);
  }

private:
  using Samples = std::map<std::pair<unsigned, bool>, std::vector<bool>>;

  /// Returns false if one of the samples was there.
  bool add(Samples &samples, unsigned link, bool isGradient, int64_t begin,
           int64_t end) {
    std::vector<bool> &here = samples[{link, isGradient}];
    here.resize(pipeline.miniBatch, false);
    bool isNew = std::none_of(here.begin() + begin, here.begin() + end,
                              [](bool one) { return one; });
    std::fill(here.begin() + begin, here.begin() + end, true);
    return isNew;
  }

  const Pipeline &pipeline;
  Samples made, received;
};
} // namespace

namespace {
class TaskChecker {
public:
  TaskChecker(const Pipeline &pipeline, const LaneRanks &laneRanks,
              const RankPrograms &programs, std::string &reason,
              std::vector<StepRef> &where)
      : pipeline(pipeline), laneRanks(laneRanks), programs(programs),
        reason(reason), where(where) {
    for (const std::vector<Step> &steps : programs)
      isTraining |= llvm::any_of(steps, [](const Step &step) {
        return step.kind == Step::Kind::Compute &&
               step.task.kind != TaskKind::Forward;
      });
  }

  /// Checks the program of the rank at `place` in its lane.
  bool check(unsigned lane, size_t place);

private:
  bool fail(std::string text) {
    reason = std::move(text);
    where = {{rank, getNumber()}};
    return false;
  }
  size_t getNumber() const { return current - programs[rank].data(); }
  std::string getWhere() const {
    return getStepText(rank, getNumber(), *current);
  }
  bool transfer(const Step &step);
  bool compute(const Step &step);
  /// Whether the task fits its share of samples and what was done before.
  bool isNext(const Step &step);
  bool isComplete(unsigned lane);
  bool reduce(const Step &step);
  bool wasDone(unsigned stage, TaskKind kind, int64_t microBatch) const {
    return done.count({stage, kind, microBatch}) != 0;
  }

  const Pipeline &pipeline;
  const LaneRanks &laneRanks;
  const RankPrograms &programs;
  std::string &reason;
  std::vector<StepRef> &where;
  bool isTraining = false;
  // What belongs to the current rank.
  unsigned rank = 0;
  const Step *current = nullptr;
  int64_t place = 0, numRanks = 1;
  std::optional<RankState> state;
  std::set<std::tuple<unsigned, TaskKind, int64_t>> done;
  std::set<unsigned> reduced;
};
} // namespace

/// Gradients are summed once all of the rank's own are there.
bool TaskChecker::reduce(const Step &step) {
  unsigned stage = step.task.stage;
  if (numRanks < 2 || !isTraining)
    return fail(getWhere() + ": there is nothing to sum");
  for (int64_t m = 0; m < pipeline.getNumMicroBatches(stage); ++m)
    if (!wasDone(stage, TaskKind::Backward, m) &&
        !wasDone(stage, TaskKind::BackwardWeight, m))
      return fail(getWhere() + ": those of micro-batch " + std::to_string(m) +
                  " were not computed");
  return reduced.insert(stage).second ||
         fail(getWhere() + " for the second time");
}

bool TaskChecker::transfer(const Step &step) {
  for (const Transfer &transfer : step.transfers)
    if (transfer.isSend && !state->has(transfer.link, transfer.isGradient,
                                       transfer.begin, transfer.end, true))
      return fail(getWhere() + ": " + getTransferText(transfer) +
                  ", which were not computed");
  for (const Transfer &transfer : step.transfers)
    if (!transfer.isSend && !state->receive(transfer))
      return fail(getWhere() + ": " + getTransferText(transfer) +
                  " for the second time");
  return true;
}

bool TaskChecker::isNext(const Step &step) {
  const Task &task = step.task;
  int64_t size = pipeline.stages[task.stage].microBatch;
  if (task.microBatch < 0 ||
      task.microBatch >= pipeline.getNumMicroBatches(task.stage))
    return fail(getWhere() + ": there is no such micro-batch");
  int64_t begin = task.microBatch * size + size / numRanks * place;
  if (step.begin != begin || step.end != begin + size / numRanks)
    return fail(getWhere() + ": these samples are not the rank's share");
  if (wasDone(task.stage, task.kind, task.microBatch))
    return fail(getWhere() + " for the second time");
  bool follows = true;
  if (task.kind != TaskKind::Forward)
    follows =
        wasDone(task.stage,
                task.kind == TaskKind::BackwardWeight ? TaskKind::BackwardInput
                                                      : TaskKind::Forward,
                task.microBatch);
  return follows || fail(getWhere() + ": the task before it was not computed");
}

bool TaskChecker::compute(const Step &step) {
  const Task &task = step.task;
  if (!isNext(step))
    return false;
  done.insert({task.stage, task.kind, task.microBatch});
  if (task.kind == TaskKind::BackwardWeight)
    return true;
  bool isForward = task.kind == TaskKind::Forward;
  for (auto [index, link] : llvm::enumerate(pipeline.links)) {
    unsigned reader = isForward ? link.to : link.from;
    unsigned writer = isForward ? link.from : link.to;
    for (int64_t at = step.begin; reader == task.stage && at < step.end; ++at)
      if (!state->has(index, !isForward, at, at + 1, false))
        return fail(getWhere() + ": " + (isForward ? "values" : "gradients") +
                    " of sample " + std::to_string(at) + " of link " +
                    std::to_string(index) + " are not there");
    if (writer == task.stage)
      state->make(index, !isForward, step.begin, step.end);
  }
  return true;
}

bool TaskChecker::isComplete(unsigned lane) {
  for (auto [number, stage] : llvm::enumerate(pipeline.stages)) {
    if (stage.lane != lane)
      continue;
    if (isTraining && numRanks > 1 && !reduced.count(number))
      return fail("rank " + std::to_string(rank) +
                  " does not sum the gradients of stage " +
                  std::to_string(number));
    for (int64_t m = 0; m < pipeline.getNumMicroBatches(number); ++m) {
      bool whole = wasDone(number, TaskKind::Backward, m);
      bool input = wasDone(number, TaskKind::BackwardInput, m);
      bool weight = wasDone(number, TaskKind::BackwardWeight, m);
      bool isOnce =
          whole ? !input && !weight : input == weight && input == isTraining;
      if (!wasDone(number, TaskKind::Forward, m) || !isOnce)
        return fail("rank " + std::to_string(rank) +
                    " does not compute micro-batch " + std::to_string(m) +
                    " of stage " + std::to_string(number) + " exactly once");
    }
  }
  return true;
}

bool TaskChecker::check(unsigned lane, size_t number) {
  rank = laneRanks[lane][number];
  place = static_cast<int64_t>(number);
  numRanks = static_cast<int64_t>(laneRanks[lane].size());
  state.emplace(pipeline);
  done.clear();
  reduced.clear();
  for (const Step &step : programs[rank]) {
    current = &step;
    if (!transfer(step) ||
        (step.kind == Step::Kind::Compute && !compute(step)) ||
        (step.kind == Step::Kind::ReduceGradients && !reduce(step)))
      return false;
  }
  current = programs[rank].data() + programs[rank].size();
  return isComplete(lane);
}

bool tenon::parallelize::checkTasks(const Pipeline &pipeline,
                                    const LaneRanks &laneRanks,
                                    const RankPrograms &programs,
                                    std::string &reason,
                                    std::vector<StepRef> &where) {
  TaskChecker checker(pipeline, laneRanks, programs, reason, where);
  for (unsigned lane = 0; lane < laneRanks.size(); ++lane)
    for (size_t place = 0; place < laneRanks[lane].size(); ++place)
      if (!checker.check(lane, place))
        return false;
  return true;
}
