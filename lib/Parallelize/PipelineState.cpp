//===- PipelineState.cpp - what has run of an iteration -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineState.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tenon::parallelize;

PipelineState::PipelineState(const Pipeline &pipeline, bool isTraining)
    : pipeline(pipeline), isTraining(isTraining) {
  for (unsigned stage = 0; stage < pipeline.stages.size(); ++stage) {
    std::vector<double> none(pipeline.getNumMicroBatches(stage), -1);
    stages.push_back({none, none, {}, {}});
  }
  for (auto [number, link] : llvm::enumerate(pipeline.links)) {
    stages[link.from].outgoing.push_back(number);
    stages[link.to].incoming.push_back(number);
    values.push_back(makeMessages(link));
    gradients.push_back(makeMessages(link));
  }
}

PipelineState::Messages PipelineState::makeMessages(const Link &link) const {
  int64_t a = pipeline.stages[link.from].microBatch;
  int64_t b = pipeline.stages[link.to].microBatch;
  Messages messages;
  for (int64_t begin = 0; begin < pipeline.miniBatch;
       begin = std::min((begin / a + 1) * a, (begin / b + 1) * b))
    messages.begins.push_back(begin);
  messages.arrivals.assign(messages.begins.size(), -1);
  messages.begins.push_back(pipeline.miniBatch);
  return messages;
}

/// Adds to `ready` when the messages with samples [begin, end) have arrived.
/// Returns false if one of them was not sent.
bool PipelineState::receive(const Messages &messages, int64_t begin,
                            int64_t end, double &ready) {
  size_t m =
      llvm::lower_bound(messages.begins, begin) - messages.begins.begin();
  for (; messages.begins[m] < end; ++m) {
    if (messages.arrivals[m] < 0)
      return false;
    ready = std::max(ready, messages.arrivals[m]);
  }
  return true;
}

void PipelineState::send(unsigned number, bool isGradient, int64_t begin,
                         int64_t end, double time) {
  const Link &link = pipeline.links[number];
  Messages &messages = (isGradient ? gradients : values)[number];
  size_t m =
      llvm::lower_bound(messages.begins, begin) - messages.begins.begin();
  for (; messages.begins[m] < end; ++m) {
    int64_t first = messages.begins[m], last = messages.begins[m + 1];
    double start = std::max(messages.linkFree, time);
    messages.linkFree =
        start + static_cast<double>(last - first) * link.secondsPerSample;
    messages.arrivals[m] = messages.linkFree + link.latency;
    sent.push_back({number, isGradient, first, last, start,
                    messages.arrivals[m], nextOrder++});
  }
}

std::optional<double> PipelineState::getReady(const Task &task) const {
  const StageState &stage = stages[task.stage];
  auto [begin, end] = pipeline.getSamples(task.stage, task.microBatch);
  double ready = 0;
  switch (task.kind) {
  case TaskKind::Forward:
    for (unsigned link : stage.incoming)
      if (!receive(values[link], begin, end, ready))
        return std::nullopt;
    return ready;
  case TaskKind::Backward:
  case TaskKind::BackwardInput:
    if (stage.forward[task.microBatch] < 0)
      return std::nullopt;
    for (unsigned link : stage.outgoing)
      if (!receive(gradients[link], begin, end, ready))
        return std::nullopt;
    return std::max(ready, stage.forward[task.microBatch]);
  case TaskKind::BackwardWeight:
    if (stage.input[task.microBatch] < 0)
      return std::nullopt;
    return stage.input[task.microBatch];
  }
  llvm_unreachable("unknown kind of task");
}

std::string PipelineState::getReason(const Task &task) const {
  const StageState &stage = stages[task.stage];
  bool isForward = task.kind == TaskKind::Forward;
  auto [begin, end] = pipeline.getSamples(task.stage, task.microBatch);
  double ready = 0;
  if (task.kind == TaskKind::BackwardWeight)
    return getTaskText({task.stage, TaskKind::BackwardInput, task.microBatch});
  if (!isForward && stage.forward[task.microBatch] < 0)
    return getTaskText({task.stage, TaskKind::Forward, task.microBatch});
  for (unsigned link : isForward ? stage.incoming : stage.outgoing)
    if (!receive((isForward ? values : gradients)[link], begin, end, ready))
      return std::string(isForward ? "values" : "gradients") + " of stage " +
             std::to_string(isForward ? pipeline.links[link].from
                                      : pipeline.links[link].to);
  llvm_unreachable("the task can run");
}

double PipelineState::getSeconds(const Task &task) const {
  TaskSeconds seconds = pipeline.getSeconds(task.stage, task.microBatch);
  switch (task.kind) {
  case TaskKind::Forward:
    return seconds.forward;
  case TaskKind::Backward:
    return seconds.backwardInput + seconds.backwardWeight;
  case TaskKind::BackwardInput:
    return seconds.backwardInput;
  case TaskKind::BackwardWeight:
    return seconds.backwardWeight;
  }
  llvm_unreachable("unknown kind of task");
}

void PipelineState::begin(const Task &task, double time) {
  StageState &stage = stages[task.stage];
  auto [first, last] = pipeline.getSamples(task.stage, task.microBatch);
  double end = time + getSeconds(task);
  ++nextOrder;
  if (task.kind == TaskKind::Forward) {
    stage.forward[task.microBatch] = end;
    stage.samples += last - first;
    stage.most = std::max(stage.most, stage.samples);
    for (unsigned link : stage.outgoing)
      send(link, false, first, last, end);
  }
  if (task.kind == TaskKind::Backward || task.kind == TaskKind::BackwardInput) {
    stage.input[task.microBatch] = end;
    for (unsigned link : stage.incoming)
      send(link, true, first, last, end);
  }
  // Tasks of a lane run one after the other, so samples leave before the next.
  if (task.kind == TaskKind::Backward ||
      task.kind == (isTraining ? TaskKind::BackwardWeight : TaskKind::Forward))
    stage.samples -= last - first;
}
