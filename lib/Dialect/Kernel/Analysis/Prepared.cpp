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
#include "llvm/ADT/STLExtras.h"

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
  return graph::givesWeights(op, hasStaticResults);
}

bool kernel::isPrepared(Value value) {
  return graph::isWeight(value, hasStaticResults);
}

kernel::LoadAnalysis::LoadAnalysis(Block &block)
    : weights(block, hasStaticResults) {}
