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
#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

namespace tenon::lower {

using graph::AffineForm;
using graph::getAffineForm;
using kernel::KernelLoop;
using kernel::LoopPlan;

/// Gives every load of the plan one index: the offset in elements. It counts
/// from the start of the buffer for inputs and for kernel loops that are kernel
/// results, and from the start of the row's storage for row-local kernel loops.
void linearizeLoads(LoopPlan &plan);

/// Merges neighbouring dimensions of the reductions in a plan if every load
/// traverses them like a single dimension. If the plan is one kernel loop
/// without a reduction, also merges its own dimensions in the same way.
/// Requires linear loads.
void mergeDimensions(LoopPlan &plan);

/// Like mergeDimensions, for kernel loops that have the same shape and read
/// each other only at their own index: merges the same axes of all kernel
/// loops.
void mergeChain(LoopPlan &plan);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_AFFINEOFFSETS_H
