//===- NcclRank.h - a rank whose messages go over NCCL --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensors between tasks are on the rank's device. The host puts the whole
// run on two streams, one for tasks and one for messages and sums, and then
// waits for both: nothing of a run goes through the host but what the caller
// gives and is given.
//
// NCCL matches messages by their order alone, and one that has begun may hold
// its stream until the other rank has begun it. So they begin in the order of
// the plan's steps, which --pipe-check has proved to end (Parallelize/
// CheckPrograms.h): transfers of a step as one group, and sums at their step.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_NCCL_NCCLRANK_H
#define TENON_LIB_RUNTIME_NCCL_NCCLRANK_H

#include "../Cuda/Device.h"
#include "../Pipeline/RankRunner.h"
#include "NcclComms.h"

#include <map>

namespace tenon::runtime::nccl {

class NcclRank final : public RankRunner {
public:
  NcclRank(const artifact::Pipeline &pipeline, int64_t rank,
           std::shared_ptr<const ProgramSlice> slice, Transport &control)
      : RankRunner(pipeline, rank, std::move(slice), control,
                   MessageOrder::AsPlanned) {}
  ~NcclRank() override;

  artifact::Status load(const LoadSettings &settings) override;
  artifact::Status connect() override;
  void disconnect(bool hasFailed) override;
  artifact::Status begin(PipelineMode mode, const tenon_tensor *inputs,
                         const tenon_tensor *outputs) override;
  /// Always waits: ranks that take turns have no use for NCCL.
  artifact::Expected<bool> advance(bool mayWait) override;
  uint64_t getProgress() const override { return groups.size(); }
  uint64_t memoryBytes() const override;

private:
  /// What was begun together on the stream of messages.
  struct Group {
    cuda::Event ready;        // when this rank's part is there; null: always
    cuda::Event done;         // null: it has not yet come to the stream
    std::string peers;        // such as "rank 2"
    const PlanOperation *sum; // null: messages
    int64_t begin;            // if it is traced
    bool isNoted;             // likewise, among the events
  };
  struct Sum {
    std::vector<SummedState> states;
    std::vector<void *> places; // on the device
  };

  // Loading and memory (NcclRank.cpp).
  void waitsForAll();
  artifact::Status openDevice(const LoadSettings &settings);
  artifact::Expected<bool> growArena(const RankPlan &plan) override;
  void layOut(const RankPlan &plan);
  tenon_tensor bind(PlanTensor &tensor) const override;
  artifact::Status giveInputs();
  void readResults();
  cuda::DeviceAddress at(int32_t buffer) const {
    return arena.data() + active->plan.buffers[buffer].offset;
  }

  // Operations (NcclOperations.cpp).
  artifact::Status enqueue(const PlanOperation &operation, Call &call);
  artifact::Status runTask(const PlanOperation &operation, Call &call);
  artifact::Status copyRows(const PlanCopy &copy);
  artifact::Status copyToHost(const PlanOperation &operation,
                              const PlanTensor &tensor);
  artifact::Status exchange(const PlanOperation &operation);
  artifact::Status reduce(const PlanOperation &operation);
  artifact::Expected<const Sum *> findSum(int64_t stage);
  Result put(const PlanMessage &message) const;
  template <typename Function>
  artifact::Status putGroup(Comm comm, Group group, Function function);

  // Waiting (NcclWaits.cpp).
  artifact::Expected<cuda::Event> record(cuda::Stream stream);
  artifact::Status waitOnStream(cuda::Stream stream, cuda::Event event);
  artifact::Expected<bool> isDone(cuda::Event event);
  artifact::Status waitFor(cuda::Event event);
  artifact::Status waitForTasks();
  artifact::Status checkWait();
  artifact::Status watch();
  artifact::Status noteSums();
  artifact::Status finishTask();
  artifact::Status end();
  void giveUp();

  std::unique_ptr<cuda::Device> device; // its stream: tasks
  cuda::Stream messages = nullptr;
  std::unique_ptr<NcclComms> comms;
  std::vector<std::vector<int64_t>> rankSets; // of sums
  std::map<int64_t, Sum> sums;                // by stage
  int64_t watchdogSeconds = 0;

  // Memory: the plan's arena, and behind it parts of the caller's inputs.
  cuda::DeviceBlock arena;
  cuda::PinnedBlock pinned; // those inputs, and behind them results
  const RankPlan *laidOut = nullptr;
  std::map<const PlanTensor *, int64_t> inputPlaces; // behind the arena
  std::map<const PlanOperation *, int64_t> resultPlaces;
  int64_t inputsBegin = 0, inputBytes = 0, resultBytes = 0;

  // The run.
  std::vector<cuda::Event> pool; // events, of all runs
  size_t numEvents = 0;          // of this one
  std::vector<Group> groups;
  /// The last task, if tasks check indices.
  const PlanOperation *lastTask = nullptr;
  std::vector<cuda::Event> received;     // by message: when it is there
  std::vector<cuda::Event> reservations; // likewise: when it may be written
  size_t firstOpen = 0;                  // the first group that is not done
  std::chrono::steady_clock::time_point openSince; // or since its tasks are
};

} // namespace tenon::runtime::nccl

#endif // TENON_LIB_RUNTIME_NCCL_NCCLRANK_H
