//===- LossDerivatives.cpp - losses with labels ---------------------------===//
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

namespace {
/// The labels of a loss, and the cotangent of each item's -log p[label], both
/// [n, d...].
struct Items {
  Value labels, cotangent;
};
} // namespace

/// The cotangent of an item is that of the loss times the item's weight,
/// divided by the sum of the weights for a mean.
template <typename OpTy> static Items readItems(Cotangents &c, OpTy op) {
  Value labels = op.getLabels(), y = c.wideOf();
  Shape shape = getShape(labels);
  Type type = getElementType(y);
  Value counts, weights; // null if every item counts 1
  if (std::optional<int64_t> ignored = op.getIgnoreIndex()) {
    counts = c.op<NotOp>(
        c.op<EqualOp>(labels, c.full(*ignored, getElementType(labels), shape)));
    labels = c.op<WhereOp>(counts, labels, c.zerosLike(labels));
  }
  if (op.getWeight())
    weights = c.op<GatherOp>(c.widen(op.getWeight()), labels, 0);
  if (counts) {
    Value ones = weights ? weights : c.full(1.0, type, shape);
    weights = c.op<WhereOp>(counts, ones, c.zerosLike(ones));
  }
  if (op.getReduction() == LossReduction::Mean) {
    SymInt number(1);
    for (const SymInt &size : shape)
      number = number * size;
    DimsAttr all = getInts(op.getContext(), axesFrom(0, shape.size()));
    y = c.div(y, weights ? c.op<ReduceSumOp>(weights, all, false)
                         : c.count(number, type));
  }
  y = c.broadcast(y, shape);
  return {labels, weights ? c.mul(y, weights) : y};
}

/// [n, d...] along the axis 1 of `shape`.
static Value alongClasses(Cotangents &c, Value x, const Shape &shape) {
  Shape column = shape;
  column[1] = SymInt(1);
  return c.broadcast(c.reshape(x, column), shape);
}

/// 1 where the class is the label of the item, [n, c, d...], as i1.
static Value matchLabels(Cotangents &c, Value labels, const Shape &shape) {
  Value classes = c.cast(c.positions(shape, 1), getElementType(labels));
  return c.op<EqualOp>(classes, alongClasses(c, labels, shape));
}

LogicalResult differentiate::differentiate(NllLossOp op, Cotangents &c) {
  if (op.getWeight() && c.wants(2))
    return differentiateDecomposition(op, c);
  Items items = readItems(c, op);
  Shape shape = getShape(op.getLogProbs());
  Value loss = alongClasses(c, c.op<NegOp>(items.cotangent), shape);
  c.give(0, c.op<WhereOp>(matchLabels(c, items.labels, shape), loss,
                          c.zerosLike(loss)));
  return success();
}

/// (softmax(scores) - 1 at the label) times the cotangent of the item.
LogicalResult differentiate::differentiate(SoftmaxCrossEntropyOp op,
                                           Cotangents &c) {
  if (op.getWeight() && c.wants(2))
    return differentiateDecomposition(op, c);
  Items items = readItems(c, op);
  Value p = c.op<SoftmaxOp>(c.widen(op.getScores()), 1);
  Shape shape = getShape(p);
  Value hits = matchLabels(c, items.labels, shape);
  Value error = c.op<WhereOp>(hits, c.sub(p, c.fullLike(1, p)), p);
  c.give(0, c.mul(error, alongClasses(c, items.cotangent, shape)));
  return success();
}
