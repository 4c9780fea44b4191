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

#include <deque>
#include <map>

namespace tenon::runtime {

/// A rank whose tensors between tasks are in host memory, and whose messages
/// and sums go over its transport. Its tasks may run on a CUDA device: the
/// model then copies what they are given and give.
class HostRank final : public RankRunner {
public:
  using RankRunner::RankRunner;

  artifact::Status load(const LoadSettings &settings) override;
  artifact::Status begin(int32_t entry, const tenon_tensor *inputs,
                         const tenon_tensor *outputs) override;
  artifact::Expected<RankState> advance(bool mayWait) override;
  uint64_t getProgress() const override;
  uint64_t memoryBytes() const override;

private:
  artifact::Status makeArena();
  artifact::Status makeSums();
  artifact::Status reserveStaging();

  artifact::Expected<RankState> doSteps(bool mayWait);
  artifact::Status runTask(const tenon_rank_step &step);
  void copy(const tenon_rank_step &step) const;
  artifact::Status beginMessage(const tenon_rank_step &step);
  artifact::Status beginSum(const tenon_rank_step &step);
  artifact::Expected<bool> wait(const tenon_rank_step &step, bool mayWait);
  artifact::Expected<bool> waitForMessage(const Transport::Ticket &ticket,
                                          bool mayWait);
  artifact::Status waitBesideSums(const Transport::Ticket &ticket);
  bool isRunning(const tenon_rank_step &sum) const;
  /// Continues sums until `last` is done, or if it is null, all are.
  artifact::Expected<bool> advanceSums(bool mayWait,
                                       const tenon_rank_step *last = nullptr);

  Block arena;
  std::map<const tenon_rank_step *, std::unique_ptr<GradientSum>> sums;
  // The run.
  std::vector<Transport::Ticket> tickets; // by step
  struct Running {
    GradientSum *sum;
    const tenon_rank_step *step;
    int64_t begin; // if it is traced
  };
  std::deque<Running> running; // one after the other
  uint64_t numSums = 0;        // that are done
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_HOSTRANK_H
