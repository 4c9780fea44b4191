//===- ExactSearch.h - all plans of a few operators -------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch and bound over the plans of a small graph: cuts into stages, their
// numbers of devices and which of them, micro-batches, and modes. What a stage
// needs for all micro-batches, and the first one's way to it and the last one's
// way back, is a bound that no schedule is below.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_EXACTSEARCH_H
#define TENON_LIB_PARALLELIZE_EXACTSEARCH_H

#include "tenon/Parallelize/Planner.h"

namespace tenon::parallelize {

/// The graphs that are searched: at most so many operators and devices.
inline constexpr size_t kExactOperators = 8;
inline constexpr unsigned kExactDevices = 4;

/// Replaces `best` by a faster plan as long as there is one, and simulates as
/// much as `budget` (PlannerOptions) allows. Returns whether all plans were
/// looked at, so that the last one is the fastest.
bool searchAll(const OperatorGraph &graph, const Cluster &cluster,
               const PlannerOptions &options, int64_t budget,
               std::optional<Evaluation> &best);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_EXACTSEARCH_H
