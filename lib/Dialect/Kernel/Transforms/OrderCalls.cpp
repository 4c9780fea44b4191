//===- OrderCalls.cpp - moves calls to where lives are short --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls stand where their last op was: a sum of gradients at the end of the
// function, which until then keeps what it adds up. A call moves up if what
// ends to live there is larger than what begins to, so that no step has more
// live bytes than before.
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::kernel {
#define GEN_PASS_DEF_KERNELORDERCALLS
#include "tenon/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace tenon::kernel

using namespace mlir;
using namespace tenon;

/// Calls that one pass has moved may let others move.
static constexpr unsigned kPasses = 2;

namespace {
struct KernelOrderCallsPass
    : kernel::impl::KernelOrderCallsBase<KernelOrderCallsPass> {
  void runOnOperation() override;

private:
  void findOverwritten();
  void findUses(Block &block);
  bool moveUp(kernel::CallOp call);

  /// By the value that has the memory: the ops that read it or views of it.
  /// Those that are returned have memory of the caller.
  llvm::DenseMap<Value, llvm::SetVector<Operation *>> readers;
  llvm::DenseSet<Value> returned;
  /// The argument whose memory a returned value takes: that of a state, or an
  /// input that the caller gives away.
  llvm::DenseMap<Value, BlockArgument> overwritten;
};
} // namespace

static double countBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return graph::estimateElements(graph::getShape(type)) *
         ((type.getElementTypeBitWidth() + 7) / 8);
}

void KernelOrderCallsPass::findOverwritten() {
  func::FuncOp function = getOperation();
  Operation *last = function.getBody().front().getTerminator();
  int64_t numOutputs = 0;
  for (OpOperand &result : last->getOpOperands()) {
    FlatSymbolRefAttr state =
        graph::getResultState(function, result.getOperandNumber());
    for (BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      auto donated =
          function.getArgAttrOfType<IntegerAttr>(number, "graph.donate");
      if (state ? graph::getArgumentState(function, number) == state
                : donated && donated.getInt() == numOutputs)
        overwritten[graph::getStorage(result.get())] = argument;
    }
    numOutputs += !state;
  }
}

void KernelOrderCallsPass::findUses(Block &block) {
  readers.clear();
  returned.clear();
  for (Operation &op : block)
    for (Value operand : op.getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      Value storage = graph::getStorage(operand);
      if (op.hasTrait<OpTrait::IsTerminator>())
        returned.insert(storage);
      else if (!graph::isView(&op))
        readers[storage].insert(&op);
    }
}

/// Behind what it reads, and behind other readers of what ends with it, or of
/// what it overwrites: in front of these, it would need memory of its own.
bool KernelOrderCallsPass::moveUp(kernel::CallOp call) {
  Operation *after = nullptr;
  SmallVector<Operation *> constants;
  auto follow = [&](Operation *op) {
    if (!after || after->isBeforeInBlock(op))
      after = op;
  };
  double freed = 0, taken = 0;
  for (Value result : call.getResults()) {
    if (!returned.contains(result))
      taken += countBytes(result);
    if (BlockArgument argument = overwritten.lookup(result))
      for (Operation *reader : readers[argument])
        if (reader->isBeforeInBlock(call))
          follow(reader);
  }
  llvm::SmallDenseSet<Value> seen;
  for (Value operand : call->getOperands()) {
    Operation *op = operand.getDefiningOp();
    if (op && op->getNumOperands() == 0 && !isa<kernel::CallOp>(op))
      constants.push_back(op);
    else if (op)
      follow(op);
    Value storage = graph::getStorage(operand);
    if (!storage.getDefiningOp<kernel::CallOp>() ||
        returned.contains(storage) || !seen.insert(storage).second)
      continue;
    bool isLast = llvm::all_of(readers[storage], [&](Operation *reader) {
      return reader == call || reader->isBeforeInBlock(call);
    });
    if (!isLast)
      continue;
    freed += countBytes(storage);
    for (Operation *reader : readers[storage])
      if (reader != call)
        follow(reader);
  }
  // A call that takes nothing moves, too, so that others are the last to read.
  bool isWorse = taken > 0 && freed <= taken;
  if (!after || isWorse || after->getNextNode() == call)
    return false;
  call->moveAfter(after);
  for (Operation *op : constants)
    if (call->isBeforeInBlock(op))
      op->moveBefore(call);
  return true;
}

void KernelOrderCallsPass::runOnOperation() {
  if (!getOperation().getBody().hasOneBlock())
    return;
  Block &block = getOperation().getBody().front();
  findOverwritten();
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    findUses(block);
    for (kernel::CallOp call : llvm::to_vector(block.getOps<kernel::CallOp>()))
      numMoved += moveUp(call);
  }
}
