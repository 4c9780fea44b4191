//===- InterfaceEdits.cpp - other entries and states --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EditDraw.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

static graph::StateOp drawState(EditDraw &draw) {
  auto states = llvm::to_vector(draw.module.getOps<graph::StateOp>());
  return states.empty() ? graph::StateOp() : draw.pick(states);
}

static bool changeInitialValue(EditDraw &draw) {
  graph::StateOp state = drawState(draw), other = drawState(draw);
  if (!state || state.getTransient())
    return false;
  if (draw.isHeads()) {
    state.setParameterAttr(other.getParameterAttr());
    return true;
  }
  Builder builder(state.getContext());
  RankedTensorType type = state.getTensorType();
  Attribute one = isa<FloatType>(type.getElementType())
                      ? Attribute(builder.getF64FloatAttr(1))
                      : Attribute(builder.getI64IntegerAttr(1));
  state.removeParameterAttr();
  state.setValueAttr(DenseElementsAttr::get(type, one));
  return true;
}

static bool changeTransient(EditDraw &draw) {
  graph::StateOp state = drawState(draw);
  if (!state)
    return false;
  state.setTransient(!state.getTransient());
  if (state.getTransient())
    state.removeParameterAttr();
  return true;
}

/// An input or output of callers.
static Operation *drawCallers(EditDraw &draw, program::RanksOp ranks) {
  EditDraw::Steps found;
  for (Operation &op : ranks.getBody().front())
    if (isa<program::InputOp, program::OutputOp>(op))
      found.push_back(&op);
  return draw.pick(found);
}

static bool rename(EditDraw &draw) {
  program::RanksOp ranks = draw.drawRanks();
  Operation *op = drawCallers(draw, ranks), *other = drawCallers(draw, ranks);
  Attribute name = op->getAttr("name");
  if (op == other) {
    op->setAttr("name", StringAttr::get(op->getContext(), "z"));
    return true;
  }
  op->setAttr("name", other->getAttr("name"));
  other->setAttr("name", name);
  return true;
}

static bool reorderCallers(EditDraw &draw) {
  program::RanksOp ranks = draw.drawRanks();
  Operation *op = drawCallers(draw, ranks), *other = drawCallers(draw, ranks);
  if (op == other)
    return false;
  op->moveBefore(other);
  return true;
}

static bool doubleCallers(EditDraw &draw) {
  Operation *op = drawCallers(draw, draw.drawRanks());
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op);
  copy->setAttr("name", builder.getStringAttr("more"));
  return true;
}

static bool deleteInput(EditDraw &draw) {
  Operation *op = drawCallers(draw, draw.drawRanks());
  if (!op->use_empty())
    return false;
  op->erase();
  return true;
}

/// Callers run another entry by the name.
static bool renameEntry(EditDraw &draw) {
  program::RanksOp ranks = draw.drawRanks(), other = draw.drawRanks();
  if (ranks == other)
    return false;
  StringAttr name = ranks.getSymNameAttr();
  ranks.setSymNameAttr(other.getSymNameAttr());
  other.setSymNameAttr(name);
  return true;
}

static bool deleteEntry(EditDraw &draw) {
  if (llvm::hasSingleElement(draw.module.getOps<program::RanksOp>()))
    return false;
  draw.drawRanks().erase();
  return true;
}

static constexpr Edit edits[] = {
    {"another initial value", changeInitialValue},
    {"another state is transient", changeTransient},
    {"another name of an input or output", rename},
    {"another order of inputs and outputs", reorderCallers},
    {"double an input or output", doubleCallers},
    {"delete an input", deleteInput},
    {"swap the names of entries", renameEntry},
    {"delete an entry", deleteEntry},
};

ArrayRef<Edit> tenon::ranks::getInterfaceEdits() { return edits; }
