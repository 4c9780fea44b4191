//===- CollectiveOps.cpp - what ranks compute together --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Compose.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tenon::graph;

LogicalResult AllReduceOp::verify() {
  llvm::SmallPtrSet<Attribute, 4> seen;
  if (getAxes().empty())
    return emitOpError("expected an axis to sum over");
  for (auto axis : getAxes().getAsRange<StringAttr>())
    if (axis.empty() || !seen.insert(axis).second)
      return emitOpError("expected distinct axes with names");
  return success();
}

ArrayAttr AllReduceOp::getMeshAxes() { return getAxes(); }

SmallVector<Value> AllReduceOp::decomposeOverRanks(OpBuilder &builder,
                                                   ValueRange stacked,
                                                   ArrayRef<StringAttr> mesh) {
  SmallVector<int64_t> summed;
  for (auto [number, axis] : llvm::enumerate(mesh))
    if (llvm::is_contained(getAxes(), Attribute(axis)))
      summed.push_back(static_cast<int64_t>(number));
  Compose compose(builder, getLoc());
  Value sum = compose.reduceKeep<ReduceSumOp>(stacked.front(), summed);
  return {compose.broadcastLike(sum, stacked.front())};
}
