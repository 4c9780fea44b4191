//===- KernelLoops.h - the loops of one kernel loop in one row ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_KERNELLOOPS_H
#define TENON_LIB_LOWER_KERNELLOOPS_H

#include "ExprEmitter.h"
#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

namespace tenon::lower {

using kernel::KernelLoop;
using kernel::LoopPlan;

/// A part [from, to) of the innermost dimension. If null, the whole dimension.
struct Window {
  mlir::Value from, to;
};

/// Emits the kernel loop for the row whose variables `row` holds. Its elements
/// are stored at `pointer`, at `base` plus their offset within the inner
/// dimensions. Vectors that are emitted here have `vectorBits` bits. If
/// `vectorBits` is 0, no vectors are emitted, because the order of sums must
/// not change.
void emitKernelLoop(ExprEmitter row, const LoopPlan &plan, unsigned kernelLoop,
                    mlir::Value pointer, mlir::Value base, unsigned vectorBits,
                    Window window = {});

/// Returns true if the plan is one kernel loop whose inner loop has a large
/// stride in one of its loads, while its rows traverse that memory contiguously
/// (a transpose). Blocks of rows then avoid loading every cache line once per
/// element.
bool runsAcrossMemory(const LoopPlan &plan);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_KERNELLOOPS_H
