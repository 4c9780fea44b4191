//===- Cone.cpp - the ops that compute a value from others ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cone.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

/// The most elements of a constant that an equation states, unless they are all
/// equal. Integers may be indices, on whose values a rewrite depends.
static constexpr int64_t maxConstant = 4, maxIntegers = 64;

/// The most ops between a small constant and a value that counts as one.
static constexpr unsigned maxMoves = 8;

static bool isReadable(ConstantOp constant) {
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  return elements &&
         (elements.isSplat() ||
          elements.getNumElements() <=
              (isa<IntegerType>(elements.getElementType()) ? maxIntegers
                                                           : maxConstant));
}

bool prove::isInput(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    return !isReadable(constant);
  return !op || isa<ParameterOp>(op);
}

bool prove::isSmallConstant(Value value) {
  for (unsigned count = 0; count < maxMoves; ++count) {
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast_or_null<ConstantOp>(op))
      return isReadable(constant);
    if (!isa_and_nonnull<BroadcastOp, ReshapeOp, TransposeOp, SliceOp, TileOp>(
            op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

Cone prove::getCone(Value root, llvm::function_ref<bool(Value)> isLeaf,
                    size_t limit) {
  Cone cone;
  llvm::SetVector<Operation *> found;
  llvm::SmallVector<Operation *> work;
  auto visit = [&](Value value) {
    if (isInput(value) || (value != root && isLeaf(value)))
      return;
    Operation *op = value.getDefiningOp();
    if (found.insert(op))
      work.push_back(op);
  };
  visit(root);
  while (!work.empty() && found.size() <= limit) {
    Operation *op = work.pop_back_val();
    for (Value operand : op->getOperands())
      visit(operand);
  }
  cone.isTooLarge = found.size() > limit;
  cone.ops = found.takeVector();
  llvm::sort(cone.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::SetVector<Value> leaves;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp(); !op || !cone.contains(op))
      leaves.insert(value);
  };
  for (Operation *op : cone.ops)
    llvm::for_each(op->getOperands(), add);
  add(root);
  cone.leaves = leaves.takeVector();
  return cone;
}
