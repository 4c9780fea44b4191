//===- Outline.cpp - outlining of ops into a kernel.call ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outline.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;

SmallVector<Value> place::collectInputs(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 8> members(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          !producer || !members.contains(producer))
        inputs.insert(operand);
  return inputs.takeVector();
}

SmallVector<Value> place::collectOutputs(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 8> members(ops.begin(), ops.end());
  SmallVector<Value> outputs;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.push_back(result);
  return outputs;
}

kernel::CallOp place::createCall(ArrayRef<Operation *> ops, StringRef backend,
                                 StringRef pattern) {
  SmallVector<Value> inputs = collectInputs(ops);
  SmallVector<Value> outputs = collectOutputs(ops);
  OpBuilder builder(ops.back());
  SmallVector<Location> locations;
  for (Operation *op : ops)
    if (!op->hasTrait<OpTrait::ConstantLike>())
      locations.push_back(op->getLoc());
  Location loc = builder.getFusedLoc(locations);
  auto call = kernel::CallOp::create(
      builder, loc, ValueRange(outputs).getTypes(), backend, pattern, inputs);
  Block *body = builder.createBlock(&call.getBody());
  IRMapping map;
  for (Value input : inputs)
    map.map(input, body->addArgument(input.getType(), input.getLoc()));
  builder.setInsertionPointToEnd(body);
  for (Operation *op : ops)
    builder.clone(*op, map);
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(map.lookup(output));
  kernel::YieldOp::create(builder, loc, yielded);
  return call;
}

kernel::CallOp place::outline(ArrayRef<Operation *> ops, StringRef backend,
                              StringRef pattern) {
  SmallVector<Value> outputs = collectOutputs(ops);
  kernel::CallOp call = createCall(ops, backend, pattern);
  for (auto [output, result] : llvm::zip(outputs, call.getOutputs()))
    output.replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return call;
}
