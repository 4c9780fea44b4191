//===- Pipeline.cpp - stages, links and schedules of a pipeline -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Pipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace tenon::parallelize;

std::vector<int64_t> tenon::parallelize::getShareSizes(int64_t miniBatch,
                                                       int64_t microBatch,
                                                       int64_t count) {
  std::vector<int64_t> sizes;
  for (int64_t all : {std::min(microBatch, miniBatch), miniBatch % microBatch})
    for (int64_t size : {all / count + (all % count != 0), all / count})
      if (size > 0 && !llvm::is_contained(sizes, size))
        sizes.push_back(size);
  llvm::sort(sizes, std::greater<>());
  return sizes;
}

unsigned Pipeline::getNumLanes() const {
  unsigned count = 0;
  for (const Stage &stage : stages)
    count = std::max(count, stage.lane + 1);
  return count;
}

std::string tenon::parallelize::getName(TaskKind kind) {
  switch (kind) {
  case TaskKind::Forward:
    return "forward";
  case TaskKind::Backward:
    return "backward";
  case TaskKind::BackwardInput:
    return "backward_input";
  case TaskKind::BackwardWeight:
    return "backward_weight";
  }
  llvm_unreachable("unknown kind of task");
}

std::string tenon::parallelize::getTaskText(const Task &task) {
  std::string words = getName(task.kind);
  std::replace(words.begin(), words.end(), '_', '-');
  return words + " " + std::to_string(task.microBatch) + " of stage " +
         std::to_string(task.stage);
}

static bool fail(std::string &reason, std::string text) {
  reason = std::move(text);
  return false;
}

/// The most samples of an iteration: counts and sums of samples stay far from
/// the largest number.
static constexpr int64_t kMostSamples = int64_t(1) << 40;

bool tenon::parallelize::isValid(const Pipeline &pipeline,
                                 std::string &reason) {
  auto areTimes = [](std::initializer_list<double> times) {
    return llvm::all_of(
        times, [](double time) { return time >= 0 && std::isfinite(time); });
  };
  if (pipeline.miniBatch < 1 || pipeline.miniBatch > kMostSamples)
    return fail(reason, "expected a mini-batch of 1 to 2^40 samples, but got " +
                            std::to_string(pipeline.miniBatch));
  std::vector<bool> hasStage(pipeline.stages.size(), false);
  for (auto [number, stage] : llvm::enumerate(pipeline.stages)) {
    std::string where = "stage " + std::to_string(number) + ": ";
    if (stage.microBatch < 1 || stage.microBatch > pipeline.miniBatch)
      return fail(reason, where + "expected a micro-batch of 1 to " +
                              std::to_string(pipeline.miniBatch) +
                              " samples, but got " +
                              std::to_string(stage.microBatch));
    TaskSeconds last = stage.last.value_or(TaskSeconds());
    if (!areTimes({stage.forward, stage.backwardInput, stage.backwardWeight,
                   last.forward, last.backwardInput, last.backwardWeight}))
      return fail(reason, where + "expected times of at least 0");
    if (stage.lane >= hasStage.size())
      return fail(reason, where + "lane " + std::to_string(stage.lane) +
                              " of at most " + std::to_string(hasStage.size()));
    hasStage[stage.lane] = true;
  }
  for (unsigned lane = 0; lane < pipeline.getNumLanes(); ++lane)
    if (!hasStage[lane])
      return fail(reason, "lane " + std::to_string(lane) + " has no stage");
  for (const Link &link : pipeline.links) {
    std::string where = "the link from stage " + std::to_string(link.from) +
                        " to stage " + std::to_string(link.to);
    if (link.from >= link.to || link.to >= pipeline.stages.size())
      return fail(reason, where + " does not go forward");
    if (!areTimes({link.latency, link.secondsPerSample}))
      return fail(reason, where + ": expected times of at least 0");
  }
  return true;
}
