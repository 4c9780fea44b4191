//===- PipelineState.h - what has run of an iteration ----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_PIPELINESTATE_H
#define TENON_LIB_PARALLELIZE_PIPELINESTATE_H

#include "tenon/Parallelize/Simulate.h"

namespace tenon::parallelize {

/// The tasks and messages of an iteration so far, and their times.
class PipelineState {
public:
  /// Stages and links must be valid (see simulate). `isTraining` says whether
  /// samples stay in flight after their forward task.
  PipelineState(const Pipeline &pipeline, bool isTraining);

  /// When what the task needs is there; nothing if that is not known yet.
  std::optional<double> getReady(const Task &task) const;
  /// What a task whose time is not known waits for.
  std::string getReason(const Task &task) const;
  /// The seconds that the task takes.
  double getSeconds(const Task &task) const;
  /// The task begins, at a time at which it is ready and its lane is free.
  /// Messages are sent when it ends. Tasks of a lane must begin in their order.
  void begin(const Task &task, double time);

  const std::vector<SentMessage> &getMessages() const { return sent; }
  /// Samples of a stage in flight, and the most of them at once.
  int64_t getInFlight(unsigned stage) const { return stages[stage].samples; }
  int64_t getMostInFlight(unsigned stage) const { return stages[stage].most; }
  /// The place of the next task or message in the order of SentMessage::order.
  size_t getNextOrder() const { return nextOrder; }
  /// Indices of the links that end at a stage, and that begin there.
  const std::vector<unsigned> &getIncoming(unsigned stage) const {
    return stages[stage].incoming;
  }
  const std::vector<unsigned> &getOutgoing(unsigned stage) const {
    return stages[stage].outgoing;
  }

private:
  struct StageState {
    /// When tasks end, by micro-batch; below 0 before they begin.
    std::vector<double> forward, input;
    std::vector<unsigned> incoming, outgoing;
    int64_t samples = 0, most = 0;
  };
  /// The messages of one direction of a link: consecutive samples that are in
  /// one micro-batch of both stages.
  struct Messages {
    /// Message m holds the samples [begins[m], begins[m + 1]).
    std::vector<int64_t> begins;
    /// When they arrive; below 0 until they are sent.
    std::vector<double> arrivals;
    double linkFree = 0;
  };

  Messages makeMessages(const Link &link) const;
  static bool receive(const Messages &messages, int64_t begin, int64_t end,
                      double &ready);
  void send(unsigned link, bool isGradient, int64_t begin, int64_t end,
            double time);

  const Pipeline &pipeline;
  const bool isTraining;
  std::vector<StageState> stages;
  std::vector<Messages> values, gradients;
  std::vector<SentMessage> sent;
  size_t nextOrder = 0;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_PIPELINESTATE_H
