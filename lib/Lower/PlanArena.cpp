//===- PlanArena.cpp - placement of the arena's buffers -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaPlan.h"
#include "tenon/Lower/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "program-plan-arena"

namespace tenon::lower {
#define GEN_PASS_DEF_PROGRAMPLANARENA
#include "tenon/Lower/Passes.h.inc"
} // namespace tenon::lower

using namespace mlir;
using namespace tenon;

namespace {
struct ProgramPlanArenaPass
    : lower::impl::ProgramPlanArenaBase<ProgramPlanArenaPass> {
  void runOnOperation() override;
  void place(Block &block);
};
} // namespace

/// Places the buffers of an entry, or of the prepare function.
void ProgramPlanArenaPass::place(Block &block) {
  SmallVector<lower::ArenaInterval> intervals;
  SmallVector<program::ArenaOp> buffers;
  // Places that are there were checked, or chosen by hand.
  if (llvm::all_of(block.getOps<program::ArenaOp>(),
                   [](program::ArenaOp arena) { return arena.getOffset(); }))
    return;
  for (program::ArenaOp arena : block.getOps<program::ArenaOp>()) {
    std::optional<int64_t> bytes =
        program::countBytes(program::getTensorType(arena)).getConstant();
    if (!bytes)
      return;
    intervals.push_back({*bytes, static_cast<unsigned>(arena.getFirst()),
                         static_cast<unsigned>(arena.getLast())});
    buffers.push_back(arena);
  }
  lower::ArenaPlan plan = lower::planArena(intervals);
  for (auto [arena, offset] : llvm::zip_equal(buffers, plan.offsets)) {
    LDBG() << "the buffer of steps " << arena.getFirst() << " to "
           << arena.getLast() << " is at byte " << offset;
    arena.setOffset(offset);
    ++numPlaced;
  }
}

void ProgramPlanArenaPass::runOnOperation() {
  getOperation()->walk([&](Operation *op) {
    if (isa<program::PrepareOp, program::EntryOp, program::RankOp>(op))
      place(op->getRegion(0).front());
  });
}
