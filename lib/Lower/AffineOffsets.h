//===- AffineOffsets.h - linear offsets and merged dimensions -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_AFFINEOFFSETS_H
#define TENON_LIB_LOWER_AFFINEOFFSETS_H

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"
#include "tenon/Dialect/Kernel/Analysis/StagePlan.h"

namespace tenon::lower {

using graph::AffineForm;
using graph::getAffineForm;
using kernel::Stage;
using kernel::StagePlan;

/// Gives every load of the plan one index, the offset in elements: from the
/// start of the buffer for inputs and stages that are kernel results, and from
/// the start of the row's storage for row-local stages.
void linearizeLoads(StagePlan &plan);

/// Merges neighbouring dimensions of a plan of one stage without reductions
/// where every load runs through both as through one, and of reductions
/// likewise. Requires linear loads.
void mergeDimensions(StagePlan &plan);

/// As above for stages that have one shape and read each other at their own
/// index alone: merges axes of all of them.
void mergeChain(StagePlan &plan);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_AFFINEOFFSETS_H
