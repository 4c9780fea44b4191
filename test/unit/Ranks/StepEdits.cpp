//===- StepEdits.cpp - steps in another order, deleted or doubled ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EditDraw.h"
#include "RankChannels.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static bool moveStep(EditDraw &draw) {
  Operation *step = draw.drawStep<>();
  if (!step)
    return false;
  draw.moveAnywhere(step);
  return true;
}

static bool moveByOne(EditDraw &draw) {
  Operation *step = draw.drawStep<>();
  if (!step || !step->getNextNode())
    return false;
  step->moveAfter(step->getNextNode());
  return true;
}

static bool swapSteps(EditDraw &draw) {
  Operation *step = draw.drawStep<>();
  if (!step)
    return false;
  Block &block = *step->getBlock();
  Operation *other = &draw.pick(block);
  if (other == step)
    return false;
  Operation *next = step->getNextNode();
  if (next == other) {
    step->moveAfter(other);
    return true;
  }
  step->moveBefore(other);
  other->moveBefore(&block, next ? next->getIterator() : block.end());
  return true;
}

static bool waitLast(EditDraw &draw) {
  Operation *wait = draw.drawStep<program::WaitOp>();
  if (!wait)
    return false;
  wait->moveBefore(wait->getBlock(), wait->getBlock()->end());
  return true;
}

/// A wait is deleted, and another one of the rank takes its tokens.
static bool mergeWaits(EditDraw &draw) {
  auto wait = draw.draw<program::WaitOp>();
  if (!wait)
    return false;
  auto waits = llvm::to_vector(wait->getBlock()->getOps<program::WaitOp>());
  program::WaitOp other = draw.pick(waits);
  if (other == wait)
    return false;
  other.getTokensMutable().append(wait.getTokens());
  wait.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Deleted steps
//===----------------------------------------------------------------------===//

static bool deleteStep(EditDraw &draw) {
  Operation *step =
      draw.drawStep<program::TaskOp, program::CopyOp, program::AddOp>();
  if (step)
    step->erase();
  return step;
}

static bool deleteMessage(EditDraw &draw) {
  Operation *step = draw.drawStep<program::SendOp, program::ReceiveOp>();
  if (!step)
    return false;
  for (Operation *end : getMeeting(step))
    eraseTransfer(end);
  return true;
}

static bool deleteEnd(EditDraw &draw) {
  Operation *step = draw.drawStep<program::SendOp, program::ReceiveOp>();
  if (step)
    eraseTransfer(step);
  return step;
}

//===----------------------------------------------------------------------===//
// Doubled steps
//===----------------------------------------------------------------------===//

static bool doubleStep(EditDraw &draw) {
  Operation *step =
      draw.drawStep<program::TaskOp, program::CopyOp, program::AddOp>();
  if (!step)
    return false;
  OpBuilder builder(step);
  Operation *copy = builder.clone(*step);
  if (draw.isHeads())
    draw.moveAnywhere(copy);
  return true;
}

/// Begins a message again, at once or after its wait.
static void doubleTransfer(Operation *step, bool isLater) {
  OpBuilder builder(step->getContext());
  program::WaitOp wait = getWait(step);
  builder.setInsertionPointAfter(isLater ? wait : step);
  Operation *copy = builder.clone(*step);
  if (isLater)
    program::WaitOp::create(builder, step->getLoc(), copy->getResults());
  else
    wait.getTokensMutable().append(copy->getResults());
}

static bool doubleMessage(EditDraw &draw) {
  Operation *step = draw.drawStep<program::SendOp, program::ReceiveOp>();
  if (!step)
    return false;
  bool isLater = draw.isHeads();
  for (Operation *end : getMeeting(step))
    doubleTransfer(end, isLater);
  return true;
}

static bool doubleEnd(EditDraw &draw) {
  Operation *step = draw.drawStep<program::SendOp, program::ReceiveOp>();
  if (step)
    doubleTransfer(step, draw.isHeads());
  return step;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static bool deleteBarriers(EditDraw &draw) {
  program::RanksOp ranks = draw.drawRanks();
  bool hasAny = false;
  for (program::RankOp rank : ranks.getRanks())
    for (auto barrier : llvm::make_early_inc_range(
             rank.getRun().getBody().getOps<program::BarrierOp>())) {
      barrier.erase();
      hasAny = true;
    }
  return hasAny;
}

/// In all ranks, so that they have as many.
static bool addBarriers(EditDraw &draw) {
  size_t place = draw.below(3);
  for (program::RankOp rank : draw.drawRanks().getRanks()) {
    Block &block = rank.getRun().getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    auto barrier = program::BarrierOp::create(builder, rank.getLoc());
    if (place == 1)
      barrier->moveBefore(&block, block.end());
    else if (place == 2)
      draw.moveAnywhere(barrier);
  }
  return true;
}

static bool moveBarriers(EditDraw &draw) {
  bool isFirst = draw.isHeads(), hasAny = false;
  for (program::RankOp rank : draw.drawRanks().getRanks()) {
    Block &block = rank.getRun().getBody().front();
    for (auto barrier :
         llvm::make_early_inc_range(block.getOps<program::BarrierOp>())) {
      hasAny = true;
      if (isFirst)
        barrier->moveBefore(&block, block.begin());
      else
        draw.moveAnywhere(barrier);
    }
  }
  return hasAny;
}

static constexpr Edit edits[] = {
    {"move a step", moveStep},
    {"move a step by one", moveByOne},
    {"swap two steps", swapSteps},
    {"wait last", waitLast},
    {"merge two waits", mergeWaits},
    {"delete a step", deleteStep},
    {"delete a message", deleteMessage},
    {"delete an end of a message", deleteEnd},
    {"double a step", doubleStep},
    {"double a message", doubleMessage},
    {"double an end of a message", doubleEnd},
    {"delete the barriers", deleteBarriers},
    // Steps that may fail are refused behind a barrier, even if no rank changes
    // a lasting state before the next one.
    {"add barriers", addBarriers, /*mayBeRefused=*/true},
    {"move the barriers", moveBarriers, /*mayBeRefused=*/true},
};

ArrayRef<Edit> tenon::ranks::getStepEdits() { return edits; }
