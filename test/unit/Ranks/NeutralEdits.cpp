//===- NeutralEdits.cpp - changes that change no result -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EditDraw.h"
#include "RankChannels.h"
#include "RankStorage.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/Builders.h"

#include <map>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// The buffers, tokens and states that a step uses; barriers use the null.
static std::set<void *> getUses(Operation *step) {
  std::set<void *> used;
  auto addState = [&](StringRef name) {
    auto module = step->getParentOfType<ModuleOp>();
    used.insert(module.lookupSymbol<graph::StateOp>(name).getOperation());
  };
  auto addAll = [&](auto self, Operation *op) -> void {
    for (Value operand : op->getOperands()) {
      if (!isa<program::TokenType>(operand.getType()))
        used.insert(getWhole(operand).getAsOpaquePointer());
      else
        self(self, operand.getDefiningOp());
    }
    for (Value result : op->getResults())
      used.insert(result.getAsOpaquePointer());
    if (auto sum = dyn_cast<program::AllReduceOp>(op))
      for (StringRef name : sum.getStates().getAsValueRange<StringAttr>())
        addState(name);
    if (auto task = dyn_cast<program::TaskOp>(op)) {
      auto module = step->getParentOfType<ModuleOp>();
      module.lookupSymbol<func::FuncOp>(task.getEntry())
          .walk([&](Operation *inner) {
            if (auto read = dyn_cast<graph::ReadStateOp>(inner))
              addState(read.getState());
            else if (auto write = dyn_cast<graph::WriteStateOp>(inner))
              addState(write.getState());
          });
    }
  };
  addAll(addAll, step);
  return used;
}

static bool shareNothing(Operation *one, Operation *other) {
  if (isa<program::BarrierOp>(one) || isa<program::BarrierOp>(other))
    return false;
  std::set<void *> used = getUses(one);
  return llvm::none_of(getUses(other),
                       [&](void *use) { return used.count(use) > 0; });
}

/// Moves a step past as many neighbours as share nothing with it. What others
/// wait for comes no later.
static bool moveApart(EditDraw &draw) {
  Operation *step = draw.drawStep<>();
  if (!step || isa<program::BarrierOp>(step))
    return false;
  bool isForward =
      isa<program::WaitOp>(step) || (!isTransfer(step) && draw.isHeads());
  size_t steps = 1 + draw.below(6);
  bool moves = false;
  while (steps-- > 0) {
    Operation *other = isForward ? step->getNextNode() : step->getPrevNode();
    bool areOrdered =
        !other || !shareNothing(step, other) ||
        (isTransfer(step) && isTransfer(other)) ||
        (isForward ? isTransfer(other) && !isa<program::WaitOp>(step)
                   : isa<program::WaitOp>(other) && !isTransfer(step));
    if (areOrdered)
      break;
    if (isForward)
      step->moveAfter(other);
    else
      step->moveBefore(other);
    moves = true;
  }
  return moves;
}

/// As late as its buffers or states allow.
static bool waitLater(EditDraw &draw) {
  Operation *wait = draw.drawStep<program::WaitOp>();
  bool moves = false;
  while (wait && wait->getNextNode() &&
         shareNothing(wait, wait->getNextNode())) {
    wait->moveAfter(wait->getNextNode());
    moves = true;
  }
  return moves;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Tags that differ get others that differ; sums keep two each.
static bool renameTags(EditDraw &draw) {
  auto ranks = draw.drawRanks();
  std::map<int64_t, int64_t> names;
  Builder builder(ranks.getContext());
  uint64_t salt = draw.below(1000);
  ranks->walk([&](Operation *step) {
    auto tag = step->getAttrOfType<IntegerAttr>("tag");
    if (!tag)
      return;
    auto [name, isNew] = names.try_emplace(
        tag.getInt(), 2 * static_cast<int64_t>(names.size() ^ (salt % 8)));
    step->setAttr("tag", builder.getI64IntegerAttr(name->second));
  });
  return !names.empty();
}

static bool spreadGroups(EditDraw &draw) {
  auto ranks = draw.drawRanks();
  bool hasAny = false;
  auto by = static_cast<int64_t>(2 + draw.below(3));
  ranks->walk([&](Operation *step) {
    auto group = step->getAttrOfType<IntegerAttr>("group");
    if (!group)
      return;
    hasAny = true;
    step->setAttr(
        "group",
        Builder(step->getContext()).getI64IntegerAttr(by * group.getInt() + 1));
  });
  return hasAny;
}

/// What is only said of tasks.
static bool describeTask(EditDraw &draw) {
  auto task = draw.draw<program::TaskOp>();
  if (!task)
    return false;
  switch (draw.below(4)) {
  case 0:
    task.setKind("something");
    return true;
  case 1:
    task.setSamples(ArrayRef<int64_t>{0, 1});
    return true;
  case 2:
    task.setStage(7);
    return true;
  default:
    task.setSeconds(APFloat(3.0));
    return true;
  }
}

static bool stateFactor(EditDraw &draw) {
  auto add = draw.draw<program::AddOp>();
  if (!add || add.getFactor())
    return false;
  add.setFactor(APFloat(1.0));
  return true;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static Value addArena(Operation *step, RankedTensorType type) {
  auto run = step->getParentOfType<program::RunOp>();
  OpBuilder builder(run);
  return program::ArenaOp::create(builder, step->getLoc(),
                                  program::BufferType::get(step->getContext()),
                                  type, 0, 0, IntegerAttr(), StringAttr());
}

static bool addUnusedBuffer(EditDraw &draw) {
  Operation *step = draw.drawStep<program::TaskOp>();
  if (!step || step->getNumOperands() == 0)
    return false;
  addArena(step, program::getTensorType(step->getOperand(0)));
  return true;
}

/// A task reads a copy of what it read.
static bool copyInput(EditDraw &draw) {
  auto task = draw.draw<program::TaskOp>();
  if (!task || task.getInputs().empty())
    return false;
  OpOperand &input = task->getOpOperand(draw.below(task.getInputs().size()));
  Value copy = addArena(task, program::getTensorType(input.get()));
  OpBuilder builder(task);
  program::CopyOp::create(builder, task.getLoc(), "again", input.get(), copy);
  input.set(copy);
  draw.placeBuffers();
  return true;
}

/// A task reads the whole of a buffer as a part of it.
static bool readPart(EditDraw &draw) {
  auto task = draw.draw<program::TaskOp>();
  if (!task || task.getInputs().empty())
    return false;
  OpOperand &input = task->getOpOperand(draw.below(task.getInputs().size()));
  RankedTensorType type = program::getTensorType(input.get());
  if (input.get().getDefiningOp<program::PartOp>() || type.getRank() == 0)
    return false;
  OpBuilder builder(task->getParentOfType<program::RunOp>());
  input.set(program::PartOp::create(
      builder, task.getLoc(), program::BufferType::get(task.getContext()),
      input.get(), draw.below(type.getRank()), 0, type));
  return true;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// A sum of several states becomes two.
static bool splitSum(EditDraw &draw) {
  auto sum = draw.draw<program::AllReduceOp>();
  if (!sum || sum.getStates().size() < 2)
    return false;
  int64_t last = 0;
  draw.module->walk([&](Operation *step) {
    for (StringRef name : {"tag", "group"})
      if (auto number = step->getAttrOfType<IntegerAttr>(name))
        last = std::max(last, number.getInt());
  });
  size_t place = 1 + draw.below(sum.getStates().size() - 1);
  for (Operation *op : getMeeting(sum)) {
    auto its = cast<program::AllReduceOp>(op);
    auto states = its.getStates().getValue();
    OpBuilder builder(its.getContext());
    builder.setInsertionPointAfter(its);
    auto other = cast<program::AllReduceOp>(builder.clone(*its));
    other.setStatesAttr(builder.getArrayAttr(states.drop_front(place)));
    its.setStatesAttr(builder.getArrayAttr(states.take_front(place)));
    other.setTag(last + 2);
    other.setGroup(last + 2);
    getWait(its).getTokensMutable().append(other->getResults());
  }
  return true;
}

/// The states of a sum in another order, on all ranks.
static bool reorderStates(EditDraw &draw) {
  auto sum = draw.draw<program::AllReduceOp>();
  if (!sum || sum.getStates().size() < 2)
    return false;
  auto states = llvm::to_vector(sum.getStates().getValue());
  std::rotate(states.begin(), states.begin() + 1, states.end());
  for (Operation *op : getMeeting(sum))
    cast<program::AllReduceOp>(op).setStatesAttr(
        ArrayAttr::get(op->getContext(), states));
  return true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

template <typename Op> static bool commute(EditDraw &draw) {
  std::vector<Op> found;
  draw.module->walk([&](Op op) {
    if (op->template getParentOfType<func::FuncOp>())
      found.push_back(op);
  });
  if (found.empty())
    return false;
  Op op = draw.pick(found);
  Value first = op->getOperand(0);
  op->setOperand(0, op->getOperand(1));
  op->setOperand(1, first);
  return true;
}

/// Inserts an op again, and perhaps uses it.
static bool computeAgain(EditDraw &draw) {
  func::FuncOp function = draw.drawFunction();
  if (!function)
    return false;
  Operation *op = &draw.pick(function.getBody().front());
  if (op->getNumResults() != 1 || isa<graph::ReadStateOp>(op))
    return false;
  OpBuilder builder(op);
  Operation *copy = builder.clone(*op);
  if (draw.isHeads() && !op->use_empty())
    op->getUses().begin()->set(copy->getResult(0));
  return true;
}

/// Adds an op whose result is not used.
static bool addDeadOp(EditDraw &draw) {
  func::FuncOp function = draw.drawFunction();
  if (!function)
    return false;
  Operation *op = &draw.pick(function.getBody().front());
  if (op->getNumResults() != 1)
    return false;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value value = op->getResult(0);
  graph::MulOp::create(builder, op->getLoc(), value, value);
  return true;
}

static bool moveOp(EditDraw &draw) {
  func::FuncOp function = draw.drawFunction();
  if (!function)
    return false;
  Operation *op = &draw.pick(function.getBody().front());
  if (op->getNumResults() != 1 || isa<graph::ReadStateOp>(op))
    return false;
  draw.moveAnywhere(op);
  return true;
}

static constexpr Edit edits[] = {
    {"move a step past others", moveApart},
    {"wait later", waitLater},
    {"rename tags", renameTags},
    {"spread groups", spreadGroups},
    {"describe a task", describeTask},
    {"state a factor", stateFactor},
    {"add an unused buffer", addUnusedBuffer},
    {"copy an input", copyInput},
    {"read the whole as a part", readPart},
    {"split a sum", splitSum},
    {"reorder states of a sum", reorderStates},
    {"commute an add", commute<graph::AddOp>},
    {"commute a mul", commute<graph::MulOp>},
    {"compute an op again", computeAgain},
    {"add a dead op", addDeadOp},
    {"move an op", moveOp},
};

ArrayRef<Edit> tenon::ranks::getNeutralEdits() { return edits; }
