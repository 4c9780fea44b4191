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
// its stream until the other rank has begun it. So the groups of an entry begin
// in the order of their numbers, each once the host has come to all of its
// steps. The compiler has shown that ranks do not wait for ever then
// (Parallelize/CheckRanks.h). A group follows the tasks before the last of its
// steps: these give what it sends, and use the memory that it writes. It does
// not follow the tasks behind, even if it begins later because earlier groups
// are not complete.
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
  using RankRunner::RankRunner;
  ~NcclRank() override;

  artifact::Status load(const LoadSettings &settings) override;
  artifact::Status connect() override;
  void disconnect(bool hasFailed) override;
  artifact::Status begin(int32_t entry, const tenon_tensor *inputs,
                         const tenon_tensor *outputs) override;
  /// Always waits: ranks that take turns have no use for NCCL.
  artifact::Expected<RankState> advance(bool mayWait) override;
  uint64_t getProgress() const override { return groups.size(); }
  uint64_t memoryBytes() const override;

private:
  /// What was begun together on the stream of messages.
  struct Group {
    cuda::Event ready;          // when this rank's part is there; null: always
    cuda::Event done;           // null: it has not yet come to the stream
    std::string peers;          // such as "rank 2"
    const tenon_rank_step *sum; // null: messages
    int64_t begin;              // if it is traced
    bool isNoted;               // likewise, among the events
  };
  /// A group of an entry that was not yet begun.
  struct NextGroup {
    int32_t missing = 0;        // steps that the host has not come to
    std::vector<int32_t> steps; // to which it has
    cuda::Event ready = nullptr;
  };
  struct Sum {
    std::vector<Summand> summands;
    std::vector<void *> places; // on the device
  };
  /// Where an entry has the caller's tensors; -1: nowhere. On the device, dense
  /// copies of inputs are behind the arena, and outputs that tasks write behind
  /// these. In pinned memory, what comes from the device is behind the inputs.
  struct Layout {
    std::vector<int64_t> onDevice, pinned; // by tensor
    std::vector<int64_t> addends;          // in pinned memory, by step
    std::vector<int32_t> givenInputs;      // tensors with a place of their own
    int64_t inputsBegin = 0, inputBytes = 0;
    int64_t deviceBytes = 0, pinnedBytes = 0;
    std::map<int32_t, NextGroup> groups; // before the run
  };

  // Loading and memory (NcclRank.cpp).
  void waitsForAll();
  artifact::Status openDevice(const LoadSettings &settings);
  artifact::Status findSums();
  artifact::Status makeMemory();
  tenon_tensor bind(size_t entry, int32_t tensor);
  artifact::Status giveInputs();
  void readResults(int32_t begin, int32_t end);

  // Places (NcclLayout.cpp).
  Layout layOut(const tenon_rank_program &table) const;

  // Steps (NcclOperations.cpp).
  artifact::Status enqueue(int32_t number);
  artifact::Status runTask(const tenon_rank_step &step);
  artifact::Status copy(const tenon_rank_step &step);
  artifact::Status copyToHost(const tenon_tensor &from, int64_t place);
  artifact::Status reach(int32_t number);
  artifact::Status exchange(const NextGroup &group);
  artifact::Status reduce(const NextGroup &group);
  Result put(const tenon_rank_step &message) const;
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
  std::map<const tenon_rank_step *, Sum> sums;
  int64_t watchdogSeconds = 0;

  // Memory for the entry that needs most.
  std::vector<Layout> layouts; // by entry
  cuda::DeviceBlock arena;
  cuda::PinnedBlock pinned;

  // The run.
  const Layout *layout = nullptr;
  std::vector<cuda::Event> pool; // events, of all runs
  size_t numEvents = 0;          // of this one
  std::vector<Group> groups;
  std::map<int32_t, NextGroup> nextGroups; // by number
  /// The last task, if tasks check indices.
  const tenon_rank_step *lastTask = nullptr;
  std::vector<cuda::Event> done; // by step: when what it began is done
  size_t firstOpen = 0;          // the first group that is not done
  std::chrono::steady_clock::time_point openSince; // or since its tasks are
};

} // namespace tenon::runtime::nccl

#endif // TENON_LIB_RUNTIME_NCCL_NCCLRANK_H
