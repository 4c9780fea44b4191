//===- TaskEdits.cpp - tasks that become two, or call others ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EditDraw.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

static bool changeFunction(EditDraw &draw) {
  auto task = draw.draw<program::TaskOp>();
  if (!task)
    return false;
  auto old = draw.module.lookupSymbol<func::FuncOp>(task.getEntry());
  std::vector<func::FuncOp> found;
  for (auto function : draw.module.getOps<func::FuncOp>())
    if (function != old && function.getFunctionType() == old.getFunctionType())
      found.push_back(function);
  if (found.empty())
    return false;
  task.setEntry(draw.pick(found).getName());
  return true;
}

static bool swapFunctions(EditDraw &draw) {
  func::FuncOp function = draw.drawFunction(), other = draw.drawFunction();
  if (!function || function == other ||
      function.getFunctionType() != other.getFunctionType())
    return false;
  StringAttr name = function.getSymNameAttr();
  function.setSymNameAttr(other.getSymNameAttr());
  other.setSymNameAttr(name);
  return true;
}

/// A function calls another one that only changes states.
static bool insertCall(EditDraw &draw) {
  func::FuncOp function = draw.drawFunction(), callee = draw.drawFunction();
  if (!function || callee == function || callee.getNumArguments() > 0 ||
      callee.getNumResults() > 0)
    return false;
  OpBuilder builder(function.getContext());
  Block &block = function.getBody().front();
  builder.setInsertionPoint(draw.isHeads() ? &block.front()
                                           : block.getTerminator());
  func::CallOp::create(builder, function.getLoc(), callee);
  return true;
}

namespace {
/// What a function becomes if one of its values is computed by another one.
struct Split {
  func::FuncOp value, rest;
  /// The arguments of the function that `value` needs.
  SmallVector<unsigned> arguments;
};
} // namespace

static std::string getNewName(ModuleOp module, StringRef begin) {
  for (unsigned number = 0;; ++number) {
    std::string name = (begin + "." + Twine(number)).str();
    if (!module.lookupSymbol(name))
      return name;
  }
}

/// The function that returns what `root` does.
static func::FuncOp buildValue(ModuleOp module, func::FuncOp function,
                               Operation *root,
                               SmallVector<unsigned> &arguments) {
  llvm::SetVector<Value> needed;
  needed.insert(root->getResult(0));
  for (size_t i = 0; i < needed.size(); ++i)
    if (Operation *op = needed[i].getDefiningOp())
      needed.insert(op->operand_begin(), op->operand_end());
  SmallVector<Type> types;
  for (BlockArgument argument : function.getArguments())
    if (needed.contains(argument)) {
      arguments.push_back(argument.getArgNumber());
      types.push_back(argument.getType());
    }
  OpBuilder builder(function);
  auto made = func::FuncOp::create(
      builder, function.getLoc(),
      getNewName(module, (function.getName() + ".value").str()),
      builder.getFunctionType(types, root->getResult(0).getType()));
  Block *block = made.addEntryBlock();
  builder.setInsertionPointToStart(block);
  IRMapping mapping;
  for (auto [number, argument] : llvm::enumerate(arguments))
    mapping.map(function.getArgument(argument), block->getArgument(number));
  for (Operation &op : function.getBody().front())
    if (op.getNumResults() == 1 && needed.contains(op.getResult(0)))
      builder.clone(op, mapping);
  func::ReturnOp::create(builder, function.getLoc(),
                         mapping.lookup(root->getResult(0)));
  return made;
}

/// Nothing if the value that was drawn can't be passed on.
static std::optional<Split> split(EditDraw &draw, func::FuncOp function) {
  Operation *root = &draw.pick(function.getBody().front());
  if (root->getNumResults() != 1 || isa<func::CallOp>(root))
    return std::nullopt;
  Split made;
  made.value = buildValue(draw.module, function, root, made.arguments);
  IRMapping mapping;
  made.rest = function.clone(mapping);
  made.rest.setName(
      getNewName(draw.module, (function.getName() + ".rest").str()));
  draw.module.getBody()->getOperations().insert(function->getIterator(),
                                                made.rest);
  unsigned number = made.rest.getNumArguments();
  Type type = root->getResult(0).getType();
  if (failed(made.rest.insertArgument(number, type, {}, root->getLoc())))
    return std::nullopt;
  Value copy = mapping.lookup(root->getResult(0));
  copy.replaceAllUsesWith(made.rest.getArgument(number));
  copy.getDefiningOp()->erase();
  return made;
}

/// A task computes one value of another task, `mostBefore` steps or fewer
/// before it, or all that call the function do.
static bool splitTask(EditDraw &draw, unsigned mostBefore) {
  auto drawn = draw.draw<program::TaskOp>();
  if (!drawn)
    return false;
  auto function = draw.module.lookupSymbol<func::FuncOp>(drawn.getEntry());
  std::optional<Split> made = split(draw, function);
  if (!made)
    return false;
  bool isForAll = draw.isHeads();
  for (Operation *step : draw.getSteps<program::TaskOp>()) {
    auto task = cast<program::TaskOp>(step);
    if (task != drawn && (!isForAll || task.getEntry() != function.getName()))
      continue;
    OpBuilder builder(task->getParentOfType<program::RunOp>());
    auto type = cast<RankedTensorType>(made->value.getResultTypes().front());
    Value buffer = program::ArenaOp::create(
        builder, task.getLoc(), program::BufferType::get(task.getContext()),
        type, 0, 0, IntegerAttr(), StringAttr());
    SmallVector<Value> given;
    for (unsigned argument : made->arguments)
      given.push_back(task.getInputs()[argument]);
    Operation *next = task;
    for (uint64_t left = draw.below(mostBefore + 1);
         left > 0 && next->getPrevNode(); --left)
      next = next->getPrevNode();
    builder.setInsertionPoint(next);
    program::TaskOp::create(builder, task.getLoc(),
                            FlatSymbolRefAttr::get(made->value.getNameAttr()),
                            given, buffer, IntegerAttr(), StringAttr(),
                            DenseI64ArrayAttr(), FloatAttr());
    task.getInputsMutable().append(buffer);
    task.setEntry(made->rest.getName());
  }
  draw.placeBuffers();
  return true;
}

static bool splitTask(EditDraw &draw) { return splitTask(draw, 0); }
/// Sums may change before the value is used.
static bool splitTaskEarly(EditDraw &draw) { return splitTask(draw, 12); }

static constexpr Edit edits[] = {
    {"another function", changeFunction},
    {"swap two functions", swapFunctions},
    // A task with a call is refused, whatever it calls.
    {"insert a call", insertCall, /*mayBeRefused=*/true},
    {"split a task", splitTask},
    {"split a task", splitTask},
    {"split a task early", splitTaskEarly},
};

ArrayRef<Edit> tenon::ranks::getTaskEdits() { return edits; }
