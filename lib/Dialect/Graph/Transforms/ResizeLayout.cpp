//===- ResizeLayout.cpp - resizes with channels last ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisOrder.h"
#include "ChannelsLastPatterns.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace tenon::graph;

/// A resize that interpolates as `op` does.
static ResizeOp resizeLike(OpBuilder &b, ResizeOp op, Value x,
                           ArrayRef<double> scales, const Shape &shape) {
  auto resized = cast<ResizeOp>(b.clone(*op));
  resized.getXMutable().assign(x);
  resized.setScales(scales);
  resized.setShapeAttr(DimsAttr::get(op.getContext(), shape));
  resized.getResult().setType(
      getTensorType(shape, getElementTypeOrSelf(x.getType())));
  return resized;
}

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
    ResizeOp resized =
        resizeLike(rewriter, op, input, applyPermutation(scales, perm),
                   permute(shape, perm));
    ++numChanged;
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), resized.getResult(),
                                     invert(perm)));
    return success();
  }

private:
  Pass::Statistic &numChanged;
};
} // namespace

/// Whether rows of a result with channels last are long enough for positions
/// that are computed once for each: some 20 ns, where vectors of channels take
/// 0.3 ns an element, and 1.2 ns if channels do not fill them, with 0.5 ns for
/// the transpose of all elements (measured on Zen 4).
static bool areRowsLong(const Shape &shape) {
  std::optional<int64_t> channels = shape.back().getConstant(),
                         row = shape[shape.size() - 2].getConstant();
  bool fillsVectors = channels && *channels % 8 == 0;
  return !row || *row >= (fillsVectors ? 64 : 16);
}

namespace {
/// Resizes along the last axis first, while there are few rows, and then along
/// the others, whose positions and weights are those of a whole row. Weights of
/// several axes are products, so that only roundings differ.
struct SeparateResize : OpRewritePattern<ResizeOp> {
  SeparateResize(MLIRContext *context, Pass::Statistic &numSeparated)
      : OpRewritePattern(context), numSeparated(numSeparated) {}

  LogicalResult matchAndRewrite(ResizeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<double> first(op.getScales()), rest(op.getScales());
    size_t rank = rest.size(), last = rank;
    double growth = 1;
    for (size_t axis = 0; axis < rank; ++axis)
      if (rest[axis] != 1) {
        growth *= last < rank ? rest[last] : 1;
        last = axis;
      }
    // Elements of other types would be rounded twice.
    Type element = getElementTypeOrSelf(op.getResult().getType());
    if (op.getMode() == ResizeMode::Nearest || growth <= 1 ||
        !(element.isF32() || element.isF64()))
      return failure();
    for (size_t axis = 0; axis < rank; ++axis)
      (axis == last ? rest : first)[axis] = 1;
    Shape shape = getShape(op.getX()), whole = getShape(op.getResult());
    shape[last] = whole[last];
    if (last + 1 == rank) {
      Value x = resizeLike(rewriter, op, op.getX(), first, shape);
      rewriter.replaceOp(op, resizeLike(rewriter, op, x, rest, whole));
      ++numSeparated;
      return success();
    }
    // Where channels are last, vectors of them are as good as rows. If they
    // have to be first in the end, the transpose comes before the other axes.
    auto back = op->hasOneUse() ? dyn_cast<TransposeOp>(*op->user_begin())
                                : TransposeOp();
    Perm perm = invert(toLast(rank));
    if (last + 2 != rank || !back || getPerm(back) != perm ||
        !areRowsLong(whole))
      return failure();
    rewriter.setInsertionPoint(back);
    Value x = resizeLike(rewriter, op, op.getX(), first, shape);
    x = transpose(rewriter, back.getLoc(), x, perm);
    rewriter.replaceOp(
        back, resizeLike(rewriter, op, x,
                         applyPermutation(ArrayRef<double>(rest), perm),
                         permute(whole, perm)));
    rewriter.eraseOp(op);
    ++numSeparated;
    return success();
  }

private:
  Pass::Statistic &numSeparated;
};
} // namespace

void tenon::graph::populateSeparateResizePatterns(
    RewritePatternSet &patterns, Pass::Statistic &numSeparated) {
  patterns.add<SeparateResize>(patterns.getContext(), numSeparated);
}

void tenon::graph::populateResizePatterns(RewritePatternSet &patterns,
                                          Pass::Statistic &numChanged) {
  patterns.add<MakeResizeChannelsLast>(patterns.getContext(), numChanged);
}
