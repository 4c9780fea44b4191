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

PipelineState::PipelineState(const Pipeline &pipeline, bool isTraining,
                             bool records)
    : pipeline(pipeline), isTraining(isTraining), records(records),
      stages(pipeline.stages.size()) {
  size_t numTasks = 0, numMessages = 0;
  for (auto [number, own] : llvm::enumerate(stages)) {
    const Stage &stage = pipeline.stages[number];
    own.microBatch = stage.microBatch;
    own.count = pipeline.getNumMicroBatches(number);
    own.each = {stage.forward, stage.backwardInput, stage.backwardWeight};
    own.last = stage.last.value_or(own.each);
    own.place = numTasks;
    numTasks += own.count;
  }
  for (auto [number, link] : llvm::enumerate(pipeline.links)) {
    stages[link.from].outgoing.push_back(number);
    stages[link.to].incoming.push_back(number);
    int64_t a = stages[link.from].microBatch, b = stages[link.to].microBatch;
    Messages messages;
    size_t count = 0;
    if (std::max(a, b) % std::min(a, b) == 0) {
      messages.each = std::min(a, b);
      count = (pipeline.miniBatch - 1) / messages.each + 1;
    } else {
      for (int64_t begin = 0; begin < pipeline.miniBatch;
           begin = std::min((begin / a + 1) * a, (begin / b + 1) * b))
        messages.begins.push_back(begin);
      count = messages.begins.size();
    }
    messages.place = numMessages;
    values.push_back(messages);
    messages.place = numMessages + count;
    gradients.push_back(std::move(messages));
    numMessages += 2 * count;
  }
  forward.assign(numTasks, -1);
  input.assign(numTasks, -1);
  arrivals.assign(numMessages, -1);
}

/// The message that a sample is in.
size_t PipelineState::getNumber(const Messages &messages,
                                int64_t sample) const {
  if (messages.each)
    return sample / messages.each;
  return llvm::lower_bound(messages.begins, sample) - messages.begins.begin();
}

int64_t PipelineState::getBegin(const Messages &messages, size_t number) const {
  if (messages.each)
    return std::min(pipeline.miniBatch,
                    static_cast<int64_t>(number) * messages.each);
  return number < messages.begins.size() ? messages.begins[number]
                                         : pipeline.miniBatch;
}

/// Adds to `ready` when the messages with the samples of a micro-batch have
/// arrived. Returns false if one of them was not sent.
bool PipelineState::receive(const Messages &messages, const Samples &samples,
                            double &ready) const {
  size_t m = getNumber(messages, samples.begin);
  for (; getBegin(messages, m) < samples.end; ++m) {
    double arrival = arrivals[messages.place + m];
    if (arrival < 0)
      return false;
    ready = std::max(ready, arrival);
  }
  return true;
}

void PipelineState::send(unsigned number, bool isGradient,
                         const Samples &samples, double time) {
  const Link &link = pipeline.links[number];
  Messages &messages = (isGradient ? gradients : values)[number];
  size_t m = getNumber(messages, samples.begin);
  for (int64_t first = samples.begin; first < samples.end; ++m) {
    int64_t last = getBegin(messages, m + 1);
    double start = std::max(messages.linkFree, time);
    messages.linkFree =
        start + static_cast<double>(last - first) * link.secondsPerSample;
    double arrival = messages.linkFree + link.latency;
    arrivals[messages.place + m] = arrival;
    if (records)
      sent.push_back(
          {number, isGradient, first, last, start, arrival, nextOrder++});
    first = last;
  }
}

std::optional<double> PipelineState::getReady(const Task &task) const {
  const StageState &stage = stages[task.stage];
  size_t own = stage.place + task.microBatch;
  double ready = 0;
  switch (task.kind) {
  case TaskKind::Forward:
    for (unsigned link : stage.incoming)
      if (!receive(values[link], getSamples(task), ready))
        return std::nullopt;
    return ready;
  case TaskKind::Backward:
  case TaskKind::BackwardInput:
    if (forward[own] < 0)
      return std::nullopt;
    for (unsigned link : stage.outgoing)
      if (!receive(gradients[link], getSamples(task), ready))
        return std::nullopt;
    return std::max(ready, forward[own]);
  case TaskKind::BackwardWeight:
    if (input[own] < 0)
      return std::nullopt;
    return input[own];
  }
  llvm_unreachable("unknown kind of task");
}

std::string PipelineState::getReason(const Task &task) const {
  const StageState &stage = stages[task.stage];
  bool isForward = task.kind == TaskKind::Forward;
  double ready = 0;
  if (task.kind == TaskKind::BackwardWeight)
    return getTaskText({task.stage, TaskKind::BackwardInput, task.microBatch});
  if (!isForward && forward[stage.place + task.microBatch] < 0)
    return getTaskText({task.stage, TaskKind::Forward, task.microBatch});
  for (unsigned link : isForward ? stage.incoming : stage.outgoing)
    if (!receive((isForward ? values : gradients)[link], getSamples(task),
                 ready))
      return std::string(isForward ? "values" : "gradients") + " of stage " +
             std::to_string(isForward ? pipeline.links[link].from
                                      : pipeline.links[link].to);
  llvm_unreachable("the task can run");
}

double PipelineState::getSeconds(const Task &task) const {
  const StageState &stage = stages[task.stage];
  const TaskSeconds &seconds =
      task.microBatch + 1 == stage.count ? stage.last : stage.each;
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
  Samples samples = getSamples(task);
  double end = time + getSeconds(task);
  ++nextOrder;
  if (task.kind == TaskKind::Forward) {
    forward[stage.place + task.microBatch] = end;
    stage.samples += samples.size();
    stage.most = std::max(stage.most, stage.samples);
    for (unsigned link : stage.outgoing)
      send(link, false, samples, end);
  }
  if (task.kind == TaskKind::Backward || task.kind == TaskKind::BackwardInput) {
    input[stage.place + task.microBatch] = end;
    for (unsigned link : stage.incoming)
      send(link, true, samples, end);
  }
  // Tasks of a lane run one after the other, so samples leave before the next.
  if (task.kind == TaskKind::Backward ||
      task.kind == (isTraining ? TaskKind::BackwardWeight : TaskKind::Forward))
    stage.samples -= samples.size();
}
