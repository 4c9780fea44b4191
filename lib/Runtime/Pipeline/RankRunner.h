//===- RankRunner.h - runs one rank of a pipeline -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_RANKRUNNER_H
#define TENON_LIB_RUNTIME_PIPELINE_RANKRUNNER_H

#include "../Memory.h"
#include "GradientSum.h"
#include "ProgramSlice.h"
#include "RankPlan.h"

#include <array>
#include <memory>
#include <optional>

namespace tenon::runtime {

/// The loss of some samples.
struct PartialLoss {
  int64_t begin = 0, end = 0;
  double value = 0;
};

/// When a task ran, or gradients were summed.
struct TaskEvent {
  const PlanOperation *task;
  int64_t begin = 0, end = 0; // nanoseconds
};

/// A part of a tensor of the caller, with the strides of the whole. `strides`
/// holds them; the shape is that of `part`.
tenon_tensor getPart(const tenon_tensor &whole, const PlanTensor &part,
                     std::vector<int64_t> &strides);

/// A rank with its model. How messages and sums are made is of the kinds of
/// ranks: HostRank.h, and ../Nccl/NcclRank.h.
class RankRunner {
public:
  /// `slice`: the program of the rank, which ranks of the same stages share.
  RankRunner(const artifact::Pipeline &pipeline, int64_t rank,
             std::shared_ptr<const ProgramSlice> slice, Transport &transport,
             MessageOrder order);
  virtual ~RankRunner() = default;

  virtual artifact::Status load(const LoadSettings &settings);
  /// Makes what ranks share, unless it is there. All ranks call it at the same
  /// time.
  virtual artifact::Status connect() { return artifact::Status::success(); }
  /// Frees what ranks share. If a run failed, it does not wait for other ranks;
  /// else, all ranks call it at the same time.
  virtual void disconnect(bool /*hasFailed*/) {}

  /// Begins a run on the caller's tensors, which must stay until its end.
  virtual artifact::Status begin(PipelineMode mode, const tenon_tensor *inputs,
                                 const tenon_tensor *outputs);
  /// Goes on until the run ends, or unless `mayWait` to a message that is not
  /// there. Returns whether it has ended: then sums are done, too.
  virtual artifact::Expected<bool> advance(bool mayWait) = 0;
  /// A number that grows while `advance` does something.
  virtual uint64_t getProgress() const = 0;
  /// After training: changes the parameters.
  artifact::Status update();
  /// After a run that failed: begins the sums of gradients anew.
  artifact::Status resetGradients();

  int64_t getRank() const { return rank; }
  Model &getModel() { return *model; }
  const tenon_program &getProgram() const { return slice->get(); }
  const std::vector<PartialLoss> &getLosses() const { return losses; }
  /// The tasks of the last run; empty unless `load` was told to trace.
  const std::vector<TaskEvent> &getEvents() const { return events; }
  /// Likewise, the nanoseconds in which it neither ran tasks nor waited.
  int64_t getOverhead() const { return overhead; }
  virtual uint64_t memoryBytes() const = 0;

protected:
  /// A task's tensors, with the addresses of what is in the arena.
  struct Call {
    std::vector<tenon_tensor> inputs, outputs;
  };
  struct Prepared {
    RankPlan plan;
    std::vector<Call> calls; // by operation
  };

  /// Makes memory for a plan. Returns whether tensors have other addresses than
  /// before.
  virtual artifact::Expected<bool> growArena(const RankPlan &plan) = 0;
  /// Where a task finds a tensor.
  virtual tenon_tensor bind(PlanTensor &tensor) const = 0;
  static tenon_tensor makeTensor(PlanTensor &tensor, int32_t device,
                                 void *data);
  std::vector<SummedState> listSummedStates(int64_t stage) const;
  artifact::Error failTask(const PlanOperation &task,
                           const artifact::Status &status) const;

  const artifact::Pipeline &pipeline;
  int64_t rank;
  std::shared_ptr<const ProgramSlice> slice;
  Transport &transport;
  HostMemory memory;
  std::unique_ptr<Model> model;
  bool isTraced = false;
  double timedWaits = 0; // 0: tasks compute

  // The run.
  Prepared *active = nullptr;
  const tenon_tensor *inputs = nullptr, *outputs = nullptr;
  std::vector<PartialLoss> losses;
  std::vector<TaskEvent> events;
  int64_t overhead = 0;

private:
  artifact::Status prepare(PipelineMode mode);

  MessageOrder order;
  std::array<std::optional<Prepared>, 3> prepared; // by mode
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_RANKRUNNER_H
