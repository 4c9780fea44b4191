//===- NormDerivatives.cpp - softmax and norms ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpDerivatives.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

LogicalResult differentiate::differentiate(SoftmaxOp op, Cotangents &c) {
  Value p = c.widen(op.getResult()), y = c.wideOf();
  Value mean = c.reduceKeep<ReduceSumOp>(c.mul(y, p), {int64_t(op.getAxis())});
  c.give(0, c.mul(p, c.sub(y, c.broadcastLike(mean, y))));
  return success();
}

LogicalResult differentiate::differentiate(LogSoftmaxOp op, Cotangents &c) {
  Value p = c.op<ExpOp>(c.widen(op.getResult())), y = c.wideOf();
  Value sum = c.reduceKeep<ReduceSumOp>(y, {int64_t(op.getAxis())});
  c.give(0, c.sub(y, c.mul(p, c.broadcastLike(sum, p))));
  return success();
}

//===----------------------------------------------------------------------===//
// Norms over axes of x
//===----------------------------------------------------------------------===//

namespace {
/// x normalized over `axes`, and 1 / the deviation, [..., 1...].
struct Normalized {
  Value x, inverse;
};
} // namespace

static Value inverseRoot(Cotangents &c, Value square, const APFloat &epsilon) {
  return c.op<RsqrtOp>(
      c.add(square, c.fullLike(epsilon.convertToDouble(), square)));
}

static Normalized normalize(Cotangents &c, Value x, ArrayRef<int64_t> axes,
                            const APFloat &epsilon, bool center) {
  if (center)
    x = c.sub(x, c.broadcastLike(c.reduceKeep<ReduceMeanOp>(x, axes), x));
  Value square = c.reduceKeep<ReduceMeanOp>(c.mul(x, x), axes);
  Value inverse = inverseRoot(c, square, epsilon);
  return {c.mul(x, c.broadcastLike(inverse, x)), inverse};
}

/// The cotangent of x from `y`, that of the normalized x: y less its projection
/// on the normalized x and, if that was centered, on the constants.
static Value differentiateNormalized(Cotangents &c, const Normalized &n,
                                     Value y, ArrayRef<int64_t> axes,
                                     bool center) {
  Value slope = c.reduceKeep<ReduceMeanOp>(c.mul(y, n.x), axes);
  Value rest = c.sub(y, c.mul(n.x, c.broadcastLike(slope, y)));
  if (center)
    rest = c.sub(rest, c.broadcastLike(c.reduceKeep<ReduceMeanOp>(y, axes), y));
  return c.mul(rest, c.broadcastLike(n.inverse, rest));
}

LogicalResult differentiate::differentiate(LayerNormOp op, Cotangents &c) {
  Value x = c.widen(op.getX()), y = c.wideOf();
  SmallVector<int64_t> axes = axesFrom(op.getAxis(), getRank(x));
  Normalized n = normalize(c, x, axes, op.getEpsilon(), true);
  if (c.wants(0)) {
    Value scaled = c.mul(y, c.broadcastLike(c.widen(op.getScale()), y));
    c.give(0, differentiateNormalized(c, n, scaled, axes, true));
  }
  if (c.wants(1))
    c.give(1, c.sumTo(c.mul(y, n.x), getShape(op.getScale())));
  if (op.getBias() && c.wants(2))
    c.give(2, c.sumTo(y, getShape(op.getBias())));
  return success();
}

LogicalResult differentiate::differentiate(RmsNormOp op, Cotangents &c) {
  Value x = c.widen(op.getX()), y = c.wideOf();
  SmallVector<int64_t> axes = axesFrom(op.getAxis(), getRank(x));
  Normalized n = normalize(c, x, axes, op.getEpsilon(), false);
  if (c.wants(0)) {
    Value scaled = c.mul(y, c.broadcastLike(c.widen(op.getScale()), y));
    c.give(0, differentiateNormalized(c, n, scaled, axes, false));
  }
  if (c.wants(1))
    c.give(1, c.sumTo(c.mul(y, n.x), getShape(op.getScale())));
  return success();
}

/// Sums over all axes but `axis`.
static Value sumAlong(Cotangents &c, Value x, int64_t axis) {
  SmallVector<int64_t> axes;
  for (int64_t other = 0; other < getRank(x); ++other)
    if (other != axis)
      axes.push_back(other);
  return c.op<ReduceSumOp>(x, getInts(c.builder.getContext(), axes), false);
}

/// A norm of groups of channels: `split` is x as [n, groups, ...], and `axes`
/// are its normalized axes.
template <typename OpTy>
static LogicalResult differentiateGrouped(OpTy op, Cotangents &c,
                                          const Shape &split,
                                          ArrayRef<int64_t> axes) {
  Value x = c.widen(op.getX()), y = c.wideOf();
  Shape shape = getShape(x);
  Normalized n = normalize(c, c.reshape(x, split), axes, op.getEpsilon(), true);
  if (c.wants(0)) {
    Value scaled = c.mul(y, c.alongAxis(c.widen(op.getScale()), 1, y));
    Value result =
        differentiateNormalized(c, n, c.reshape(scaled, split), axes, true);
    c.give(0, c.reshape(result, shape));
  }
  if (c.wants(1))
    c.give(1, sumAlong(c, c.mul(y, c.reshape(n.x, shape)), 1));
  if (c.wants(2))
    c.give(2, sumAlong(c, y, 1));
  return success();
}

LogicalResult differentiate::differentiate(GroupNormOp op, Cotangents &c) {
  Shape shape = getShape(op.getX());
  SymInt groups(op.getGroups()), inGroup = shape[1].floorDiv(groups);
  for (const SymInt &size : llvm::drop_begin(shape, 2))
    inGroup = inGroup * size;
  return differentiateGrouped(op, c, {shape[0], groups, inGroup}, {2});
}

LogicalResult differentiate::differentiate(InstanceNormOp op, Cotangents &c) {
  Shape shape = getShape(op.getX());
  return differentiateGrouped(op, c, shape, axesFrom(2, shape.size()));
}

//===----------------------------------------------------------------------===//
// Batch norm with given statistics
//===----------------------------------------------------------------------===//

LogicalResult differentiate::differentiate(BatchNormOp op, Cotangents &c) {
  int64_t axis = op.getAxis();
  Value x = c.widen(op.getX()), y = c.wideOf();
  Value scale = c.widen(op.getScale());
  Value inverse = inverseRoot(c, c.widen(op.getVariance()), op.getEpsilon());
  Value factor = c.mul(scale, inverse);
  if (c.wants(0))
    c.give(0, c.mul(y, c.alongAxis(factor, axis, y)));
  Value sum = sumAlong(c, y, axis);
  if (c.wants(2))
    c.give(2, sum);
  if (c.wants(3))
    c.give(3, c.op<NegOp>(c.mul(sum, factor)));
  if (!c.wants(1) && !c.wants(4))
    return success();
  Value centered = c.sub(x, c.alongAxis(c.widen(op.getMean()), axis, x));
  Value moment = c.mul(sumAlong(c, c.mul(y, centered), axis), inverse);
  if (c.wants(1))
    c.give(1, moment);
  if (c.wants(4)) {
    Value square = c.mul(inverse, inverse);
    c.give(4,
           c.mul(c.fullLike(-0.5, scale), c.mul(c.mul(moment, scale), square)));
  }
  return success();
}
