//===- BufferEdits.cpp - other buffers, parts and lives -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EditDraw.h"
#include "RankStorage.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// An operand of a task, a copy or an addition.
static bool changeOperand(EditDraw &draw) {
  Operation *step =
      draw.drawStep<program::TaskOp, program::CopyOp, program::AddOp>();
  if (!step || step->getNumOperands() == 0)
    return false;
  OpOperand &operand = step->getOpOperand(draw.below(step->getNumOperands()));
  Value buffer = draw.drawBuffer(step, program::getTensorType(operand.get()),
                                 operand.get());
  if (buffer)
    operand.set(buffer);
  return static_cast<bool>(buffer);
}

static bool swapOperands(EditDraw &draw) {
  Operation *step = draw.drawStep<program::TaskOp>();
  if (!step || step->getNumOperands() < 2)
    return false;
  OpOperand &one = step->getOpOperand(draw.below(step->getNumOperands()));
  OpOperand &other = step->getOpOperand(draw.below(step->getNumOperands()));
  Value value = one.get();
  one.set(other.get());
  other.set(value);
  return one.get() != value;
}

/// Two steps of a rank swap buffers of one type.
static bool swapBuffers(EditDraw &draw) {
  Operation *step = draw.drawStep<>();
  if (!step || step->getNumOperands() == 0)
    return false;
  Operation *other = &draw.pick(*step->getBlock());
  if (other->getNumOperands() == 0)
    return false;
  OpOperand &one = step->getOpOperand(draw.below(step->getNumOperands()));
  OpOperand &its = other->getOpOperand(draw.below(other->getNumOperands()));
  Value a = one.get(), b = its.get();
  if (a == b || !isa<program::BufferType>(a.getType()) ||
      !isa<program::BufferType>(b.getType()) ||
      program::getTensorType(a) != program::getTensorType(b))
    return false;
  one.set(b);
  its.set(a);
  return true;
}

/// One buffer of the arena takes over the uses of another.
static bool mergeBuffers(EditDraw &draw) {
  Operation *step = draw.drawStep<program::TaskOp, program::CopyOp,
                                  program::SendOp, program::ReceiveOp>();
  if (!step || step->getNumOperands() == 0)
    return false;
  Value buffer = getWhole(draw.pick(step->getOperands()));
  if (!buffer.getDefiningOp<program::ArenaOp>())
    return false;
  Value other = draw.drawBuffer(step, program::getTensorType(buffer), buffer);
  if (!other || !other.getDefiningOp<program::ArenaOp>())
    return false;
  other.getDefiningOp()->moveBefore(buffer.getDefiningOp());
  buffer.replaceAllUsesWith(other);
  return true;
}

static bool insertCopy(EditDraw &draw) {
  Operation *step = draw.drawStep<>();
  if (!step)
    return false;
  auto rank = step->getParentOfType<program::RankOp>();
  auto ranks = step->getParentOfType<program::RanksOp>();
  std::vector<Value> buffers;
  for (Block *block : {&ranks.getBody().front(), &rank.getBody().front()})
    for (Operation &op : *block)
      if (op.getNumResults() == 1)
        buffers.push_back(op.getResult(0));
  Value from = draw.pick(buffers);
  Value to = draw.drawBuffer(step, program::getTensorType(from), from);
  if (!to)
    return false;
  OpBuilder builder(step);
  program::CopyOp::create(builder, step->getLoc(), "random", from, to);
  return true;
}

//===----------------------------------------------------------------------===//
// Parts and numbers
//===----------------------------------------------------------------------===//

static bool changePart(EditDraw &draw) {
  std::vector<program::PartOp> parts;
  draw.module->walk([&](program::PartOp part) { parts.push_back(part); });
  if (parts.empty())
    return false;
  program::PartOp part = draw.pick(parts);
  switch (draw.below(4)) {
  case 0:
    part.setBegin(part.getBegin() + 1);
    return true;
  case 1:
    part.setBegin(part.getBegin() - 1);
    return true;
  case 2:
    part.setBegin(draw.pick(parts).getBegin());
    return true;
  default:
    part.setAxis(1 - part.getAxis());
    return true;
  }
}

static bool changeSamples(EditDraw &draw) {
  auto add = draw.draw<program::AddOp>();
  if (!add)
    return false;
  SmallVector<int64_t> samples(add.getSamples());
  samples[draw.below(2)] += draw.isHeads() ? 1 : -1;
  add.setSamples(samples);
  return true;
}

static bool changeFactor(EditDraw &draw) {
  auto add = draw.draw<program::AddOp>();
  if (!add)
    return false;
  static constexpr double factors[] = {0, 0.25, 0.5, 2, -1};
  add.setFactor(draw.isHeads() ? std::nullopt
                               : std::optional(APFloat(draw.pick(factors))));
  return true;
}

//===----------------------------------------------------------------------===//
// Lives and places
//===----------------------------------------------------------------------===//

static program::ArenaOp drawArena(EditDraw &draw) {
  std::vector<program::ArenaOp> arenas;
  draw.module->walk([&](program::ArenaOp arena) { arenas.push_back(arena); });
  return arenas.empty() ? program::ArenaOp() : draw.pick(arenas);
}

static bool changeLife(EditDraw &draw) {
  program::ArenaOp arena = drawArena(draw);
  if (!arena)
    return false;
  int64_t by = (draw.isHeads() ? 1 : -1) * int64_t(1 + draw.below(3));
  if (draw.isHeads())
    arena.setFirst(arena.getFirst() + by);
  else
    arena.setLast(arena.getLast() + by);
  return true;
}

static bool changePlace(EditDraw &draw) {
  program::ArenaOp arena = drawArena(draw), other = drawArena(draw);
  if (!arena || !other.getOffset())
    return false;
  arena.setOffset(draw.isHeads() ? *other.getOffset()
                                 : *other.getOffset() + 8 * draw.below(8));
  return true;
}

static bool forgetPlace(EditDraw &draw) {
  program::ArenaOp arena = drawArena(draw);
  if (arena)
    arena.removeOffsetAttr();
  return static_cast<bool>(arena);
}

static constexpr Edit edits[] = {
    {"another operand", changeOperand},
    {"swap two operands", swapOperands},
    {"swap buffers of two steps", swapBuffers},
    {"merge two buffers", mergeBuffers},
    {"insert a copy", insertCopy},
    {"another part", changePart},
    {"other samples of an addition", changeSamples},
    {"another factor of an addition", changeFactor},
    {"another life", changeLife},
    {"another place", changePlace},
    {"no place", forgetPlace},
};

ArrayRef<Edit> tenon::ranks::getBufferEdits() { return edits; }
