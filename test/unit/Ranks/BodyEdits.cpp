//===- BodyEdits.cpp - functions that compute something else ------------===//
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

/// An op of a function, no terminator.
static Operation *drawOp(EditDraw &draw) {
  func::FuncOp function = draw.drawFunction();
  if (!function)
    return nullptr;
  Operation *op = &draw.pick(function.getBody().front());
  return op->hasTrait<OpTrait::IsTerminator>() ? nullptr : op;
}

/// An op of a function that is one of these.
template <typename Op> static Op drawOp(EditDraw &draw) {
  std::vector<Op> found;
  draw.module->walk([&](Op op) {
    if (op->template getParentOfType<func::FuncOp>())
      found.push_back(op);
  });
  return found.empty() ? Op() : draw.pick(found);
}

static bool changeOp(EditDraw &draw) {
  Operation *op = drawOp(draw);
  if (!op || op->getNumResults() != 1 ||
      op->getDialect()->getNamespace() != "graph")
    return false;
  static constexpr StringRef unary[] = {"tanh", "sigmoid", "relu", "neg",
                                        "abs",  "sqrt",    "exp"};
  static constexpr StringRef binary[] = {"add", "sub",     "mul",
                                         "div", "maximum", "minimum"};
  StringRef old = op->getName().stripDialect(), name;
  if (llvm::is_contained(unary, old))
    name = draw.pick(unary);
  else if (llvm::is_contained(binary, old))
    name = draw.pick(binary);
  if (name.empty() || name == old)
    return false;
  OpBuilder builder(op);
  OperationState state(op->getLoc(), ("graph." + name).str(), op->getOperands(),
                       op->getResultTypes());
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
  return true;
}

/// Also of the terminator.
static bool changeOperand(EditDraw &draw) {
  func::FuncOp function = draw.drawFunction();
  if (!function)
    return false;
  Block &block = function.getBody().front();
  Operation *op = &draw.pick(block);
  if (op->getNumOperands() == 0)
    return false;
  OpOperand &operand = op->getOpOperand(draw.below(op->getNumOperands()));
  std::vector<Value> values(block.args_begin(), block.args_end());
  for (Operation &other : block) {
    if (&other == op)
      break;
    llvm::append_range(values, other.getResults());
  }
  llvm::erase_if(values, [&](Value value) {
    return value == operand.get() || value.getType() != operand.get().getType();
  });
  if (values.empty())
    return false;
  operand.set(draw.pick(values));
  return true;
}

static bool swapOperands(EditDraw &draw) {
  Operation *op = drawOp(draw);
  if (!op || op->getNumOperands() != 2 || isa<graph::AddOp, graph::MulOp>(op))
    return false;
  Value first = op->getOperand(0);
  op->setOperand(0, op->getOperand(1));
  op->setOperand(1, first);
  return op->getOperand(0) != first;
}

static bool changeConstant(EditDraw &draw) {
  auto op = drawOp<graph::ConstantOp>(draw);
  auto value =
      op ? dyn_cast<DenseElementsAttr>(op.getValue()) : DenseElementsAttr();
  if (!value || !value.isSplat())
    return false;
  Type type = value.getElementType();
  Builder builder(op.getContext());
  if (auto number = dyn_cast<FloatType>(type)) {
    double old = value.getSplatValue<APFloat>().convertToDouble();
    const double changed[] = {old * 2, -old, 0, 1, old + 1, old * (1 + 1e-6)};
    op.setValueAttr(DenseElementsAttr::get(
        value.getType(),
        Attribute(builder.getFloatAttr(number, draw.pick(changed)))));
    return true;
  }
  int64_t old = value.getSplatValue<APInt>().getSExtValue();
  const int64_t changed[] = {old + 1, old - 1, -old, 0};
  op.setValueAttr(DenseElementsAttr::get(
      value.getType(),
      Attribute(builder.getIntegerAttr(type, draw.pick(changed)))));
  return true;
}

static bool changeAttribute(EditDraw &draw) {
  Operation *op = drawOp(draw);
  if (!op)
    return false;
  Builder builder(op->getContext());
  if (isa<graph::MatmulOp>(op)) {
    StringRef name = draw.isHeads() ? "transpose_a" : "transpose_b";
    if (op->getAttr(name))
      op->removeAttr(name);
    else
      op->setAttr(name, builder.getUnitAttr());
    return true;
  }
  if (op->getAttrs().empty())
    return false;
  NamedAttribute attribute = draw.pick(op->getAttrs());
  if (auto number = dyn_cast<IntegerAttr>(attribute.getValue())) {
    int64_t by = draw.isHeads() ? 1 : -1;
    op->setAttr(attribute.getName(),
                IntegerAttr::get(number.getType(), number.getInt() + by));
    return true;
  }
  if (isa<UnitAttr>(attribute.getValue())) {
    op->removeAttr(attribute.getName());
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static bool changeState(EditDraw &draw) {
  Operation *op = drawOp(draw);
  if (!op || !isa<graph::ReadStateOp, graph::WriteStateOp>(op))
    return false;
  auto states = llvm::to_vector(draw.module.getOps<graph::StateOp>());
  op->setAttr("state",
              FlatSymbolRefAttr::get(draw.pick(states).getSymNameAttr()));
  return true;
}

static bool deleteWrite(EditDraw &draw) {
  auto write = drawOp<graph::WriteStateOp>(draw);
  if (write)
    write.erase();
  return static_cast<bool>(write);
}

static bool doubleWrite(EditDraw &draw) {
  auto write = drawOp<graph::WriteStateOp>(draw);
  if (!write)
    return false;
  OpBuilder builder(write);
  draw.moveAnywhere(builder.clone(*write));
  return true;
}

static bool moveAccess(EditDraw &draw) {
  Operation *op = drawOp<graph::WriteStateOp>(draw);
  if (!op || draw.isHeads())
    op = drawOp<graph::ReadStateOp>(draw);
  if (!op)
    return false;
  draw.moveAnywhere(op);
  return true;
}

/// To the beginning of the function, with all that its value needs.
static bool hoistWrite(EditDraw &draw) {
  auto write = drawOp<graph::WriteStateOp>(draw);
  if (!write)
    return false;
  Block &block = *write->getBlock();
  llvm::DenseSet<Operation *> needed = {write};
  for (Operation &op : llvm::reverse(block))
    if (needed.contains(&op))
      for (Value operand : op.getOperands())
        if (Operation *source = operand.getDefiningOp())
          needed.insert(source);
  Operation *last = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!needed.contains(&op))
      continue;
    if (last)
      op.moveAfter(last);
    else
      op.moveBefore(&block, block.begin());
    last = &op;
  }
  return true;
}

static constexpr Edit edits[] = {
    {"another op", changeOp},
    {"another operand of an op", changeOperand},
    {"swap operands of an op", swapOperands},
    {"another constant", changeConstant},
    {"another attribute of an op", changeAttribute},
    {"access another state", changeState},
    {"delete a write", deleteWrite},
    {"double a write", doubleWrite},
    {"move an access", moveAccess},
    {"hoist a write", hoistWrite},
};

ArrayRef<Edit> tenon::ranks::getBodyEdits() { return edits; }
