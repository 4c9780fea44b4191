//===- StageTimes.h - seconds of a planned stage ----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_STAGETIMES_H
#define TENON_LIB_PARALLELIZE_STAGETIMES_H

#include "tenon/Parallelize/Plan.h"

namespace tenon::parallelize {

/// Numbers of one iteration that a planned stage has whatever the others are.
/// The lane is left to the caller.
Stage getStageTimes(const OperatorGraph &graph, const Cluster &cluster,
                    const TrainingOptions &options,
                    const PlannedStage &planned);

/// The bytes that each device of a stage holds while `inFlight` of its samples
/// are in flight. `inputBytes`: what it reads of other stages, for a sample.
int64_t getStageBytes(const OperatorGraph &graph,
                      const TrainingOptions &options,
                      const PlannedStage &planned, int64_t inFlight,
                      int64_t inputBytes);
/// Likewise, with the sums over its operators.
int64_t getStageBytes(const TrainingOptions &options,
                      const PlannedStage &planned, int64_t weightBytes,
                      int64_t savedBytes, int64_t inFlight, int64_t inputBytes);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_STAGETIMES_H
