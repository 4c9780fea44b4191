//===- Planner.h - where to cut a model into stages -------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GraphPipe (Jeon et al., ASPLOS 2025, section 5) cuts a series-parallel graph
// by dynamic programming, so that the slowest stage is as fast as possible.
// Here this gives candidates for every number of devices, from which a local
// search changes one thing at a time as long as the simulated iteration becomes
// shorter. The subproblems do not depend on how many devices and how much
// memory there are, so that more of them seldom make a plan slower.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_PLANNER_H
#define TENON_PARALLELIZE_PLANNER_H

#include "tenon/Parallelize/Plan.h"

#include <functional>

namespace tenon::parallelize {

struct PlannerOptions {
  TrainingOptions training;
  /// Sizes of micro-batches that are tried, and the largest k.
  int64_t leastMicroBatch = 1, mostMicroBatch = int64_t(1) << 40, mostK = 4;
  /// Whether all stages have one micro-batch size.
  bool sameMicroBatch = false;
  /// Whether all devices of a stage must have equally many samples of each
  /// micro-batch, as batch norms do.
  bool evenParts = false;
  /// What stages may do (PlannedStage).
  bool mayBeEager = true, mayRecompute = true, mayOffload = true,
       maySplitBackward = true;
  /// Whether devices may have several stages.
  bool mayInterleave = true;
  /// Whether the plans of small graphs are all looked at.
  bool exact = true;
  /// How much is simulated for each number of devices: tasks, and kPlanSteps
  /// for each plan; more for powers of 2. A count, so that the result does not
  /// depend on the machine.
  int64_t budget = 4608;
  /// Told from time to time what is planned, such as "plan for 8 of 32
  /// devices".
  std::function<void(const std::string &)> progress;
  /// Steps of a planner of chains (Baselines.h), for all micro-batch sizes
  /// together.
  uint64_t downsetBudget = uint64_t(1) << 26;
};

/// The sizes of micro-batches from the least to the most that options allow:
/// the smallest for each number of micro-batches, so that the last one is not
/// much shorter; with evenParts, the divisors of the mini-batch.
std::vector<int64_t> getMicroBatchSizes(const PlannerOptions &options);

/// Why there is none.
std::string describeNoSize(const PlannerOptions &options);

/// "N bytes of each device", or from the least to the most of the devices.
std::string describeMemory(const Cluster &cluster);

/// Those of them that the dynamic programming and the planners of chains try:
/// at most one between two powers of 2.
std::vector<int64_t> getTriedMicroBatchSizes(const PlannerOptions &options);

/// What a plan of no tasks counts for.
inline constexpr int64_t kPlanSteps = 64;

/// Returns the fastest plan that was found and whose stages fit into the memory
/// of the devices. Not all devices are used if fewer are faster. Returns
/// nothing, with a reason, if none fits.
std::optional<Evaluation> planGraph(const OperatorGraph &graph,
                                    const Cluster &cluster,
                                    const PlannerOptions &options,
                                    std::string &reason);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_PLANNER_H
