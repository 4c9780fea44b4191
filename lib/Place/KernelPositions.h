//===- KernelPositions.h - positions that a kernel computes ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_KERNELPOSITIONS_H
#define TENON_LIB_PLACE_KERNELPOSITIONS_H

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

namespace tenon::place {

/// Returns true if the plan computes the positions of what it reads for each
/// element along the last axis, and no op by itself does: a resize of the rows
/// of a transpose does so once for a row.
bool computesMorePositions(const kernel::LoopPlan &plan,
                           llvm::ArrayRef<mlir::Operation *> ops,
                           kernel::IndexFormCache &forms);

/// Returns true if the plan reads an operand across its last axis, as in a
/// transpose, its elements several times, and at positions that are computed,
/// as in a resize.
bool repeatsReadsAcross(const kernel::LoopPlan &plan);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_KERNELPOSITIONS_H
