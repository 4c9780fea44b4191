//===- StageMemory.h - bytes that stages hold -------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_STAGEMEMORY_H
#define TENON_LIB_PARALLELIZE_STAGEMEMORY_H

#include "tenon/Parallelize/Plan.h"

namespace tenon::parallelize {

/// Sets the stageBytes of a simulated plan to what each device holds at most:
/// what it holds at any time (getLastingBytes), what is kept from forward to
/// backward tasks, and messages, from the task that computes them until they
/// are sent, and from when they are received until the last task that reads
/// them.
/// Programs of ranks have their steps in the order of the simulation, so that
/// this is what they hold for any timing (RankBuffers.h).
void countStageBytes(const OperatorGraph &graph, const TrainingOptions &options,
                     Evaluation &evaluation);

/// Likewise, but only where a bound that is quickly found is above `limit`;
/// elsewhere, that bound.
void boundStageBytes(const OperatorGraph &graph, const TrainingOptions &options,
                     int64_t limit, Evaluation &evaluation);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_STAGEMEMORY_H
