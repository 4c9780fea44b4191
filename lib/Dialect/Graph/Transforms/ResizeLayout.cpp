//===- ResizeLayout.cpp - resizes with channels last ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisOrder.h"
#include "ChannelsLastPatterns.h"

using namespace mlir;
using namespace tenon::graph;

namespace {
struct MakeResizeChannelsLast : OpRewritePattern<ResizeOp> {
  MakeResizeChannelsLast(MLIRContext *context, Pass::Statistic &numChanged)
      : OpRewritePattern(context), numChanged(numChanged) {}

  LogicalResult matchAndRewrite(ResizeOp op,
                                PatternRewriter &rewriter) const override {
    Shape shape = getShape(op.getResult());
    ArrayRef<double> scales = op.getScales();
    size_t rank = shape.size();
    if (rank < 3 || scales[0] != 1 || scales[1] != 1 || scales.back() == 1 ||
        shape[1].getConstant() == 1)
      return failure();
    Perm perm = toLast(rank);
    Value input = transpose(rewriter, op.getX().getLoc(), op.getX(), perm);
    SmallVector<double> moved;
    for (int64_t axis : perm)
      moved.push_back(scales[axis]);
    auto resized = cast<ResizeOp>(rewriter.clone(*op));
    resized.getXMutable().assign(input);
    resized.setScales(moved);
    resized.setShapeAttr(DimsAttr::get(
        op.getContext(), permute(op.getShape().getEntries(), perm)));
    resized.getResult().setType(getTensorType(
        permute(shape, perm), getElementTypeOrSelf(op.getResult().getType())));
    ++numChanged;
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), resized.getResult(),
                                     invert(perm)));
    return success();
  }

private:
  Pass::Statistic &numChanged;
};
} // namespace

void tenon::graph::populateResizePatterns(RewritePatternSet &patterns,
                                          Pass::Statistic &numChanged) {
  patterns.add<MakeResizeChannelsLast>(patterns.getContext(), numChanged);
}
