//===- CheckTasks.h - that each rank computes its tasks ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_CHECKTASKS_H
#define TENON_LIB_PARALLELIZE_CHECKTASKS_H

#include "tenon/Parallelize/CheckPrograms.h"

namespace tenon::parallelize {

/// Shows points 3 and 4 of checkPrograms, for programs whose ranks, stages and
/// links exist. They concern each rank by itself, since its steps run in order.
bool checkTasks(const Pipeline &pipeline, const LaneRanks &laneRanks,
                const RankPrograms &programs, std::string &reason,
                std::vector<StepRef> &where);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_CHECKTASKS_H
