//===- CompileControl.cpp - conversion of control flow to jumps -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes that diverge converge again at the point at which their paths join, if
// the code of both paths precedes it. Numbers are computed in all lanes, active
// or not. Only moves are restricted to the active lanes, so that the values
// that a lane took out of a loop or a branch do not change. Values that leave a
// loop in any other way, as is possible in loops of cf, are not emulated.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::emulate;

LogicalResult Compiler::compileIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  Slot condition = get(branch.getCondition()).front();
  checkDefined({condition});
  Slots results;
  Kinds kinds;
  for (Value result : branch.getResults()) {
    llvm::append_range(results, declare(result));
    llvm::append_range(kinds, *getKinds(result.getType()));
  }
  auto compileWay = [&](mlir::Region &region) -> LogicalResult {
    if (region.empty())
      return success();
    if (failed(compileOps(region.front())))
      return failure();
    Kinds same;
    Slots yielded = getAll(region.front().getTerminator()->getOperands(), same);
    emitMoves(kinds, results, yielded);
    return success();
  };
  Label otherwise = newLabel();
  emitBranchIfNot(condition.unit, otherwise);
  if (failed(compileWay(branch.getThenRegion())))
    return failure();
  if (branch.getElseRegion().empty()) {
    bind(otherwise);
    return success();
  }
  Label end = newLabel();
  emitJump(end);
  bind(otherwise);
  if (failed(compileWay(branch.getElseRegion())))
    return failure();
  bind(end);
  return success();
}

LogicalResult Compiler::compileFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  Kind kind = getKind(loop.getInductionVar().getType());
  Slot upper = get(loop.getUpperBound()).front();
  Slot step = get(loop.getStep()).front();
  Slot lower = get(loop.getLowerBound()).front();
  checkDefined({lower, upper, step});
  Kinds kinds;
  Slots initial = getAll(loop.getInitArgs(), kinds), carried;
  Slot index = newSlots({kind}).front();
  set(loop.getInductionVar(), {index});
  for (auto [argument, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults())) {
    Slots slots = declare(argument);
    set(result, slots);
    llvm::append_range(carried, slots);
  }
  emitMoves({kind}, {index}, {lower});
  emitMoves(kinds, carried, initial);
  Label head = newLabel(), end = newLabel();
  bind(head);
  uint32_t condition = newUnit(Kind::Bit);
  emit(findIntegerHandler(loop.getUnsignedCmp() ? "ult" : "slt", kind),
       condition, {index.unit, upper.unit});
  emitBranchIfNot(condition, end);
  if (failed(compileOps(*loop.getBody())))
    return failure();
  Kinds same;
  emitMoves(kinds, carried,
            getAll(loop.getBody()->getTerminator()->getOperands(), same));
  Slot next =
      emitFunction(findIntegerHandler("addi", kind), kind, {index, step});
  emitMoves({kind}, {index}, {next});
  emitJump(head);
  bind(end);
  return success();
}

LogicalResult Compiler::compileWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  Kinds beforeKinds, afterKinds;
  Slots initial = getAll(loop.getInits(), beforeKinds), before, after;
  for (BlockArgument argument : loop.getBeforeArguments())
    llvm::append_range(before, declare(argument));
  for (auto [argument, result] :
       llvm::zip_equal(loop.getAfterArguments(), loop.getResults())) {
    Slots slots = declare(argument);
    set(result, slots);
    llvm::append_range(after, slots);
    llvm::append_range(afterKinds, *getKinds(argument.getType()));
  }
  emitMoves(beforeKinds, before, initial);
  Label head = newLabel(), end = newLabel();
  bind(head);
  if (failed(compileOps(*loop.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = loop.getConditionOp();
  Slot again = get(condition.getCondition()).front();
  checkDefined({again});
  Kinds same;
  // The condition may be one of the values that the moves change.
  Slot kept = emitFunction(findMoveHandler(Kind::Bit), Kind::Bit, {again});
  emitMoves(afterKinds, after, getAll(condition.getArgs(), same));
  emitBranchIfNot(kept.unit, end);
  if (failed(compileOps(*loop.getAfterBody())))
    return failure();
  same.clear();
  emitMoves(beforeKinds, before, getAll(loop.getYieldOp().getOperands(), same));
  emitJump(head);
  bind(end);
  return success();
}

LogicalResult Compiler::compileIndexSwitch(Operation *op) {
  auto branch = cast<scf::IndexSwitchOp>(op);
  Slot argument = get(branch.getArg()).front();
  checkDefined({argument});
  Slots results;
  Kinds kinds;
  for (Value result : branch.getResults()) {
    llvm::append_range(results, declare(result));
    llvm::append_range(kinds, *getKinds(result.getType()));
  }
  Label end = newLabel();
  auto compileWay = [&](mlir::Region &region) -> LogicalResult {
    if (failed(compileOps(region.front())))
      return failure();
    Kinds same;
    emitMoves(kinds, results,
              getAll(region.front().getTerminator()->getOperands(), same));
    return success();
  };
  for (auto [value, region] :
       llvm::zip_equal(branch.getCases(), branch.getCaseRegions())) {
    Slot wanted = {newConstant(Kind::I64, static_cast<uint64_t>(value)),
                   noUnit};
    Slot equal = emitFunction(findIntegerHandler("eq", Kind::I64), Kind::Bit,
                              {argument, wanted});
    Label next = newLabel();
    emitBranchIfNot(equal.unit, next);
    if (failed(compileWay(region)))
      return failure();
    emitJump(end);
    bind(next);
  }
  if (failed(compileWay(branch.getDefaultRegion())))
    return failure();
  bind(end);
  return success();
}

LogicalResult Compiler::compileBlocks(mlir::Region &region) {
  llvm::ReversePostOrderTraversal<mlir::Region *> order(&region);
  for (mlir::Block *block : order) {
    blockLabels[block] = newLabel();
    if (block == &region.front())
      continue;
    for (BlockArgument argument : block->getArguments()) {
      if (!getKinds(argument.getType()))
        return fail(block->getParentOp(),
                    "the emulator does not know the type of a block argument");
      declare(argument);
    }
  }
  for (mlir::Block *block : order) {
    bind(blockLabels[block]);
    // From here on, a jump to this block is a backward jump.
    blockLabels.erase(block);
    if (failed(compileOps(*block)) ||
        failed(compileBranch(block->getTerminator())))
      return failure();
  }
  return success();
}

LogicalResult Compiler::compileBranch(Operation *op) {
  for (mlir::Block *successor : op->getSuccessors())
    if (!blockLabels.contains(successor))
      return fail(op, "loops of cf are not emulated: expected scf");
  auto go = [&](mlir::Block *target, ValueRange operands) {
    Kinds kinds, same;
    Slots sources = getAll(operands, kinds);
    Slots targets = getAll(target->getArguments(), same);
    emitMoves(kinds, targets, sources);
    emitJump(blockLabels[target]);
  };
  if (isa<gpu::ReturnOp>(op)) {
    emit(runReturn, 0, {});
    return success();
  }
  if (auto branch = dyn_cast<cf::BranchOp>(op)) {
    go(branch.getDest(), branch.getDestOperands());
    return success();
  }
  if (auto branch = dyn_cast<cf::CondBranchOp>(op)) {
    Slot condition = get(branch.getCondition()).front();
    checkDefined({condition});
    Label otherwise = newLabel();
    emitBranchIfNot(condition.unit, otherwise);
    go(branch.getTrueDest(), branch.getTrueDestOperands());
    bind(otherwise);
    go(branch.getFalseDest(), branch.getFalseDestOperands());
    return success();
  }
  return fail(op, "the emulator does not know the op '" +
                      op->getName().getStringRef() + "'");
}

std::optional<LogicalResult> Compiler::compileControl(Operation *op) {
  if (isa<scf::IfOp>(op))
    return compileIf(op);
  if (isa<scf::ForOp>(op))
    return compileFor(op);
  if (isa<scf::WhileOp>(op))
    return compileWhile(op);
  if (isa<scf::IndexSwitchOp>(op))
    return compileIndexSwitch(op);
  return std::nullopt;
}
