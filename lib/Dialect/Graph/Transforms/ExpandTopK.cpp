//===- ExpandTopK.cpp - top_k by computing ranks --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-expand-top-k"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHEXPANDTOPK
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

/// `shape` with `axis` replaced by two axes of sizes `rows` and `columns`.
static Shape withPair(Shape shape, int64_t axis, SymInt rows, SymInt columns) {
  shape[axis] = rows;
  shape.insert(shape.begin() + axis + 1, columns);
  return shape;
}

/// Whether a comes before b in the order, ignoring ties: NaN is the largest
/// number.
static Value isBefore(Compose &c, Value a, Value b, bool smallest) {
  if (smallest)
    std::swap(a, b);
  Value before = c.op<LessOp>(b, a);
  if (!isFloat(getElementType(a)))
    return before;
  Value onlyA = c.op<AndOp>(c.op<IsNanOp>(a), c.op<NotOp>(c.op<IsNanOp>(b)));
  return c.op<OrOp>(before, onlyA);
}

static void expand(TopKOp op) {
  OpBuilder builder(op);
  Compose c(builder, op.getLoc());
  MLIRContext *context = op.getContext();
  Type i32 = builder.getI32Type();
  int64_t axis = op.getAxis();
  Value x = op.getX();
  Shape shape = getShape(x);
  SymInt n = shape[axis], k = op.getK().getEntry(0), one(1);
  DimsAttr inner = getInts(context, {axis + 1});

  // rank[i] is the number of elements j that come before element i.
  Shape pairs = withPair(shape, axis, n, n);
  DimsAttr pairDims = DimsAttr::get(context, pairs);
  Value atI = c.broadcast(c.reshape(x, withPair(shape, axis, n, one)), pairs);
  Value atJ = c.broadcast(c.reshape(x, withPair(shape, axis, one, n)), pairs);
  Value i = c.op<IotaOp>(pairDims, axis, i32);
  Value j = c.op<IotaOp>(pairDims, axis + 1, i32);
  Value jFirst = isBefore(c, atJ, atI, op.getSmallest());
  Value iFirst = isBefore(c, atI, atJ, op.getSmallest());
  Value tie = c.op<AndOp>(c.op<NotOp>(iFirst), c.op<LessOp>(j, i));
  Value before = c.cast(c.op<OrOp>(jFirst, tie), i32);
  Value rank = c.op<ReduceSumOp>(before, inner, false);

  // Ranks are a permutation: exactly one element has rank p.
  Shape picks = withPair(shape, axis, k, n);
  DimsAttr pickDims = DimsAttr::get(context, picks);
  Value ranks =
      c.broadcast(c.reshape(rank, withPair(shape, axis, one, n)), picks);
  Value p = c.op<IotaOp>(pickDims, axis, i32);
  Value position = c.op<IotaOp>(pickDims, axis + 1, i32);
  Value picked = c.op<WhereOp>(c.op<EqualOp>(ranks, p), position,
                               c.full(int64_t(0), i32, picks));
  Value indices = c.op<ReduceSumOp>(picked, inner, false);
  indices = c.cast(indices, builder.getI64Type());
  Value values = c.op<GatherElementsOp>(x, indices, axis);
  op.getValues().replaceAllUsesWith(
      c.withType(values, op.getValues().getType()));
  op.getIndices().replaceAllUsesWith(
      c.withType(indices, op.getIndices().getType()));
  op.erase();
}

namespace {
class GraphExpandTopKPass
    : public tenon::graph::impl::GraphExpandTopKBase<GraphExpandTopKPass> {
public:
  using GraphExpandTopKBase::GraphExpandTopKBase;

  void runOnOperation() override {
    getOperation()->walk([&](TopKOp op) {
      if (!hasNamedSizes(op)) {
        LDBG() << op->getName() << " at " << op->getLoc()
               << " stays: its sizes have no names";
        return;
      }
      LDBG() << op->getName() << " at " << op->getLoc();
      expand(op);
      ++numExpanded;
    });
  }
};
} // namespace
