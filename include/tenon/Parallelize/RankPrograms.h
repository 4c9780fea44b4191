//===- RankPrograms.h - what each rank does, step by step -------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A static program for each rank: computations, groups of transfers that
// progress together, and collectives, in order. Every rank runs its steps one
// after the other. What is shown of these programs (CheckPrograms.h) holds,
// too, for a runtime that overlaps transfers with computations, if it keeps the
// order of a rank's transfers and collectives: a step then waits for fewer
// others.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_RANKPROGRAMS_H
#define TENON_PARALLELIZE_RANKPROGRAMS_H

#include "tenon/Parallelize/Simulate.h"

namespace tenon::parallelize {

/// One end of a message between two ranks. As in NCCL, the n-th message that a
/// rank sends to another one is the n-th that the other receives from it.
struct Transfer {
  bool isSend = false;
  unsigned peer = 0;
  /// What it holds: values of the link, or gradients on the way back, of the
  /// samples [begin, end).
  unsigned link = 0;
  bool isGradient = false;
  int64_t begin = 0, end = 0;
};

struct Step {
  enum class Kind {
    /// `task` for the samples [begin, end).
    Compute,
    /// All of `transfers`, which end together.
    Group,
    /// The sum of the gradients of the weights of stage `task.stage` over the
    /// ranks of its lane.
    ReduceGradients
  };
  Kind kind = Kind::Compute;
  Task task;
  int64_t begin = 0, end = 0;
  std::vector<Transfer> transfers;
};

/// The ranks of a lane share the samples of each micro-batch evenly, in their
/// order.
using LaneRanks = std::vector<std::vector<unsigned>>;

/// For each rank, its steps.
using RankPrograms = std::vector<std::vector<Step>>;

/// Returns programs that do what the simulated schedule does: each rank's
/// transfers are in the order in which they were simulated to begin. Ranks are
/// numbered from 0 without gaps, each in one lane; their number in a lane
/// divides the micro-batches of its stages.
RankPrograms makeRankPrograms(const Pipeline &pipeline,
                              const Schedule &schedule,
                              const Simulation &simulation,
                              const LaneRanks &laneRanks);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_RANKPROGRAMS_H
