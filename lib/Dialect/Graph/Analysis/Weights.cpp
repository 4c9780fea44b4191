//===- Weights.cpp - what depends only on parameters and constants -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/Weights.h"

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tenon;

/// Returns whether the results are weights if all operands are.
static bool keepsWeights(Operation *op, graph::WeightCondition condition) {
  return isMemoryEffectFree(op) && (!condition || condition(op)) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return operand && operand.getDefiningOp();
         });
}

bool graph::givesWeights(Operation *op, WeightCondition condition) {
  // The search is depth first: usually an argument of the function is near and
  // ends it.
  SmallVector<Operation *> work = {op};
  llvm::SmallPtrSet<Operation *, 16> seen = {op};
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!keepsWeights(next, condition))
      return false;
    for (Value operand : next->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          seen.insert(producer).second)
        work.push_back(producer);
  }
  return true;
}

bool graph::isWeight(Value value, WeightCondition condition) {
  return value && value.getDefiningOp() &&
         givesWeights(value.getDefiningOp(), condition);
}

graph::WeightAnalysis::WeightAnalysis(Block &block, WeightCondition condition) {
  SmallVector<Operation *> work;
  for (Operation &op : block)
    if (!keepsWeights(&op, condition))
      work.push_back(&op);
  others.insert(work.begin(), work.end());
  while (!work.empty())
    for (Operation *user : work.pop_back_val()->getUsers())
      if (user->getBlock() == &block && others.insert(user).second)
        work.push_back(user);
}
