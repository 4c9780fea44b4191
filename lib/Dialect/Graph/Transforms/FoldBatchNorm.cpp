//===- FoldBatchNorm.cpp - folding batch norms into convolutions ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/Weights.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-fold-batch-norm"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHFOLDBATCHNORM
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

namespace {
/// Places a vector of channels along axis `axis` of `like`.
Value alongAxis(OpBuilder &b, Location loc, Value vector, size_t axis,
                Value like) {
  Shape target = getShape(like), narrow(target.size(), SymInt(1));
  narrow[axis] = target[axis];
  MLIRContext *context = b.getContext();
  Value laid =
      ReshapeOp::create(b, loc, vector, DimsAttr::get(context, narrow));
  return BroadcastOp::create(b, loc, laid, DimsAttr::get(context, target));
}

/// norm(conv(x, w) + b) = conv(x, w s) + (b - mean) s + bias with
/// s = scale / sqrt(variance + epsilon); without a convolution, x s + t.
struct FoldBatchNorm : OpRewritePattern<BatchNormOp> {
  FoldBatchNorm(MLIRContext *context, Pass::Statistic &numFolded,
                Pass::Statistic &numScaled)
      : OpRewritePattern(context), numFolded(numFolded), numScaled(numScaled) {}

  LogicalResult matchAndRewrite(BatchNormOp norm,
                                PatternRewriter &rewriter) const override {
    for (Value operand : norm->getOperands().drop_front())
      if (!isWeight(operand))
        return rewriter.notifyMatchFailure(norm, "statistics are computed");
    Location loc = norm.getLoc();
    Type element = getElementTypeOrSelf(norm.getX().getType());
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(norm, "folding would round weights");

    Value x = norm.getX(), shift;
    if (auto add = x.getDefiningOp<AddOp>(); add && add->hasOneUse())
      if (auto conv = add.getLhs().getDefiningOp<ConvOp>())
        if (Value vector =
                getChannelVector(rewriter, add.getRhs(), norm.getAxis())) {
          x = conv.getResult();
          shift = vector;
        }
    auto conv = x.getDefiningOp<ConvOp>();
    bool folds = conv && conv->hasOneUse() && isWeight(conv.getWeight()) &&
                 static_cast<int64_t>(norm.getAxis()) ==
                     (conv.getLayout() == Layout::ChannelsFirst
                          ? 1
                          : static_cast<int64_t>(getShape(x).size()) - 1);

    Value variance = norm.getVariance();
    Shape channels = getShape(variance);
    auto full = [&](double value) -> Value {
      auto scalar = RankedTensorType::get({}, element);
      Value constant = ConstantOp::create(
          rewriter, loc,
          cast<ElementsAttr>(DenseElementsAttr::get(
              scalar, rewriter.getFloatAttr(element, value))));
      return BroadcastOp::create(rewriter, loc, constant,
                                 DimsAttr::get(getContext(), channels));
    };
    Value spread = SqrtOp::create(
        rewriter, loc,
        AddOp::create(rewriter, loc, variance,
                      full(norm.getEpsilon().convertToDouble())));
    Value scale = DivOp::create(rewriter, loc, norm.getScale(), spread);
    Value mean = norm.getMean();
    Value offset = shift ? SubOp::create(rewriter, loc, shift, mean).getResult()
                         : NegOp::create(rewriter, loc, mean).getResult();
    offset = AddOp::create(rewriter, loc,
                           MulOp::create(rewriter, loc, offset, scale),
                           norm.getBias());

    Value scaled;
    if (folds) {
      rewriter.setInsertionPoint(norm);
      Value weight = conv.getWeight();
      Value factor = alongAxis(rewriter, loc, scale, 0, weight);
      Value product = MulOp::create(rewriter, loc, weight, factor);
      auto merged = cast<ConvOp>(rewriter.clone(*conv));
      merged->setLoc(rewriter.getFusedLoc({conv.getLoc(), loc}));
      merged.getWeightMutable().assign(product);
      scaled = merged.getResult();
    } else {
      x = norm.getX();
      // The add is not folded: restore the norm's operand.
      if (shift)
        return rewriter.notifyMatchFailure(norm, "convolution can't be folded");
      scaled = MulOp::create(
          rewriter, loc, x, alongAxis(rewriter, loc, scale, norm.getAxis(), x));
    }
    LDBG() << "the batch norm at " << loc
           << (folds ? " is folded into the weights of the convolution at "
                     : " becomes a product and a sum of ")
           << x.getLoc();
    ++(folds ? numFolded : numScaled);
    rewriter.replaceOpWithNewOp<AddOp>(
        norm, scaled, alongAxis(rewriter, loc, offset, norm.getAxis(), scaled));
    return success();
  }

private:
  /// The weight vector that `value` repeats along all axes other than `axis`.
  static Value getChannelVector(PatternRewriter &rewriter, Value value,
                                int64_t axis) {
    auto broadcast = value.getDefiningOp<BroadcastOp>();
    if (!broadcast || !isWeight(broadcast.getX()))
      return {};
    Shape shape = getShape(broadcast.getX());
    Shape target = getShape(value);
    for (auto [position, size] : llvm::enumerate(shape)) {
      int64_t where = position + target.size() - shape.size();
      if (where == axis ? size != target[axis] : size.getConstant() != 1)
        return {};
    }
    if (static_cast<int64_t>(target.size() - shape.size()) > axis)
      return {};
    Shape vector{target[axis]};
    return ReshapeOp::create(rewriter, value.getLoc(), broadcast.getX(),
                             DimsAttr::get(value.getContext(), vector));
  }

  Pass::Statistic &numFolded, &numScaled;
};

struct GraphFoldBatchNormPass
    : tenon::graph::impl::GraphFoldBatchNormBase<GraphFoldBatchNormPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldBatchNorm>(&getContext(), numFolded, numScaled);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
