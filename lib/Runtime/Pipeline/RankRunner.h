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

class RankRunner {
public:
  /// `slice`: the program of the rank, which ranks of the same stages share.
  RankRunner(const artifact::Pipeline &pipeline, int64_t rank,
             std::shared_ptr<const ProgramSlice> slice, Transport &transport);

  artifact::Status load(const LoadSettings &settings);

  /// Begins a run on the caller's tensors, which must stay until its end.
  artifact::Status begin(PipelineMode mode, const tenon_tensor *inputs,
                         const tenon_tensor *outputs);
  /// Goes on until the run ends, or unless `mayWait` to a message that is not
  /// there. Returns whether it has ended: then sums are done, too.
  artifact::Expected<bool> advance(bool mayWait);
  /// A number that grows while `advance` does something.
  uint64_t getProgress() const;
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
  uint64_t memoryBytes() const;

private:
  /// A task's tensors, with the addresses of what is in the arena.
  struct Call {
    std::vector<tenon_tensor> inputs, outputs;
  };
  struct Prepared {
    RankPlan plan;
    std::vector<Call> calls; // by operation
  };

  artifact::Status prepare(PipelineMode mode);
  tenon_tensor bind(PlanTensor &tensor);
  artifact::Expected<bool> runOperations(bool mayWait);
  artifact::Status runTask(const PlanOperation &operation, Call &call);
  artifact::Status wait(const Transport::Ticket &ticket);
  void waitInstead(const PlanOperation &task) const;
  artifact::Status begin(const PlanOperation &operation);
  void give(const PlanOperation &operation) const;
  std::unique_ptr<GradientSum> makeSum(int64_t stage);
  void addStates(int64_t stage);
  artifact::Expected<bool> advanceSums(bool mayWait);
  char *at(int32_t buffer) const {
    return arena.data() + active->plan.buffers[buffer].offset;
  }

  const artifact::Pipeline &pipeline;
  int64_t rank;
  std::shared_ptr<const ProgramSlice> slice;
  Transport &transport;
  HostMemory memory;
  std::unique_ptr<Model> model;
  bool isTraced = false;
  double timedWaits = 0; // 0: tasks compute

  std::array<std::optional<Prepared>, 3> prepared; // by mode
  Block arena;
  std::vector<std::unique_ptr<GradientSum>> sums; // by stage; may be null
  // The run.
  Prepared *active = nullptr;
  size_t next = 0;
  const tenon_tensor *inputs = nullptr, *outputs = nullptr;
  std::vector<Transport::Ticket> tickets; // by message
  struct Running {
    GradientSum *sum;
    const PlanOperation *operation;
    int64_t begin; // if it is traced
  };
  std::vector<Running> running; // one after the other
  uint64_t numSums = 0;         // that are done
  std::vector<PartialLoss> losses;
  std::vector<TaskEvent> events;
  int64_t overhead = 0;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_RANKRUNNER_H
