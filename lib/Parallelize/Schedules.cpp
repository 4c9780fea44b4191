//===- Schedules.cpp - orders of a pipeline's tasks -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Schedules.h"

#include <algorithm>
#include <cassert>

using namespace tenon::parallelize;

/// Adds `count` tasks of consecutive micro-batches from `next` on, as far as
/// there are any, and advances `next`.
static void addTasks(const Pipeline &pipeline, unsigned stage, TaskKind kind,
                     int64_t count, int64_t &next, std::vector<Task> &tasks) {
  int64_t left = pipeline.getNumMicroBatches(stage) - next;
  int64_t end = next + std::min(count, left);
  for (; next < end; ++next)
    tasks.push_back({stage, kind, next});
}

/// A schedule in which every stage first runs `warmUp` forward tasks, and then
/// `ks` backward and `ks` forward tasks in turn.
static Schedule alternate(const Pipeline &pipeline,
                          llvm::ArrayRef<int64_t> warmUp,
                          llvm::ArrayRef<int64_t> ks) {
  Schedule schedule;
  schedule.lanes.resize(pipeline.getNumLanes());
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage) {
    std::vector<Task> &tasks = schedule.lanes[pipeline.stages[stage].lane];
    assert(tasks.empty() && "expected a lane for each stage");
    assert(ks[stage] >= 1 && "expected a k of 1 or more");
    int64_t forward = 0, backward = 0;
    addTasks(pipeline, stage, TaskKind::Forward, warmUp[stage], forward, tasks);
    while (backward < pipeline.getNumMicroBatches(stage)) {
      addTasks(pipeline, stage, TaskKind::Backward, ks[stage], backward, tasks);
      addTasks(pipeline, stage, TaskKind::Forward, ks[stage], forward, tasks);
    }
  }
  return schedule;
}

Schedule tenon::parallelize::makeForwardSchedule(const Pipeline &pipeline) {
  Schedule schedule;
  schedule.lanes.resize(pipeline.getNumLanes());
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage) {
    int64_t next = 0;
    addTasks(pipeline, stage, TaskKind::Forward, pipeline.miniBatch, next,
             schedule.lanes[pipeline.stages[stage].lane]);
  }
  return schedule;
}

Schedule tenon::parallelize::makeGPipeSchedule(const Pipeline &pipeline) {
  std::vector<int64_t> all(pipeline.stages.size(), pipeline.miniBatch);
  return alternate(pipeline, all, all);
}

std::vector<int64_t>
tenon::parallelize::getInFlight(const Pipeline &pipeline,
                                llvm::ArrayRef<int64_t> ks,
                                const std::vector<bool> &eager) {
  const std::vector<Stage> &stages = pipeline.stages;
  std::vector<int64_t> group, inFlight;
  for (unsigned stage = 0; stage < stages.size(); ++stage)
    group.push_back(std::min(ks[stage], pipeline.getNumMicroBatches(stage)) *
                    stages[stage].microBatch);
  inFlight = group;
  // Links go forward, so the stages after a stage are finished before it.
  for (unsigned stage = stages.size(); stage-- > 0;) {
    int64_t least = group[stage];
    for (const Link &link : pipeline.links) {
      if (link.from != stage)
        continue;
      int64_t smaller = stages[stage].microBatch - stages[link.to].microBatch;
      int64_t ahead = std::max(group[stage], group[link.to]);
      if (!eager.empty() && eager[stage])
        ahead *= 2;
      least = std::max(least, inFlight[link.to] + ahead +
                                  std::max<int64_t>(0, smaller));
    }
    inFlight[stage] = (least + group[stage] - 1) / group[stage] * group[stage];
  }
  for (int64_t &samples : inFlight)
    samples = std::min(samples, pipeline.miniBatch);
  return inFlight;
}

Schedule
tenon::parallelize::makeAlternatingSchedule(const Pipeline &pipeline,
                                            llvm::ArrayRef<int64_t> ks,
                                            llvm::ArrayRef<int64_t> inFlight) {
  std::vector<int64_t> warmUp;
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage)
    // All samples may be in flight: the last micro-batch is one, too.
    warmUp.push_back(inFlight[stage] == pipeline.miniBatch
                         ? pipeline.getNumMicroBatches(stage)
                         : inFlight[stage] / pipeline.stages[stage].microBatch);
  return alternate(pipeline, warmUp, ks);
}

std::optional<Schedule>
tenon::parallelize::makeInterleavedSchedule(const Pipeline &pipeline,
                                            std::string &reason) {
  int64_t lanes = pipeline.getNumLanes(), numStages = pipeline.stages.size();
  int64_t perLane = lanes > 0 ? numStages / lanes : 0;
  for (int64_t stage = 0; stage < numStages; ++stage)
    if (pipeline.stages[stage].lane != stage % lanes ||
        pipeline.stages[stage].microBatch != pipeline.stages[0].microBatch ||
        numStages % lanes != 0) {
      reason = "expected stages of one micro-batch size in turn on each of " +
               std::to_string(lanes) + " lanes";
      return std::nullopt;
    }
  Schedule schedule;
  schedule.lanes.resize(lanes);
  if (numStages == 0)
    return schedule;
  int64_t count = pipeline.getNumMicroBatches(0);
  if (count % lanes != 0) {
    reason = "expected a number of micro-batches that is a multiple of " +
             std::to_string(lanes) + ", but got " + std::to_string(count);
    return std::nullopt;
  }
  int64_t total = count * perLane;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    // A lane runs as many micro-batches as there are lanes through its first
    // stage, then through its second, and so on; backward from the last.
    auto add = [&](TaskKind kind, int64_t number) {
      int64_t turn = number / lanes % perLane;
      int64_t chunk = kind == TaskKind::Forward ? turn : perLane - 1 - turn;
      int64_t microBatch = number / (lanes * perLane) * lanes + number % lanes;
      schedule.lanes[lane].push_back(
          {static_cast<unsigned>(chunk * lanes + lane), kind, microBatch});
    };
    int64_t warmUp =
        std::min(total, 2 * (lanes - 1 - lane) + (perLane - 1) * lanes + 1);
    for (int64_t number = 0; number < warmUp; ++number)
      add(TaskKind::Forward, number);
    for (int64_t number = 0; number < total; ++number) {
      add(TaskKind::Backward, number);
      if (warmUp + number < total)
        add(TaskKind::Forward, warmUp + number);
    }
  }
  return schedule;
}

Schedule tenon::parallelize::makeSegmentSchedule(const Pipeline &pipeline) {
  Schedule schedule = makeForwardSchedule(pipeline);
  for (unsigned stage = pipeline.stages.size(); stage-- > 0;) {
    int64_t next = 0;
    addTasks(pipeline, stage, TaskKind::Backward, pipeline.miniBatch, next,
             schedule.lanes[pipeline.stages[stage].lane]);
  }
  return schedule;
}
