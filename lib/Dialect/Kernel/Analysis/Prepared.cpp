//===- Prepared.cpp - values computed once, at load -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tenon;

/// Whether all results are static, including those of ops inside a kernel:
/// sizes known only at run time prevent the whole kernel from running at load.
static bool hasStaticResults(Operation *op) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  if (!llvm::all_of(op->getResultTypes(), isStatic))
    return false;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (!llvm::all_of(inner.getResultTypes(), isStatic))
        return false;
  return true;
}

bool kernel::runsAtLoad(Operation *op) {
  // The search is depth first: usually an argument of the function is near and
  // ends it.
  SmallVector<Operation *> work = {op};
  llvm::SmallPtrSet<Operation *, 16> seen = {op};
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!hasStaticResults(next))
      return false;
    for (Value operand : next->getOperands()) {
      Operation *producer = operand ? operand.getDefiningOp() : nullptr;
      if (!producer)
        return false;
      if (seen.insert(producer).second)
        work.push_back(producer);
    }
  }
  return true;
}

bool kernel::isPrepared(Value value) {
  return value && value.getDefiningOp() && runsAtLoad(value.getDefiningOp());
}

kernel::LoadAnalysis::LoadAnalysis(Block &block) {
  SmallVector<Operation *> work;
  for (Operation &op : block)
    if (!hasStaticResults(&op) ||
        !llvm::all_of(op.getOperands(), [](Value operand) {
          return operand && operand.getDefiningOp();
        }))
      work.push_back(&op);
  inRuns.insert(work.begin(), work.end());
  while (!work.empty())
    for (Operation *user : work.pop_back_val()->getUsers())
      if (user->getBlock() == &block && inRuns.insert(user).second)
        work.push_back(user);
}
