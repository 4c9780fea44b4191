//===- ChannelsLast.cpp - channels-last layout for convolutions -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every convolution and pool is rewritten to its channels-last form between two
// transposes. Patterns then move transposes towards the results until they meet
// their inverse or an op that depends on the order of axes.
//
//===----------------------------------------------------------------------===//

#include "AxisOrder.h"
#include "ChannelsLastPatterns.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-channels-last"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHCHANNELSLAST
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

namespace {
/// Whether transposing the value is almost free. This includes a transpose of
/// such a value: if the patterns moved it, two such transposes would transpose
/// each other forever.
bool isFlexible(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto transposed = dyn_cast_or_null<TransposeOp>(op))
    op = transposed.getX().getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    if (auto data = dyn_cast<DenseElementsAttr>(constant.getValue()))
      return data.isSplat();
  return isa_and_nonnull<BroadcastOp>(op);
}

/// Replaces `op` by its clone over transposed operands and a transpose of the
/// result. `perm` is the permutation of the operands' transposes; `adjust`
/// fixes the clone's attributes.
void sink(Operation *op, ArrayRef<int64_t> perm, PatternRewriter &rewriter,
          llvm::function_ref<void(Operation *)> adjust = {}) {
  Perm inverse = invert(perm);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (std::optional<Perm> own = getPerm(operand); own && *own == Perm(perm))
      operands.push_back(operand.getDefiningOp<TransposeOp>().getX());
    else
      // The value is still computed by its own op, in another order of axes.
      operands.push_back(
          transpose(rewriter, operand.getLoc(), operand, inverse));
  }
  Operation *moved = rewriter.clone(*op);
  moved->setOperands(operands);
  if (adjust)
    adjust(moved);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  moved->getResult(0).setType(
      getTensorType(permute(getShape(type), inverse), type.getElementType()));
  rewriter.replaceOp(
      op, transpose(rewriter, op->getLoc(), moved->getResult(0), perm));
}

template <typename OpTy> struct MakeChannelsLast : OpRewritePattern<OpTy> {
  MakeChannelsLast(MLIRContext *context, Pass::Statistic &numChanged)
      : OpRewritePattern<OpTy>(context), numChanged(numChanged) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    size_t rank = getShape(op.getInput()).size();
    if (op.getLayout() == Layout::ChannelsLast || rank < 3)
      return failure();
    Perm perm = toLast(rank);
    Value input =
        transpose(rewriter, op.getInput().getLoc(), op.getInput(), perm);
    auto moved = cast<OpTy>(rewriter.clone(*op));
    moved.getInputMutable().assign(input);
    moved.setLayout(Layout::ChannelsLast);
    auto type = cast<RankedTensorType>(op.getResult().getType());
    moved.getResult().setType(
        getTensorType(permute(getShape(type), perm), type.getElementType()));
    LDBG() << op->getName() << " at " << op.getLoc()
           << " becomes channels_last";
    ++numChanged;
    rewriter.replaceOp(
        op, transpose(rewriter, op.getLoc(), moved.getResult(), invert(perm)));
    return success();
  }

private:
  Pass::Statistic &numChanged;
};

/// The weight's gradient has one layout.
struct MakeBackwardWeightChannelsLast : OpRewritePattern<ConvBackwardWeightOp> {
  MakeBackwardWeightChannelsLast(MLIRContext *context,
                                 Pass::Statistic &numChanged)
      : OpRewritePattern(context), numChanged(numChanged) {}

  LogicalResult matchAndRewrite(ConvBackwardWeightOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getLayout() == Layout::ChannelsLast)
      return failure();
    Perm perm = toLast(getShape(op.getInput()).size());
    Value input =
        transpose(rewriter, op.getInput().getLoc(), op.getInput(), perm);
    Value cotangent = transpose(rewriter, op.getCotangent().getLoc(),
                                op.getCotangent(), perm);
    LDBG() << op->getName() << " at " << op.getLoc()
           << " becomes channels_last";
    ++numChanged;
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(input);
      op.getCotangentMutable().assign(cotangent);
      op.setLayout(Layout::ChannelsLast);
    });
    return success();
  }

private:
  Pass::Statistic &numChanged;
};

struct SinkThroughElementwise
    : OpInterfaceRewritePattern<ElementwiseInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseInterface op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm;
    for (Value operand : op->getOperands()) {
      if (isFlexible(operand))
        continue;
      std::optional<Perm> own = getPerm(operand);
      if (!own || (perm && *perm != *own))
        return failure();
      perm = own;
    }
    if (!perm)
      return failure();
    sink(op, *perm, rewriter);
    return success();
  }
};

/// Barriers stay between the ops that they separate.
struct SinkThroughBarrier : OpRewritePattern<OptimizationBarrierOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OptimizationBarrierOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = getPerm(op.getX());
    if (!perm)
      return failure();
    Value held = OptimizationBarrierOp::create(
        rewriter, op.getLoc(), op.getX().getDefiningOp<TransposeOp>().getX(),
        op.getGate());
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), held, *perm));
    return success();
  }
};

/// The permutation that all operands have in common.
std::optional<Perm> getCommonPerm(ValueRange operands) {
  std::optional<Perm> perm;
  for (Value operand : operands) {
    std::optional<Perm> own = getPerm(operand);
    if (!own || (perm && *perm != *own))
      return std::nullopt;
    perm = own;
  }
  return perm;
}

struct SinkThroughConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = getCommonPerm(op.getInputs());
    if (!perm)
      return failure();
    sink(op, *perm, rewriter, [&](Operation *moved) {
      cast<ConcatOp>(moved).setAxis((*perm)[op.getAxis()]);
    });
    return success();
  }
};

struct SinkThroughPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = getPerm(op.getX());
    if (!perm)
      return failure();
    Perm inverse = invert(*perm);
    sink(op, *perm, rewriter, [&](Operation *moved) {
      auto pad = cast<PadOp>(moved);
      auto reorder = [&](DimsAttr ints) {
        return DimsAttr::get(getContext(), permute(ints.getEntries(), inverse));
      };
      pad.setLowAttr(reorder(op.getLow()));
      pad.setHighAttr(reorder(op.getHigh()));
    });
    return success();
  }
};

struct SinkThroughBatchNorm : OpRewritePattern<BatchNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BatchNormOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = getPerm(op.getX());
    if (!perm)
      return failure();
    auto moved = cast<BatchNormOp>(rewriter.clone(*op));
    Value x = op.getX().getDefiningOp<TransposeOp>().getX();
    moved.getXMutable().assign(x);
    moved.setAxis((*perm)[op.getAxis()]);
    moved.getResult().setType(cast<RankedTensorType>(x.getType()));
    rewriter.replaceOp(
        op, transpose(rewriter, op.getLoc(), moved.getResult(), *perm));
    return success();
  }
};

/// A reduction that keeps the order of the other axes needs no transpose
/// (global pooling).
template <typename OpTy> struct SinkThroughReduce : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = getPerm(op.getX());
    std::optional<SmallVector<int64_t>> axes = op.getAxes().getConstants();
    if (!perm || !axes)
      return failure();
    Perm mapped, kept;
    for (int64_t axis : *axes)
      mapped.push_back((*perm)[axis]);
    llvm::sort(mapped);
    for (auto [axis, from] : llvm::enumerate(*perm))
      if (!llvm::is_contained(*axes, static_cast<int64_t>(axis)))
        kept.push_back(from);
    if (!llvm::is_sorted(kept))
      return failure();
    Value x = op.getX().template getDefiningOp<TransposeOp>().getX();
    auto moved = cast<OpTy>(rewriter.clone(*op));
    moved.getXMutable().assign(x);
    moved.setAxesAttr(getInts(op.getContext(), mapped));
    auto type = cast<RankedTensorType>(op.getResult().getType());
    if (!op.getKeepdims()) {
      rewriter.replaceOp(op, moved.getResult());
      return success();
    }
    Shape shape = permute(getShape(type), invert(*perm));
    moved.getResult().setType(getTensorType(shape, type.getElementType()));
    // Axes of size 1 can be moved by a reshape.
    rewriter.replaceOpWithNewOp<ReshapeOp>(
        op, moved.getResult(), DimsAttr::get(op.getContext(), getShape(type)));
    return success();
  }
};

/// transpose(broadcast(x)) = broadcast(transpose(x)), if x is small.
struct LiftOverBroadcast : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto broadcast = op.getX().getDefiningOp<BroadcastOp>();
    std::optional<Perm> perm = op.getPerm().getConstants();
    if (!broadcast || !perm)
      return failure();
    Shape narrow = getShape(broadcast.getX());
    while (narrow.size() < perm->size())
      narrow.insert(narrow.begin(), SymInt(1));
    Value full = ReshapeOp::create(rewriter, op.getLoc(), broadcast.getX(),
                                   DimsAttr::get(getContext(), narrow));
    Value moved = transpose(rewriter, op.getLoc(), full, *perm);
    rewriter.replaceOpWithNewOp<BroadcastOp>(
        op, moved, DimsAttr::get(getContext(), getShape(op.getResult())));
    return success();
  }
};

/// A transpose that moves only axes of size 1 moves no data.
struct TransposeToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = op.getPerm().getConstants();
    if (!perm)
      return failure();
    Shape shape = getShape(op.getX());
    Perm wide;
    for (int64_t axis : *perm)
      if (shape[axis].getConstant() != 1)
        wide.push_back(axis);
    if (!llvm::is_sorted(wide))
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(
        op, op.getX(), DimsAttr::get(getContext(), getShape(op.getResult())));
    return success();
  }
};

/// lrn supports only channels at axis 1. After a transpose from channels last
/// it becomes x / (bias + alpha * mean(x * x)) ^ beta, where the mean is a pool
/// along the last axis.
struct SinkThroughLrn : OpRewritePattern<LrnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LrnOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = getPerm(op.getInput());
    size_t rank = getShape(op.getInput()).size();
    if (!perm || rank < 4 || *perm != invert(toLast(rank)))
      return failure();
    Location loc = op.getLoc();
    Value x = op.getInput().getDefiningOp<TransposeOp>().getX();
    // lrn rounds once, but its parts round every step, so compute half types in
    // f32.
    Type element = getElementTypeOrSelf(x.getType());
    bool isHalf = element.isF16() || element.isBF16();
    if (isHalf)
      x = CastOp::create(rewriter, loc, x, rewriter.getF32Type());
    auto type = cast<RankedTensorType>(x.getType());
    auto splat = [&](double value) -> Value {
      Type element = type.getElementType();
      Value scalar = ConstantOp::create(
          rewriter, loc,
          DenseElementsAttr::get(RankedTensorType::get({}, element),
                                 rewriter.getFloatAttr(element, value)));
      return BroadcastOp::create(rewriter, loc, scalar,
                                 DimsAttr::get(getContext(), getShape(x)));
    };
    // The pool's batch and channel are the first two axes; its window covers
    // the others.
    int64_t size = op.getSize(), spatial = rank - 2;
    SmallVector<int64_t> kernel(spatial, 1), ones(spatial, 1);
    SmallVector<int64_t> pads(2 * spatial, 0);
    kernel.back() = size;
    pads[spatial - 1] = (size - 1) / 2;
    pads[2 * spatial - 1] = size / 2;
    Value squares = MulOp::create(rewriter, loc, x, x);
    MLIRContext *context = getContext();
    Value mean = AvgPoolOp::create(
        rewriter, loc, type, squares, getInts(context, kernel),
        getInts(context, ones), getInts(context, pads), getInts(context, ones),
        /*ceil_mode=*/UnitAttr(),
        LayoutAttr::get(context, Layout::ChannelsFirst),
        /*count_include_pad=*/rewriter.getUnitAttr());
    Value scaled = MulOp::create(rewriter, loc, mean,
                                 splat(op.getAlpha().convertToDouble()));
    Value sum = AddOp::create(rewriter, loc, scaled,
                              splat(op.getBias().convertToDouble()));
    Value norm = PowOp::create(rewriter, loc, sum,
                               splat(op.getBeta().convertToDouble()));
    Value result = DivOp::create(rewriter, loc, x, norm);
    if (isHalf)
      result = CastOp::create(rewriter, loc, result, element);
    rewriter.replaceOp(op, transpose(rewriter, loc, result, *perm));
    return success();
  }
};

struct GraphChannelsLastPass
    : tenon::graph::impl::GraphChannelsLastBase<GraphChannelsLastPass> {
  using GraphChannelsLastBase::GraphChannelsLastBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<MakeChannelsLast<ConvOp>, MakeChannelsLast<ConvTransposeOp>,
                 MakeBackwardWeightChannelsLast, MakeChannelsLast<MaxPoolOp>,
                 MakeChannelsLast<AvgPoolOp>, MakeChannelsLast<LpPoolOp>>(
        context, numChanged);
    patterns
        .add<SinkThroughElementwise, SinkThroughBarrier, SinkThroughConcat,
             SinkThroughPad, SinkThroughBatchNorm,
             SinkThroughReduce<ReduceSumOp>, SinkThroughReduce<ReduceMeanOp>,
             SinkThroughReduce<ReduceMaxOp>, SinkThroughReduce<ReduceMinOp>,
             LiftOverBroadcast, TransposeToReshape>(context);
    if (others)
      populateResizePatterns(patterns, numChanged);
    if (others && reassociate)
      populateChannelNormPatterns(patterns);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    if (reassociate && (failed(expandLrn()) || failed(separateResizes())))
      return signalPassFailure();
    getOperation().walk([&](TransposeOp op) {
      LDBG() << "a transpose is left at " << op.getLoc();
      ++numTransposes;
    });
  }

private:
  LogicalResult separateResizes() {
    if (!others)
      return success();
    RewritePatternSet patterns(&getContext());
    populateSeparateResizePatterns(patterns, numSeparated);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  LogicalResult expandLrn() {
    MLIRContext *context = &getContext();
    // The patterns for pools must not rewrite the pool that replaces lrn.
    RewritePatternSet later(context);
    later.add<SinkThroughLrn, SinkThroughElementwise, SinkThroughConcat>(
        context);
    TransposeOp::getCanonicalizationPatterns(later, context);
    return applyPatternsGreedily(getOperation(), std::move(later));
  }
};
} // namespace
