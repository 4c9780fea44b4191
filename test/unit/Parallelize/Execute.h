//===- Execute.h - rank programs, executed step by step ---------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knows nothing of the check: ranks advance as far as they can, transfers
// complete one by one, and data is a set of facts.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_PARALLELIZE_EXECUTE_H
#define TENON_TEST_UNIT_PARALLELIZE_EXECUTE_H

#include "tenon/Parallelize/RankPrograms.h"

#include <string>

namespace tenon::parallelize {

/// Returns nothing if all programs run to their end and compute what they
/// should; else "hangs" or "wrong", and why. Without `withData`, it only
/// matters whether they end.
std::string execute(const Pipeline &pipeline, const LaneRanks &laneRanks,
                    const RankPrograms &programs, bool withData = true);

} // namespace tenon::parallelize

#endif // TENON_TEST_UNIT_PARALLELIZE_EXECUTE_H
