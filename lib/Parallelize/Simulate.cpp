//===- Simulate.cpp - discrete-event simulation of pipelines --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Simulate.h"
#include "PipelineState.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace tenon::parallelize;

static bool fail(std::string &reason, std::string text) {
  reason = std::move(text);
  return false;
}

/// Whether the schedule holds every task once, in its lane.
static bool checkSchedule(const Pipeline &pipeline, const Schedule &schedule,
                          bool isTraining, std::string &reason) {
  if (!isValid(pipeline, reason))
    return false;
  if (schedule.lanes.size() != pipeline.getNumLanes())
    return fail(reason,
                "expected tasks for " + std::to_string(pipeline.getNumLanes()) +
                    " lanes, but got " + std::to_string(schedule.lanes.size()));
  // A bit for each kind of task, by stage and micro-batch.
  std::vector<std::vector<uint8_t>> found;
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
    found.emplace_back(pipeline.getNumMicroBatches(stage), 0);
  auto getBit = [](TaskKind kind) {
    return static_cast<uint8_t>(1u << static_cast<unsigned>(kind));
  };
  for (auto [lane, tasks] : llvm::enumerate(schedule.lanes))
    for (const Task &task : tasks) {
      if (task.stage >= pipeline.stages.size() ||
          pipeline.stages[task.stage].lane != lane)
        return fail(reason, getTaskText(task) + " is not a task of lane " +
                                std::to_string(lane));
      if (task.microBatch < 0 ||
          task.microBatch >= pipeline.getNumMicroBatches(task.stage))
        return fail(reason, getTaskText(task) + " does not exist");
      uint8_t &kinds = found[task.stage][task.microBatch];
      if (kinds & getBit(task.kind))
        return fail(reason, getTaskText(task) + " occurs twice");
      kinds |= getBit(task.kind);
    }
  auto has = [&](unsigned stage, TaskKind kind, int64_t microBatch) {
    return (found[stage][microBatch] & getBit(kind)) != 0;
  };
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
    for (int64_t m = 0; m < pipeline.getNumMicroBatches(stage); ++m) {
      bool whole = has(stage, TaskKind::Backward, m);
      bool input = has(stage, TaskKind::BackwardInput, m);
      bool weight = has(stage, TaskKind::BackwardWeight, m);
      if (!has(stage, TaskKind::Forward, m))
        return fail(reason,
                    getTaskText({stage, TaskKind::Forward, m}) + " is missing");
      if (whole ? input || weight : input != weight || input != isTraining)
        return fail(reason, "expected one backward task, or one for the input "
                            "and one for the weights, of micro-batch " +
                                std::to_string(m) + " of stage " +
                                std::to_string(stage));
    }
  return true;
}

std::optional<SimulatedEnd>
tenon::parallelize::runSchedule(const Pipeline &pipeline,
                                const Schedule &schedule, bool isTraining,
                                Simulation *recorded, std::string &reason) {
  PipelineState state(pipeline, isTraining, recorded);
  size_t numLanes = schedule.lanes.size();
  SimulatedEnd result;
  result.lanes.resize(numLanes);
  if (recorded) {
    recorded->times.resize(numLanes);
    recorded->orders.resize(numLanes);
  }
  std::vector<size_t> next(numLanes, 0);
  std::vector<unsigned> wakened;
  std::vector<bool> isAwake(numLanes, true);
  for (unsigned lane = numLanes; lane-- > 0;)
    wakened.push_back(lane);
  auto wake = [&](unsigned stage) {
    unsigned lane = pipeline.stages[stage].lane;
    if (!isAwake[lane])
      wakened.push_back(lane);
    isAwake[lane] = true;
  };
  // The times are those of the longest paths, in whichever order lanes advance.
  while (!wakened.empty()) {
    unsigned lane = wakened.back();
    wakened.pop_back();
    isAwake[lane] = false;
    const std::vector<Task> &tasks = schedule.lanes[lane];
    for (; next[lane] < tasks.size(); ++next[lane]) {
      const Task &task = tasks[next[lane]];
      std::optional<double> ready = state.getReady(task);
      if (!ready)
        break;
      double begin = std::max(*ready, result.lanes[lane]);
      result.lanes[lane] = begin + state.getSeconds(task);
      if (recorded) {
        recorded->times[lane].push_back({begin, result.lanes[lane]});
        recorded->orders[lane].push_back(state.getNextOrder());
      }
      state.begin(task, begin);
      if (task.kind == TaskKind::Forward)
        for (unsigned link : state.getOutgoing(task.stage))
          wake(pipeline.links[link].to);
      else
        for (unsigned link : state.getIncoming(task.stage))
          wake(pipeline.links[link].from);
    }
  }
  std::string waits;
  for (auto [lane, tasks] : llvm::enumerate(schedule.lanes))
    if (next[lane] < tasks.size()) {
      const Task &task = tasks[next[lane]];
      waits += (waits.empty() ? "" : "; ") + getTaskText(task) + " waits for " +
               state.getReason(task);
    }
  if (!waits.empty()) {
    reason = "the schedule does not end: " + waits;
    return std::nullopt;
  }
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
    result.inFlight.push_back(state.getMostInFlight(stage));
  if (recorded) {
    for (double end : result.lanes)
      recorded->seconds = std::max(recorded->seconds, end);
    recorded->inFlight = result.inFlight;
    recorded->messages = state.getMessages();
  }
  return result;
}

std::optional<Simulation> tenon::parallelize::simulate(const Pipeline &pipeline,
                                                       const Schedule &schedule,
                                                       std::string &reason) {
  bool isTraining = false;
  for (const std::vector<Task> &tasks : schedule.lanes)
    isTraining |= llvm::any_of(
        tasks, [](const Task &task) { return task.kind != TaskKind::Forward; });
  Simulation result;
  if (!checkSchedule(pipeline, schedule, isTraining, reason) ||
      !runSchedule(pipeline, schedule, isTraining, &result, reason))
    return std::nullopt;
  return result;
}
