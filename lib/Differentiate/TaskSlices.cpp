//===- TaskSlices.cpp - which ops a task computes -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskSlices.h"

#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

TaskSlices::TaskSlices(func::FuncOp joint, ArrayRef<Operation *> forward)
    : block(&joint.front()), forwardOps(forward.begin(), forward.end()) {
  Block &body = *block;
  dynamic.insert(body.args_begin(), body.args_end());
  llvm::StringSet<> written;
  for (auto write : body.getOps<graph::WriteStateOp>())
    written.insert(write.getState());
  for (Operation &op : body) {
    auto read = dyn_cast<graph::ReadStateOp>(op);
    if ((read && written.contains(read.getState())) ||
        llvm::any_of(op.getOperands(),
                     [&](Value operand) { return dynamic.contains(operand); }))
      dynamic.insert(op.result_begin(), op.result_end());
  }
}

bool TaskSlices::isForward(Value value) const {
  return forwardOps.contains(value.getDefiningOp());
}

bool TaskSlices::isKept(Value value) const {
  Operation *op = value.getDefiningOp();
  return dynamic.contains(value) && !graph::isView(op) &&
         !isa<graph::BroadcastOp>(op);
}

TaskSlice TaskSlices::slice(ArrayRef<Value> roots,
                            llvm::function_ref<bool(Value)> isGiven) const {
  TaskSlice slice;
  llvm::DenseSet<Value> given;
  auto need = [&](Value value) {
    if (isa<BlockArgument>(value) || isGiven(value))
      given.insert(value);
    else
      slice.ops.insert(value.getDefiningOp());
  };
  llvm::for_each(roots, need);
  Block &body = *block;
  for (Operation &op : llvm::reverse(body))
    if (slice.ops.contains(&op))
      llvm::for_each(op.getOperands(), need);
  // In the order of the function.
  auto take = [&](Value value) {
    if (given.contains(value))
      slice.given.insert(value);
  };
  llvm::for_each(body.getArguments(), take);
  for (Operation &op : body)
    llvm::for_each(op.getResults(), take);
  return slice;
}

TaskSlice TaskSlices::getWhole(ArrayRef<Value> roots) const {
  return slice(roots, [](Value) { return false; });
}

TaskSlice TaskSlices::getBackward(ArrayRef<Value> roots, bool recompute,
                                  const TaskSlice *before) const {
  return slice(roots, [&](Value value) {
    if (!isKept(value))
      return false;
    bool wasComputed = before && before->ops.contains(value.getDefiningOp());
    return wasComputed || (isForward(value) && !recompute);
  });
}

func::FuncOp TaskSlices::build(OpBuilder &builder, StringRef name,
                               const TaskSlice &slice,
                               ArrayRef<NamedValue> results,
                               llvm::function_ref<std::string(Value)> getName,
                               IRMapping &mapping) const {
  Location loc = block->getParentOp()->getLoc();
  SmallVector<Type> inputs, outputs;
  for (Value value : slice.given)
    inputs.push_back(value.getType());
  for (const NamedValue &result : results)
    outputs.push_back(result.value.getType());
  auto function = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType(inputs, outputs));
  Block *body = function.addEntryBlock();
  for (auto [number, value] : llvm::enumerate(slice.given)) {
    function.setArgAttr(number, "graph.name",
                        builder.getStringAttr(getName(value)));
    mapping.map(value, body->getArgument(number));
  }
  builder.setInsertionPointToStart(body);
  for (Operation &op : *block)
    if (slice.ops.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> returned;
  for (auto [number, result] : llvm::enumerate(results)) {
    function.setResultAttr(number, "graph.name",
                           builder.getStringAttr(result.name));
    returned.push_back(mapping.lookup(result.value));
  }
  builder.setInsertionPoint(func::ReturnOp::create(builder, loc, returned));
  return function;
}
