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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::parallelize {

/// The tasks and messages of an iteration so far, and their times.
class PipelineState {
public:
  /// Stages and links must be valid (see simulate). `isTraining` says whether
  /// samples stay in flight after their forward task, `records` whether
  /// getMessages is asked for.
  PipelineState(const Pipeline &pipeline, bool isTraining, bool records);

  /// When what the task needs is there; nothing if that is not known yet.
  std::optional<double> getReady(const Task &task) const;
  /// What a task whose time is not known waits for.
  std::string getReason(const Task &task) const;
  /// The seconds that the task takes.
  double getSeconds(const Task &task) const;
  /// The task begins, at a time at which it is ready and its lane is free.
  /// Messages are sent when it ends. Tasks of a lane must begin in their order.
  void begin(const Task &task, double time);

  int64_t getNumMicroBatches(unsigned stage) const {
    return stages[stage].count;
  }
  const std::vector<SentMessage> &getMessages() const { return sent; }
  /// Samples of a stage in flight, and the most of them at once.
  int64_t getInFlight(unsigned stage) const { return stages[stage].samples; }
  int64_t getMostInFlight(unsigned stage) const { return stages[stage].most; }
  /// The place of the next task or message in the order of SentMessage::order.
  size_t getNextOrder() const { return nextOrder; }
  /// Indices of the links that end at a stage, and that begin there.
  llvm::ArrayRef<unsigned> getIncoming(unsigned stage) const {
    return stages[stage].incoming;
  }
  llvm::ArrayRef<unsigned> getOutgoing(unsigned stage) const {
    return stages[stage].outgoing;
  }

private:
  struct StageState {
    int64_t microBatch = 1, count = 0;
    TaskSeconds each, last;
    /// The index of its first micro-batch in `forward` and `input`.
    size_t place = 0;
    llvm::SmallVector<unsigned, 4> incoming, outgoing;
    int64_t samples = 0, most = 0;
  };
  /// The messages of one direction of a link: consecutive samples that are in
  /// one micro-batch of both stages.
  struct Messages {
    /// The samples of each but the last, where they are equally many; else 0,
    /// and message m holds the samples [begins[m], begins[m + 1]).
    int64_t each = 0;
    std::vector<int64_t> begins;
    /// The index of the first in `arrivals`.
    size_t place = 0;
    double linkFree = 0;
  };

  size_t getNumber(const Messages &messages, int64_t sample) const;
  int64_t getBegin(const Messages &messages, size_t number) const;
  bool receive(const Messages &messages, const Samples &samples,
               double &ready) const;
  void send(unsigned link, bool isGradient, const Samples &samples,
            double time);
  Samples getSamples(const Task &task) const {
    int64_t each = stages[task.stage].microBatch,
            begin = task.microBatch * each;
    return {begin, std::min(pipeline.miniBatch, begin + each)};
  }

  const Pipeline &pipeline;
  const bool isTraining, records;
  std::vector<StageState> stages;
  /// When tasks end, and when messages arrive; below 0 before they begin.
  std::vector<double> forward, input, arrivals;
  std::vector<Messages> values, gradients;
  std::vector<SentMessage> sent;
  size_t nextOrder = 0;
};

/// The end of a simulation in which nothing is recorded.
struct SimulatedEnd {
  /// For each lane, when its last task ends.
  std::vector<double> lanes;
  /// As in Simulation.
  std::vector<int64_t> inFlight;
};

/// Simulates a schedule that has every task of a valid pipeline once, in its
/// lane. Fills in `recorded`, but for what it says of schedules that do not
/// end, unless it is null. Returns nothing, with a reason, for these.
std::optional<SimulatedEnd> runSchedule(const Pipeline &pipeline,
                                        const Schedule &schedule,
                                        bool isTraining, Simulation *recorded,
                                        std::string &reason);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_PIPELINESTATE_H
