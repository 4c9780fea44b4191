//===- ReverseMode.cpp - cotangents of a graph ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Differentiate/ReverseMode.h"
#include "tenon/Dialect/Graph/IR/Compose.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && graph::isFloat(type.getElementType());
}

llvm::DenseSet<Value> differentiate::findActiveValues(ArrayRef<Operation *> ops,
                                                      ArrayRef<Value> sources) {
  llvm::DenseSet<Value> active(sources.begin(), sources.end());
  for (Operation *op : ops)
    if (llvm::any_of(op->getOperands(),
                     [&](Value operand) { return active.contains(operand); }))
      for (Value result : op->getResults())
        if (isFloatTensor(result))
          active.insert(result);
  return active;
}

/// Adds `cotangent` to that of `value`.
static void accumulate(OpBuilder &builder, CotangentMap &cotangents,
                       Value value, Value cotangent) {
  Value &sum = cotangents[value];
  if (sum)
    cotangent =
        graph::AddOp::create(builder, cotangent.getLoc(), sum, cotangent);
  sum = cotangent;
}

LogicalResult differentiate::pullBack(OpBuilder &builder,
                                      ArrayRef<Operation *> ops,
                                      ArrayRef<Value> sources,
                                      CotangentMap &cotangents) {
  llvm::DenseSet<Value> active = findActiveValues(ops, sources);
  for (Operation *op : llvm::reverse(ops)) {
    SmallVector<Value> results;
    for (Value result : op->getResults())
      results.push_back(active.contains(result) ? cotangents.lookup(result)
                                                : Value());
    if (llvm::none_of(results, [](Value v) { return static_cast<bool>(v); }))
      continue;
    SmallVector<bool> wanted;
    for (Value operand : op->getOperands())
      wanted.push_back(active.contains(operand));
    FailureOr<SmallVector<Value>> operands =
        buildCotangents(builder, op, results, wanted);
    if (failed(operands))
      return failure();
    for (auto [operand, cotangent] : llvm::zip(op->getOperands(), *operands))
      if (cotangent)
        accumulate(builder, cotangents, operand, cotangent);
  }
  return success();
}
