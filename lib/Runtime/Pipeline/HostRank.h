//===- HostRank.h - a rank whose messages are in host memory --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_HOSTRANK_H
#define TENON_LIB_RUNTIME_PIPELINE_HOSTRANK_H

#include "RankRunner.h"

namespace tenon::runtime {

/// A rank whose tensors between tasks are in host memory, and whose messages
/// and sums go over its transport. Its tasks may run on a CUDA device: the
/// model then copies what they are given and give.
class HostRank final : public RankRunner {
public:
  HostRank(const artifact::Pipeline &pipeline, int64_t rank,
           std::shared_ptr<const ProgramSlice> slice, Transport &transport)
      : RankRunner(pipeline, rank, std::move(slice), transport,
                   MessageOrder::Early) {}

  artifact::Status load(const LoadSettings &settings) override;
  artifact::Status begin(PipelineMode mode, const tenon_tensor *inputs,
                         const tenon_tensor *outputs) override;
  artifact::Expected<bool> advance(bool mayWait) override;
  uint64_t getProgress() const override;
  uint64_t memoryBytes() const override;

private:
  artifact::Expected<bool> growArena(const RankPlan &plan) override;
  tenon_tensor bind(PlanTensor &tensor) const override;

  artifact::Expected<bool> runOperations(bool mayWait);
  artifact::Status runTask(const PlanOperation &operation, Call &call);
  artifact::Status wait(const Transport::Ticket &ticket);
  void waitInstead(const PlanOperation &task) const;
  artifact::Status beginSum(const PlanOperation &operation);
  artifact::Status beginMessage(const PlanMessage &message);
  void give(const PlanOperation &operation) const;
  artifact::Expected<bool> advanceSums(bool mayWait);
  char *at(int32_t buffer) const {
    return arena.data() + active->plan.buffers[buffer].offset;
  }

  Block arena;
  std::vector<std::unique_ptr<GradientSum>> sums; // by stage; may be null
  // The run.
  size_t next = 0;
  std::vector<Transport::Ticket> tickets; // by message
  struct Running {
    GradientSum *sum;
    const PlanOperation *operation;
    int64_t begin; // if it is traced
  };
  std::vector<Running> running; // one after the other
  uint64_t numSums = 0;         // that are done
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_HOSTRANK_H
