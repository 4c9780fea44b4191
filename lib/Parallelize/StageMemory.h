//===- StageMemory.h - bytes that stages hold -------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_STAGEMEMORY_H
#define TENON_LIB_PARALLELIZE_STAGEMEMORY_H

#include "StageTimes.h"

#include "llvm/ADT/ArrayRef.h"

namespace tenon::parallelize {

/// The stageBytes of a simulated plan, whose stages are in the order of its
/// pipeline: what each device holds at any time (getLastingBytes), what is kept
/// from forward to backward tasks, and messages, from the task that computes
/// them until they are sent, and from when they are received until the last
/// task that reads them.
/// Programs of ranks have their steps in the order of the simulation, so that
/// this is what they hold for any timing (RankBuffers.h).
std::vector<int64_t> countStageBytes(const TrainingOptions &options,
                                     llvm::ArrayRef<StageView> views,
                                     const Evaluation &evaluation);

/// Bytes that each is not above. Needs the samples in flight of the simulation,
/// but neither its tasks nor its messages.
std::vector<int64_t> boundStageBytes(const TrainingOptions &options,
                                     llvm::ArrayRef<StageView> views,
                                     const Evaluation &evaluation);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_STAGEMEMORY_H
