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
#include "RankTables.h"

#include <memory>
#include <vector>

namespace tenon::runtime {

/// What a rank adds to an output of the caller, for samples from `begin` on.
/// Processes exchange it as it is in memory.
struct Addend {
  int64_t output = 0, begin = 0, rank = 0, step = 0;
  double value = 0;
};

/// When a task ran, or states were summed.
struct TaskEvent {
  const tenon_rank_step *step;
  int64_t begin = 0, end = 0; // nanoseconds
};

/// Why a rank has stopped.
enum class RankState {
  Waiting,   // for another rank
  AtBarrier, // until all ranks are at theirs
  Ended
};

/// A rank with its model. It does the steps of its programs in their order. The
/// kinds of ranks differ in how they exchange messages and sum states:
/// HostRank.h, and ../Nccl/NcclRank.h.
class RankRunner {
public:
  /// `program`: that of all ranks, which `checkRanks` accepts. `slice`: that of
  /// this rank, which ranks with the same tasks share.
  RankRunner(const tenon_program &program, int64_t rank,
             std::shared_ptr<const ProgramSlice> slice, Transport &transport);
  virtual ~RankRunner() = default;

  /// Gets memory for all entries, so that a lack of it is reported here.
  virtual artifact::Status load(const LoadSettings &settings);
  /// Makes what ranks share, unless it is there. All ranks call it at the same
  /// time.
  virtual artifact::Status connect() { return artifact::Status::success(); }
  /// Frees what ranks share. If a run failed, it does not wait for other ranks;
  /// else, all ranks call it at the same time.
  virtual void disconnect(bool /*hasFailed*/) {}

  /// Begins a run of an entry on the caller's tensors, which must stay until
  /// its end.
  virtual artifact::Status begin(int32_t entry, const tenon_tensor *inputs,
                                 const tenon_tensor *outputs);
  /// Continues until a barrier or the end of the run, or unless `mayWait` until
  /// a message that is not there. The next call continues behind the barrier.
  virtual artifact::Expected<RankState> advance(bool mayWait) = 0;
  /// A number that grows while `advance` does something.
  virtual uint64_t getProgress() const = 0;
  /// After a run that failed: makes the transient states zero.
  artifact::Status resetTransientStates();

  int64_t getRank() const { return rank; }
  Model &getModel() { return *model; }
  /// What this rank has added to outputs since the run began.
  const std::vector<Addend> &getAddends() const { return addends; }
  /// The tasks and sums of the last run that belong to stages; empty unless
  /// `load` was told to trace.
  const std::vector<TaskEvent> &getEvents() const { return events; }
  /// Likewise, the nanoseconds in which it neither ran tasks nor waited.
  int64_t getOverhead() const { return overhead; }
  virtual uint64_t memoryBytes() const = 0;

protected:
  /// An entry, with the tensors of its steps.
  struct Prepared {
    const tenon_rank_program *table;
    std::vector<tenon_tensor> tensors; // by number
    std::vector<std::vector<int64_t>> strides;
  };

  /// The entries that run on a model have the names of the tasks.
  const char *getTaskName(const tenon_rank_step &step) const {
    return program.entries[step.entry].name;
  }
  /// Lists the tensors of a task in `given`: its inputs, then its outputs.
  void listTensors(const tenon_rank_step &step);
  size_t countInputs(const tenon_rank_step &step) const {
    return program.entries[step.entry].num_inputs;
  }
  std::vector<Summand> listSummands(const tenon_rank_program &table,
                                    const tenon_rank_step &sum) const;
  /// Remembers what an ADD adds, whose number is `data`.
  void addTo(const tenon_rank_step &step, const void *data);
  void addEvent(const tenon_rank_step &step, int64_t begin, int64_t end);
  artifact::Error failTask(const tenon_rank_step &task,
                           const artifact::Status &status) const;

  const tenon_program &program;
  int64_t rank;
  std::shared_ptr<const ProgramSlice> slice;
  Transport &transport;
  HostMemory memory;
  std::unique_ptr<Model> model;
  bool isTraced = false;
  double timedWaits = 0;          // 0: tasks compute
  std::vector<Prepared> prepared; // by entry

  // The run.
  Prepared *active = nullptr;
  int32_t next = 0; // step
  const tenon_tensor *inputs = nullptr, *outputs = nullptr;
  std::vector<tenon_tensor> given;
  std::vector<Addend> addends;
  std::vector<TaskEvent> events;
  int64_t overhead = 0;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_RANKRUNNER_H
