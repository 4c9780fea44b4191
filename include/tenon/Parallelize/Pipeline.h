//===- Pipeline.h - stages, links and schedules of a pipeline ---*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What planners, schedules and the simulator know of a pipeline: numbers, but
// no IR. A mini-batch of samples passes a directed acyclic graph of stages in
// micro-batches, whose size each stage chooses for itself (Jeon et al.,
// GraphPipe, ASPLOS 2025, section 4).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_PIPELINE_H
#define TENON_PARALLELIZE_PIPELINE_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tenon::parallelize {

/// Consecutive samples of a mini-batch: [begin, end).
struct Samples {
  int64_t begin = 0, end = 0;

  int64_t size() const { return end - begin; }
  bool operator==(const Samples &other) const {
    return begin == other.begin && end == other.end;
  }
  bool operator<(const Samples &other) const {
    return std::pair(begin, end) < std::pair(other.begin, other.end);
  }
};

/// The share of one of `count` devices in some samples, whose sizes differ by 1
/// at most. It is empty for some if there are fewer samples.
inline Samples getShare(const Samples &samples, int64_t number, int64_t count) {
  auto at = [&](int64_t n) {
    return samples.begin + samples.size() * n / count;
  };
  return {at(number), at(number + 1)};
}

/// The numbers of samples that `count` devices may have of a micro-batch, each
/// once: first that of the largest share, with others in falling order.
std::vector<int64_t> getShareSizes(int64_t miniBatch, int64_t microBatch,
                                   int64_t count);

/// Seconds of the tasks of a stage for one micro-batch.
struct TaskSeconds {
  double forward = 0;
  /// The gradient with respect to the inputs of the stage, for which the stages
  /// before it wait, and with respect to its weights, for which no one waits.
  double backwardInput = 0, backwardWeight = 0;
};

/// A part of the model.
struct Stage {
  /// Samples of a micro-batch. The last one has what is left of the mini-batch.
  int64_t microBatch = 1;
  /// Seconds of each micro-batch, as in TaskSeconds.
  double forward = 0, backwardInput = 0, backwardWeight = 0;
  /// The devices that run the stage: stages of equal lanes take turns.
  unsigned lane = 0;
  /// Those of the last micro-batch, if it is shorter.
  std::optional<TaskSeconds> last = std::nullopt;
};

/// Values that stage `from` gives to stage `to`, and their gradients on the
/// way back. Each direction is a link of its own, which sends one message after
/// the other.
struct Link {
  /// Indices of stages, `from` below `to`.
  unsigned from = 0, to = 0;
  /// The delay of a message, during which the link is free for the next one.
  double latency = 0;
  double secondsPerSample = 0;
};

struct Pipeline {
  /// Samples of an iteration.
  int64_t miniBatch = 1;
  /// In an order in which links go forward.
  std::vector<Stage> stages;
  std::vector<Link> links;

  unsigned getNumLanes() const;
  int64_t getNumMicroBatches(unsigned stage) const {
    return (miniBatch + stages[stage].microBatch - 1) /
           stages[stage].microBatch;
  }
  Samples getSamples(unsigned stage, int64_t microBatch) const {
    int64_t begin = microBatch * stages[stage].microBatch;
    return {begin, std::min(miniBatch, begin + stages[stage].microBatch)};
  }
  TaskSeconds getSeconds(unsigned stage, int64_t microBatch) const {
    const Stage &own = stages[stage];
    bool isLast = microBatch + 1 == getNumMicroBatches(stage);
    return isLast && own.last ? *own.last
                              : TaskSeconds{own.forward, own.backwardInput,
                                            own.backwardWeight};
  }
};

/// Whether the pipeline is one: micro-batches are no larger than the
/// mini-batch, of 1 to 2^40 samples, times are finite and at least 0, links go
/// forward, and no lane is without a stage. If not, returns false and a reason.
bool isValid(const Pipeline &pipeline, std::string &reason);

enum class TaskKind {
  Forward,
  /// Both gradients at once.
  Backward,
  BackwardInput,
  BackwardWeight
};

/// "forward", "backward", "backward_input" or "backward_weight".
std::string getName(TaskKind kind);

/// The work of a stage for one micro-batch.
struct Task {
  unsigned stage = 0;
  TaskKind kind = TaskKind::Forward;
  int64_t microBatch = 0;

  bool operator==(const Task &other) const {
    return stage == other.stage && kind == other.kind &&
           microBatch == other.microBatch;
  }
};

/// Such as "forward 0 of stage 1".
std::string getTaskText(const Task &task);

/// The tasks of each lane in the order in which it runs them.
struct Schedule {
  std::vector<std::vector<Task>> lanes;
};

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_PIPELINE_H
