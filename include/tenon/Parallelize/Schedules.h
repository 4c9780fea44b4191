//===- Schedules.h - orders of a pipeline's tasks ---------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules are orders of the same tasks, so that any of them can be simulated,
// checked and run. The pipeline must be valid (isValid), ks are at least 1, and
// stages have lanes of their own where two functions at the end do not say
// otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_SCHEDULES_H
#define TENON_PARALLELIZE_SCHEDULES_H

#include "tenon/Parallelize/Pipeline.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace tenon::parallelize {

/// Inference: every micro-batch once, forward.
Schedule makeForwardSchedule(const Pipeline &pipeline);

/// All forward tasks, then all backward tasks (Huang et al., GPipe, NeurIPS
/// 2019): every sample is in flight at once.
Schedule makeGPipeSchedule(const Pipeline &pipeline);

/// Returns samples in flight for each stage with which no stage waits in the
/// steady state, where stage s alternates `ks[s]` forward and `ks[s]` backward
/// tasks and all stages need as long for a sample:
///
///   inflight(s) = q(s) rounded up from the maximum over successors t of
///                 inflight(t) + max(q(s), q(t)) + max(0, b(s) - b(t))
///
/// with the micro-batch b and q = k * b; q for a stage without successors. This
/// is what GraphPipe's ComputeInFlight (section 6) is for. The last summand is
/// for stages whose successors have smaller micro-batches; without it, they
/// wait. Links are taken to need no time. Where micro-batches or their groups q
/// do not divide each other, a stage may wait nevertheless.
///
/// A stage of which `eager` holds warms up twice as far ahead of its successors
/// (max(q(s), q(t)) counts twice), so that the time of a message hides behind
/// another group of micro-batches; with ks of 1 this is the eager 1F1B of
/// Megatron-LM. Empty: no stage.
std::vector<int64_t> getInFlight(const Pipeline &pipeline,
                                 llvm::ArrayRef<int64_t> ks,
                                 const std::vector<bool> &eager = {});

/// A stage first runs forward tasks until `inFlight` samples are in flight, at
/// least ks of its micro-batches, then `ks` backward and `ks` forward tasks in
/// turn (GraphPipe, section 6). With ks of 1 and the numbers of getInFlight
/// this is 1F1B (Narayanan et al., PipeDream, SOSP 2019, with a flush).
Schedule makeAlternatingSchedule(const Pipeline &pipeline,
                                 llvm::ArrayRef<int64_t> ks,
                                 llvm::ArrayRef<int64_t> inFlight);

/// 1F1B where each lane has several stages, which divides the time in which
/// lanes are idle by their number (Narayanan et al., Megatron-LM, SC 2021,
/// section 2.2). Returns nothing, with a reason, unless stage s is in lane s
/// mod p of p lanes, each lane has as many stages, and the stages have one
/// micro-batch size whose number is a multiple of p.
std::optional<Schedule> makeInterleavedSchedule(const Pipeline &pipeline,
                                                std::string &reason);

/// All micro-batches of a lane's first stage, then all of its next one, and
/// backward likewise from its last stage on, so that the gradients of a stage
/// can be summed while the stages before it compute (Li et al., Fold3D, TPDS
/// 34, 2023: all-in-all-out). Stages may share a lane.
Schedule makeSegmentSchedule(const Pipeline &pipeline);

struct ListOptions {
  /// The most samples of each stage that may be in flight.
  std::vector<int64_t> inFlight;
  /// Whether the gradients of weights are tasks of their own, which run where a
  /// lane would else wait (Qi et al., Zero Bubble Pipeline Parallelism, ICLR
  /// 2024, section 2).
  bool splitBackward = false;
};

/// Options with the samples in flight of getInFlight. With `splitBackward`, no
/// stage has more in flight than the one that has the most.
ListOptions makeListOptions(std::vector<int64_t> inFlight, bool splitBackward);

/// List scheduling: of the tasks that are ready, a lane takes a backward task
/// before a forward task, of a later stage before an earlier one. With
/// `splitBackward`, forward tasks and backward tasks for inputs take turns, and
/// gradients of weights fill what is left; for stages of equal times this is
/// ZB-H1 (Qi et al., section 2.2). Stages may share a lane, and links need the
/// time that they have. Returns nothing, with a reason, if `inFlight` lets no
/// task begin although some are left.
std::optional<Schedule> makeListSchedule(const Pipeline &pipeline,
                                         const ListOptions &options,
                                         std::string &reason);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_SCHEDULES_H
