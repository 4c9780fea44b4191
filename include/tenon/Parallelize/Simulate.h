//===- Simulate.h - discrete-event simulation of pipelines ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the tasks of a schedule as soon as their lane and what they need allow:
//
//  - a forward task needs the values of its samples from all stages before;
//  - a backward task needs its forward task, and the gradients of its samples
//    from all stages after it;
//  - the gradient of the weights needs the one of the inputs.
//
// Where two stages have different micro-batches, a message holds the samples
// that are in one micro-batch of both: it is sent when the task that produces
// them has ended, and a task waits for all messages with samples of it. Sending
// takes no time of a lane.
//
// Nothing is drawn or estimated here, so the same pipeline always gives the
// same times. A schedule that can't be run to its end is an error that names
// what waits for what.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_SIMULATE_H
#define TENON_PARALLELIZE_SIMULATE_H

#include "tenon/Parallelize/Pipeline.h"

#include <optional>
#include <string>

namespace tenon::parallelize {

struct TaskTime {
  double begin = 0, end = 0;
};

/// Samples that were sent together over a link: values, or gradients on the way
/// back.
struct SentMessage {
  unsigned link = 0;
  bool isGradient = false;
  int64_t firstSample = 0, lastSample = 0; // [first, last)
  /// When the link began to send it, and when it arrived.
  double begin = 0, end = 0;
  /// Its place in an order of all tasks and messages in which everything is
  /// behind what it needs.
  size_t order = 0;
};

struct Simulation {
  /// When the last task ends.
  double seconds = 0;
  /// For each lane, the times of its tasks in the order of the schedule.
  std::vector<std::vector<TaskTime>> times;
  /// Likewise, their places in the order that SentMessage::order is of.
  std::vector<std::vector<size_t>> orders;
  std::vector<SentMessage> messages;
  /// For each stage, the most samples between the begin of their forward task
  /// and the end of their last backward task. In a schedule of forward tasks
  /// alone, the samples of one micro-batch.
  std::vector<int64_t> inFlight;
};

/// Simulates one iteration. Returns nothing, with a reason, if the pipeline or
/// the schedule is not valid (a task is missing, occurs twice or is in a wrong
/// lane; a backward task without its forward task) or can't be run to its end.
std::optional<Simulation> simulate(const Pipeline &pipeline,
                                   const Schedule &schedule,
                                   std::string &reason);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_SIMULATE_H
