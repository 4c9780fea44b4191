//===- ChannelNorms.cpp - norms of groups of channels ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mean of a group is the mean of its channels' means, since they have
// equally many elements; so is its variance, around the mean of the group. With
// channels last, the means of channels are sums of rows, which vectorize, and
// the rest concerns a few elements.
//
//===----------------------------------------------------------------------===//

#include "AxisOrder.h"
#include "ChannelsLastPatterns.h"
#include "Splats.h"
#include "tenon/Dialect/Graph/IR/Compose.h"

using namespace mlir;
using namespace tenon::graph;

namespace {
/// PyTorch's export writes a norm of groups as a norm of instances whose
/// channels are the groups.
struct RecognizeGroupNorm : OpRewritePattern<InstanceNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(InstanceNormOp op,
                                PatternRewriter &rewriter) const override {
    auto before = op.getX().getDefiningOp<ReshapeOp>();
    if (!before || !op->hasOneUse() || getSplatNumber(op.getScale()) != 1 ||
        getSplatNumber(op.getBias()) != 0)
      return failure();
    auto after = dyn_cast<ReshapeOp>(*op->user_begin());
    Value x = before.getX();
    if (!after || after.getType() != x.getType())
      return failure();
    Shape shape = getShape(x), grouped = getShape(op.getX());
    std::optional<int64_t> groups =
        grouped.size() == 3 ? grouped[1].getConstant() : std::nullopt;
    if (!groups || *groups < 1 || shape.size() < 3 || shape[0] != grouped[0] ||
        shape[1].mod(SymInt(*groups)) != SymInt(0))
      return failure();
    Compose c(rewriter, op.getLoc());
    Type element = getElementType(x);
    Value ones = c.full(1.0, element, {shape[1]});
    Value zeros = c.full(0.0, element, {shape[1]});
    rewriter.replaceOp(after,
                       GroupNormOp::create(rewriter, op.getLoc(), x, ones,
                                           zeros, *groups, op.getEpsilon()));
    return success();
  }
};

/// The same norm of a value whose channels are last.
class ChannelNorm {
public:
  ChannelNorm(OpBuilder &builder, Location loc, const SymInt &groups)
      : c(builder, loc), groups(groups) {}

  Value normalize(Value x, Value scale, Value bias, double epsilon);

private:
  Value getGroupMean(Value x);

  Compose c;
  SymInt groups;
};
} // namespace

/// The mean of each channel's group, for every channel: [n, 1..., c].
Value ChannelNorm::getGroupMean(Value x) {
  int64_t last = getRank(x) - 1;
  Value mean = c.reduceKeep<ReduceMeanOp>(x, axesFrom(1, last));
  Shape shape = getShape(mean);
  if (groups == shape.back())
    return mean;
  Shape parts{shape[0], groups, shape.back().floorDiv(groups)};
  Value all = c.reduceKeep<ReduceMeanOp>(c.reshape(mean, parts), {2});
  return c.reshape(c.broadcast(all, parts), shape);
}

Value ChannelNorm::normalize(Value given, Value scale, Value bias,
                             double epsilon) {
  Value x = c.widen(given);
  Value centered = c.sub(x, c.broadcastLike(getGroupMean(x), x));
  Value variance = getGroupMean(c.mul(centered, centered));
  Value deviation =
      c.op<SqrtOp>(c.add(variance, c.fullLike(epsilon, variance)));
  int64_t last = getRank(x) - 1;
  Value factor = c.div(c.alongAxis(c.widen(scale), last, deviation), deviation);
  Value y = c.mul(centered, c.broadcastLike(factor, x));
  if (getSplatNumber(bias) != 0)
    y = c.add(y, c.alongAxis(c.widen(bias), last, y));
  return c.cast(y, getElementType(given));
}

namespace {
template <typename OpTy> struct MakeNormChannelsLast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    std::optional<Perm> perm = getPerm(op.getX());
    Shape shape = getShape(op.getX());
    if (!perm || shape.size() < 3 || *perm != invert(toLast(shape.size())) ||
        !hasNamedSizes(op))
      return failure();
    SymInt groups = shape[1];
    if constexpr (std::is_same_v<OpTy, GroupNormOp>)
      groups = SymInt(op.getGroups());
    Value x = op.getX().template getDefiningOp<TransposeOp>().getX();
    Value y = ChannelNorm(rewriter, op.getLoc(), groups)
                  .normalize(x, op.getScale(), op.getBias(),
                             op.getEpsilon().convertToDouble());
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), y, *perm));
    return success();
  }
};
} // namespace

void tenon::graph::populateChannelNormPatterns(RewritePatternSet &patterns) {
  patterns.add<RecognizeGroupNorm, MakeNormChannelsLast<GroupNormOp>,
               MakeNormChannelsLast<InstanceNormOp>>(patterns.getContext());
}
