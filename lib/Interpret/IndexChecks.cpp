//===- IndexChecks.cpp - range checks of indices --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexChecks.h"
#include "tenon/Artifact/IndexCheck.h"
#include "tenon/Dialect/Graph/IR/IndexUses.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interpret;

llvm::DenseSet<Operation *> tenon::interpret::findDeadOps(Block &block,
                                                          ValueRange wanted) {
  llvm::DenseSet<Operation *> dead;
  for (Operation &op : llvm::reverse(block)) {
    bool isLive =
        op.hasTrait<OpTrait::IsTerminator>() || isa<graph::WriteStateOp>(op) ||
        llvm::any_of(
            op.getResults(),
            [&](Value result) { return llvm::is_contained(wanted, result); }) ||
        llvm::any_of(op.getUsers(),
                     [&](Operation *user) { return !dead.contains(user); });
    if (!isLive)
      dead.insert(&op);
  }
  return dead;
}

LogicalResult tenon::interpret::checkIndices(Operation *op,
                                             ArrayRef<Tensor> operands) {
  for (const graph::IndexUse &use : graph::getIndexUses(op)) {
    unsigned number = 0;
    while (op->getOperand(number) != use.indices)
      ++number;
    const Tensor &indices = operands[number];
    artifact::IndexLimits limits;
    limits.shape.assign(indices.getShape().begin(), indices.getShape().end());
    limits.ignored = use.ignored;
    for (const graph::IndexRange &range : use.ranges)
      limits.bounds.push_back(
          {range.axis, *range.low.getConstant(), *range.end.getConstant()});
    for (int64_t i = 0, end = indices.getNumElements(); i < end; ++i)
      if (int64_t index = indices.data()[i].integer; !limits.admits(i, index))
        return emitError(op->getLoc())
               << graph::describeReader(op) << ": "
               << artifact::describe(limits, {i, index});
  }
  return success();
}
