//===- StageLoops.h - the loops of one stage in one row -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_STAGELOOPS_H
#define TENON_LIB_LOWER_STAGELOOPS_H

#include "ExprEmitter.h"
#include "tenon/Dialect/Kernel/Analysis/StagePlan.h"

namespace tenon::lower {

using kernel::Stage;
using kernel::StagePlan;

/// A part [from, to) of the innermost dimension; null: all of it.
struct Window {
  mlir::Value from, to;
};

/// Emits the stage for the row whose variables `row` holds. Its elements go to
/// `pointer` at `base` + their offset within the inner dimensions. Vectors that
/// are emitted here have `vectorBits`; 0: none, because the order of sums must
/// stay.
void emitStage(ExprEmitter row, const StagePlan &plan, unsigned stage,
               mlir::Value pointer, mlir::Value base, unsigned vectorBits,
               Window window = {});

/// Whether the plan is one stage that runs across the memory of something it
/// loads, while its rows run along it (a transpose): blocks of rows then save
/// reading every cache line as often as it has elements.
bool runsAcrossMemory(const StagePlan &plan);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_STAGELOOPS_H
