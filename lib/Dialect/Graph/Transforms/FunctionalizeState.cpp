//===- FunctionalizeState.cpp - states as arguments and results -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-functionalize-state"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHFUNCTIONALIZESTATE
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

namespace {
/// How a function uses a state.
struct Use {
  StateOp state;
  bool isUsed = false, isWritten = false;
  /// The state's value at the current position of the walk over the function.
  Value value;
};

class GraphFunctionalizeStatePass
    : public tenon::graph::impl::GraphFunctionalizeStateBase<
          GraphFunctionalizeStatePass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(convert(function)))
        return signalPassFailure();
  }
  LogicalResult convert(func::FuncOp function);
};
} // namespace

/// Fails if the ops of `function` can't be replaced.
static LogicalResult checkForm(func::FuncOp function, Operation *access) {
  if (!function.getBody().hasOneBlock())
    return access->emitOpError("expected a function of one block, but got ")
           << function.getBody().getBlocks().size() << " blocks";
  if (countOwnArguments(function) != function.getNumArguments())
    return access->emitOpError("expected a function without arguments of "
                               "states, but got @")
           << function.getName();
  return success();
}

LogicalResult GraphFunctionalizeStatePass::convert(func::FuncOp function) {
  // Use the order of the declarations, so that all entries list states alike.
  llvm::MapVector<StringAttr, Use> uses;
  for (auto state : getOperation().getOps<StateOp>())
    uses[state.getSymNameAttr()].state = state;
  SmallVector<Operation *> accesses;
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      if (!isa<ReadStateOp, WriteStateOp>(op))
        continue;
      accesses.push_back(&op);
      auto read = dyn_cast<ReadStateOp>(op);
      auto write = dyn_cast<WriteStateOp>(op);
      Use &use =
          uses[(read ? read.getStateAttr() : write.getStateAttr()).getAttr()];
      use.isUsed = true;
      use.isWritten |= static_cast<bool>(write);
    }
  if (accesses.empty())
    return success();
  if (failed(checkForm(function, accesses.front())))
    return failure();

  Builder builder(&getContext());
  auto getAttributes = [&](StateOp state) {
    return builder.getDictionaryAttr(builder.getNamedAttr(
        "graph.state", FlatSymbolRefAttr::get(state.getSymNameAttr())));
  };
  for (auto &[name, use] : uses) {
    if (!use.isUsed)
      continue;
    unsigned number = function.getNumArguments();
    if (failed(function.insertArgument(number, use.state.getType(),
                                       getAttributes(use.state),
                                       use.state.getLoc())))
      return failure();
    use.value = function.getArgument(number);
  }
  for (Operation *op : accesses) {
    LDBG() << op->getName() << " at " << op->getLoc();
    if (auto read = dyn_cast<ReadStateOp>(op)) {
      read.getResult().replaceAllUsesWith(
          uses[read.getStateAttr().getAttr()].value);
      ++numReads;
    } else {
      auto write = cast<WriteStateOp>(op);
      uses[write.getStateAttr().getAttr()].value = write.getValue();
      ++numWrites;
    }
    op->erase();
  }
  Operation *end = function.getBody().front().getTerminator();
  unsigned number = countUncheckedResults(function);
  for (auto &[name, use] : uses) {
    if (!use.isWritten)
      continue;
    if (failed(function.insertResult(number, use.state.getType(),
                                     getAttributes(use.state))))
      return failure();
    end->insertOperands(number++, use.value);
  }
  return success();
}
