//===- MessageEdits.cpp - other messages and sums -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EditDraw.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/Builders.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

static int64_t getNumber(Operation *step, StringRef name) {
  return step->getAttrOfType<IntegerAttr>(name).getInt();
}

static void setNumber(Operation *step, StringRef name, int64_t value) {
  step->setAttr(name, Builder(step->getContext()).getI64IntegerAttr(value));
}

/// A number beside the old one, or one that another step has.
static bool changeNumber(EditDraw &draw, Operation *step, StringRef name) {
  if (!step)
    return false;
  int64_t old = getNumber(step, name), value = 0;
  if (draw.isHeads()) {
    value = old + (draw.isHeads() ? 1 : -1);
  } else {
    auto steps = draw.getSteps<program::SendOp, program::ReceiveOp,
                               program::AllReduceOp>();
    value = getNumber(draw.pick(steps), name);
  }
  setNumber(step, name, value);
  return value >= 0 && value != old;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static bool changePeer(EditDraw &draw) {
  Operation *step = draw.drawStep<program::SendOp, program::ReceiveOp>();
  if (!step)
    return false;
  auto ranks = step->getParentOfType<program::RanksOp>().getRanks();
  auto rank = static_cast<int64_t>(draw.below(ranks.size()));
  bool changes = rank != getNumber(step, "rank");
  setNumber(step, "rank", rank);
  return changes;
}

static bool changeTag(EditDraw &draw) {
  return changeNumber(
      draw, draw.drawStep<program::SendOp, program::ReceiveOp>(), "tag");
}

static bool changeGroup(EditDraw &draw) {
  return changeNumber(
      draw, draw.drawStep<program::SendOp, program::ReceiveOp>(), "group");
}

/// Both ends, so that they still meet.
static bool changeBoth(EditDraw &draw, StringRef name) {
  Operation *step = draw.drawStep<program::SendOp, program::ReceiveOp>();
  if (!step)
    return false;
  auto ends = getMeeting(step);
  if (!changeNumber(draw, step, name))
    return false;
  for (Operation *end : ends)
    setNumber(end, name, getNumber(step, name));
  return true;
}
static bool changeTags(EditDraw &draw) { return changeBoth(draw, "tag"); }
static bool changeGroups(EditDraw &draw) { return changeBoth(draw, "group"); }

/// Two messages or sums of one rank.
static bool swapNumbers(EditDraw &draw, StringRef name) {
  Operation *step = draw.drawStep<program::SendOp, program::ReceiveOp,
                                  program::AllReduceOp>();
  if (!step)
    return false;
  EditDraw::Steps others;
  for (Operation &other : *step->getBlock())
    if (other.hasAttr(name) && &other != step)
      others.push_back(&other);
  if (others.empty())
    return false;
  Operation *other = draw.pick(others);
  int64_t value = getNumber(step, name), its = getNumber(other, name);
  setNumber(step, name, its);
  setNumber(other, name, value);
  return value != its;
}
static bool swapTags(EditDraw &draw) { return swapNumbers(draw, "tag"); }
static bool swapGroups(EditDraw &draw) { return swapNumbers(draw, "group"); }

static bool changeMessageBuffer(EditDraw &draw) {
  Operation *step = draw.drawStep<program::SendOp, program::ReceiveOp>();
  if (!step)
    return false;
  Value old = step->getOperand(0);
  Value buffer = draw.drawBuffer(step, program::getTensorType(old), old);
  if (buffer)
    step->setOperand(0, buffer);
  return static_cast<bool>(buffer);
}

static constexpr Edit messageEdits[] = {
    {"another peer", changePeer},
    {"another tag", changeTag},
    {"another group", changeGroup},
    {"another tag of both ends", changeTags},
    {"another group of both ends", changeGroups},
    {"swap two tags", swapTags},
    {"swap two groups", swapGroups},
    {"another buffer of a message", changeMessageBuffer},
};

ArrayRef<Edit> tenon::ranks::getMessageEdits() { return messageEdits; }

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// One, or all that meet it.
static EditDraw::Steps drawSums(EditDraw &draw) {
  Operation *step = draw.drawStep<program::AllReduceOp>();
  if (!step)
    return {};
  return draw.isHeads() ? EditDraw::Steps{step} : getMeeting(step);
}

static bool deleteSum(EditDraw &draw) {
  EditDraw::Steps sums = drawSums(draw);
  for (Operation *sum : sums)
    eraseTransfer(sum);
  return !sums.empty();
}

/// With the same tag and group, or with numbers that no other step has.
static bool doubleSum(EditDraw &draw) {
  EditDraw::Steps sums = drawSums(draw);
  int64_t last = 0;
  for (Operation *step : draw.getSteps<program::SendOp, program::ReceiveOp,
                                       program::AllReduceOp>())
    last = std::max({last, getNumber(step, "tag"), getNumber(step, "group")});
  bool isNew = draw.isHeads(), isLater = draw.isHeads();
  for (Operation *sum : sums) {
    OpBuilder builder(sum->getContext());
    program::WaitOp wait = getWait(sum);
    builder.setInsertionPointAfter(isLater ? wait : sum);
    Operation *copy = builder.clone(*sum);
    if (isNew) {
      setNumber(copy, "tag", last + 2);
      setNumber(copy, "group", last + 2);
    }
    if (isLater)
      program::WaitOp::create(builder, sum->getLoc(), copy->getResults());
    else
      wait.getTokensMutable().append(copy->getResults());
  }
  return !sums.empty();
}

static bool changeMean(EditDraw &draw) {
  EditDraw::Steps sums = drawSums(draw);
  for (Operation *sum : sums)
    cast<program::AllReduceOp>(sum).setMean(
        !cast<program::AllReduceOp>(sum).getMean());
  return !sums.empty();
}

/// A state is left out, added, or replaced, or two are swapped.
static bool changeStates(EditDraw &draw) {
  EditDraw::Steps sums = drawSums(draw);
  if (sums.empty())
    return false;
  auto first = cast<program::AllReduceOp>(sums.front());
  auto states = llvm::to_vector(first.getStates().getValue());
  auto all = llvm::to_vector(draw.module.getOps<graph::StateOp>());
  Attribute other = draw.pick(all).getSymNameAttr();
  size_t place = draw.below(states.size());
  switch (draw.below(4)) {
  case 0:
    states.erase(states.begin() + place);
    break;
  case 1:
    states.push_back(other);
    break;
  case 2:
    states[place] = other;
    break;
  case 3:
    std::swap(states[place], states[draw.below(states.size())]);
    break;
  }
  for (Operation *sum : sums)
    cast<program::AllReduceOp>(sum).setStatesAttr(
        ArrayAttr::get(sum->getContext(), states));
  return true;
}

static bool changeRanks(EditDraw &draw) {
  EditDraw::Steps sums = drawSums(draw);
  if (sums.empty())
    return false;
  auto first = cast<program::AllReduceOp>(sums.front());
  std::set<int64_t> ranks(first.getRanks().begin(), first.getRanks().end());
  auto count = first->getParentOfType<program::RanksOp>().getRanks().size();
  auto rank = static_cast<int64_t>(draw.below(count));
  if (!ranks.erase(rank))
    ranks.insert(rank);
  for (Operation *sum : sums)
    cast<program::AllReduceOp>(sum).setRanks(
        std::vector<int64_t>(ranks.begin(), ranks.end()));
  return true;
}

static bool changeSumNumber(EditDraw &draw, StringRef name) {
  EditDraw::Steps sums = drawSums(draw);
  if (sums.empty() || !changeNumber(draw, sums.front(), name))
    return false;
  for (Operation *sum : sums)
    setNumber(sum, name, getNumber(sums.front(), name));
  return true;
}
static bool changeSumTag(EditDraw &draw) {
  return changeSumNumber(draw, "tag");
}
static bool changeSumGroup(EditDraw &draw) {
  return changeSumNumber(draw, "group");
}

static constexpr Edit sumEdits[] = {
    {"delete a sum", deleteSum},
    {"double a sum", doubleSum},
    {"mean in place of a sum", changeMean},
    {"other states of a sum", changeStates},
    {"other ranks of a sum", changeRanks},
    {"another tag of a sum", changeSumTag},
    {"another group of a sum", changeSumGroup},
};

ArrayRef<Edit> tenon::ranks::getSumEdits() { return sumEdits; }
