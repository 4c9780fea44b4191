//===- Plan.h - models cut into stages, and what that costs -----*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan cuts a graph of operators into stages and says how each stage runs. It
// is scored by the simulated time of an iteration, with filling, draining and
// links, instead of by its slowest stage.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_PLAN_H
#define TENON_PARALLELIZE_PLAN_H

#include "tenon/Parallelize/Simulate.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <array>

namespace tenon::parallelize {

/// Seconds of a task that is given some samples: a fixed part, such as the
/// launch of a kernel, and a part for each of them, but at least `least`, such
/// as reading the weights. Both are why large micro-batches are faster.
struct TaskCost {
  double fixed = 0, perSample = 0, least = 0;

  double getSeconds(double samples) const {
    return fixed + std::max(least, perSample * samples);
  }
  /// Sums the parts: no more than the sum of the seconds.
  TaskCost &operator+=(const TaskCost &other) {
    fixed += other.fixed;
    perSample += other.perSample;
    least += other.least;
    return *this;
  }
};

/// Bytes for tasks of 2^i samples to below 2^(i + 1), or more for the last.
using BytesBySamples = std::array<int64_t, 7>;

/// An operator, or operators that are not cut apart.
struct Operator {
  TaskCost forward, backwardInput, backwardWeight;
  /// Seconds in which its parameters are updated, once all gradients are there:
  /// 0 unless they were measured.
  double updateSeconds = 0;
  /// Bytes of its parameters.
  int64_t weightBytes = 0;
  /// Those of its parameters that other operators have, too: their numbers and
  /// bytes. Stages that have one each hold it, and add up its gradients.
  std::vector<std::pair<unsigned, int64_t>> sharedParameters;
  /// Bytes of copies of them in the layouts of libraries that inference keeps
  /// on CPUs.
  BytesBySamples packedBytes = {};
  /// Bytes of its largest parameter, on CPUs: training reads one at a time in
  /// place.
  int64_t largestWeightBytes = 0;
  /// Bytes for each sample: of its result, and of what its backward tasks read
  /// of its forward task.
  int64_t resultBytes = 0, savedBytes = 0;
  /// Bytes for each sample of what its tasks work on at a time: in inference,
  /// and in training.
  int64_t forwardWorkBytes = 0, backwardWorkBytes = 0;
  /// Bytes of the gradients of parameters that a backward task holds at a time
  /// before it adds them to their sums.
  int64_t gradientBytes = 0;
  /// The operators whose results it reads, which have smaller numbers.
  std::vector<unsigned> operands;
};

using OperatorGraph = std::vector<Operator>;

/// Devices 0 to count - 1, in nodes of `perNode` devices.
struct Cluster {
  struct Wire {
    double latency = 0, bytesPerSecond = 1;
  };
  /// The numbers of one device, where they are not alike.
  struct Device {
    /// Its speed by that of the profile, which the seconds of all its tasks are
    /// divided by.
    double speed = 1;
    int64_t memoryBytes = 0;
    /// The bytes per second of its wires by those of others: the slower end of
    /// a wire counts.
    double linkSpeed = 1;

    bool operator==(const Device &other) const {
      return speed == other.speed && memoryBytes == other.memoryBytes &&
             linkSpeed == other.linkSpeed;
    }
  };

  unsigned count = 1, perNode = 1;
  /// The memory of each device, unless `devices` says otherwise.
  int64_t memoryBytes = 0;
  Wire inside, between;
  /// Between a device and the memory of its host, in each direction; 0 if
  /// nothing can be kept there.
  double hostBytesPerSecond = 0;
  /// Empty if all are alike; else one for each, or more.
  std::vector<Device> devices;

  Device getDevice(unsigned number) const {
    return devices.empty() ? Device{1, memoryBytes, 1} : devices[number];
  }
  /// The least speed, memory and link speed of some devices.
  Device getLeast(llvm::ArrayRef<unsigned> some) const;
  /// The memory of the device that has the most.
  int64_t getMostMemory() const;
};

struct PlannedStage {
  std::vector<unsigned> operators;
  /// They share each micro-batch as evenly as its size lets them. Stages with
  /// the same devices, in training, take turns; none reads another of them.
  std::vector<unsigned> devices;
  /// Samples of a micro-batch, on all devices together.
  int64_t microBatch = 1;
  /// Forward tasks, and then backward tasks, in a row (kFkB).
  int64_t k = 1;
  /// Whether it keeps the results of other stages that it reads, and computes
  /// what else its backward tasks need again.
  bool recompute = false;
  /// Whether what its backward tasks need is kept in the memory of the host:
  /// copied while the next task runs, which waits for the copy if that takes
  /// longer. Not together with `recompute`.
  bool offload = false;
  /// Whether it warms up twice as far ahead of its successors (getInFlight).
  bool eager = false;
  /// Whether gradients of weights are tasks of their own, which run where a
  /// device would else wait, as in makeListSchedule: of all stages or of none.
  bool splitBackward = false;
  /// Whether it takes a micro-batch only after the stage before it in the plan
  /// has given it, although it may read nothing of that stage: so are pipelines
  /// of planners that know chains only. All stages but the first say so, or
  /// none.
  bool isAfterPrevious = false;
};

using Plan = std::vector<PlannedStage>;

struct TrainingOptions {
  /// Samples of an iteration.
  int64_t miniBatch = 1;
  /// Bytes of gradients and of the optimizer's states for each byte of
  /// parameters: 1 for sgd, 2 with momentum, 3 for adam.
  double stateFactor = 3;
  /// Inference: forward tasks alone, no gradients and no states.
  bool forwardOnly = false;
  /// Bytes of the inputs and outputs of an iteration, if they are in the memory
  /// of each device.
  int64_t givenBytes = 0;
};

/// A plan that a planner did not choose, and why.
struct RejectedPlan {
  Plan plan;
  double seconds = 0;
  int64_t mostBytes = 0;
  std::string reason;
};

struct Evaluation {
  /// The time of an iteration, with the sums of gradients within stages.
  double seconds = 0;
  /// For each stage, bytes that no device of it exceeds, with those of stages
  /// on the same devices: of parameters, gradients, states, what is kept for
  /// backward tasks, messages, and what tasks work on.
  std::vector<int64_t> stageBytes;
  /// For each link of the pipeline, bytes of a sample.
  std::vector<int64_t> linkBytes;
  /// For each stage, the seconds in which its devices sum their gradients.
  std::vector<double> reduceSeconds;
  /// Those in which devices update their parameters, once all gradients are
  /// there; the iteration's end.
  double updateSeconds = 0;
  /// The stages in an order in which links go forward.
  Plan plan;
  Pipeline pipeline;
  Schedule schedule;
  Simulation simulation;
  /// Whether a planner looked at all plans of the sizes of micro-batches that
  /// getMicroBatchSizes lists, and none is faster.
  bool isFastest = false;
  /// The next best plan with other stages, and one that would be faster and
  /// does not fit.
  std::vector<RejectedPlan> rejected;
};

/// Micro-batches of all stages of a plan. More are not simulated: a task takes
/// about 100 bytes, and an iteration has others to gain than their number.
inline constexpr int64_t kMostMicroBatches = int64_t(1) << 21;

/// Returns nothing, with a reason, if the plan is not valid: stages must have
/// at most kMostMicroBatches together, cover all operators once, form no cycle,
/// have the same devices or no device in common, and micro-batches of at least
/// a sample for each device and no more than the mini-batch, and nodes have
/// devices; offloading needs a wire to the host. Whether it fits into memory is
/// for the caller to decide.
std::optional<Evaluation> evaluate(const OperatorGraph &graph,
                                   const Cluster &cluster,
                                   const TrainingOptions &options, Plan plan,
                                   std::string &reason);

/// Whether the devices of all stages have the memory.
bool isFitting(const Evaluation &evaluation, const Cluster &cluster);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_PLAN_H
