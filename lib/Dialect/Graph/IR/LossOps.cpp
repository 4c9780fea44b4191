//===- LossOps.cpp - embeddings and losses --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferenceChecks.h"
#include "OperandTypes.h"
#include "tenon/Dialect/Graph/IR/Compose.h"

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// Embeddings
//===----------------------------------------------------------------------===//

static LogicalResult checkTable(std::optional<Location> loc, Value table,
                                Value indices) {
  if (failed(checkTensors(loc, {table, indices})))
    return failure();
  if (getRank(table) != 2)
    return emitOptionalError(loc, "table: expected rank 2, but got ",
                             table.getType());
  if (!isInteger(getElementType(indices)))
    return emitOptionalError(loc, "indices: expected integers, but got ",
                             indices.getType());
  return checkAddressable(loc, getShape(table)[0], 0, getShape(indices),
                          "table");
}

LogicalResult EmbeddingOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Value table = adaptor.getTable();
  if (failed(checkTable(loc, table, adaptor.getIndices())))
    return failure();
  Shape shape = getShape(adaptor.getIndices());
  shape.push_back(getShape(table)[1]);
  types.push_back(getTensorType(shape, getElementType(table)));
  return success();
}

SmallVector<Value> EmbeddingOp::decompose(OpBuilder &builder) {
  Compose c(builder, getLoc());
  return {c.op<GatherOp>(getTable(), getIndices(), 0)};
}

LogicalResult EmbeddingBagOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  Value table = adaptor.getTable(), indices = adaptor.getIndices();
  if (failed(checkTable(loc, table, indices)))
    return failure();
  Shape shape = getShape(indices);
  if (shape.empty())
    return emitOptionalError(loc, "indices: expected rank 1 or more, but got ",
                             indices.getType());
  shape.back() = getShape(table)[1];
  types.push_back(getTensorType(shape, getElementType(table)));
  return success();
}

SmallVector<Value> EmbeddingBagOp::decompose(OpBuilder &builder) {
  Compose c(builder, getLoc());
  Value rows = c.op<GatherOp>(getTable(), getIndices(), 0);
  DimsAttr bag = getInts(getContext(), {getRank(getIndices()) - 1});
  switch (getMode()) {
  case BagMode::Sum:
    return {c.op<ReduceSumOp>(rows, bag, false)};
  case BagMode::Mean:
    return {c.op<ReduceMeanOp>(rows, bag, false)};
  case BagMode::Max:
    return {c.op<ReduceMaxOp>(rows, bag, false)};
  }
  llvm_unreachable("unknown mode");
}

//===----------------------------------------------------------------------===//
// Losses: types and checks
//===----------------------------------------------------------------------===//

static void pushLoss(LossReduction reduction, const Shape &shape, Type element,
                     SmallVectorImpl<Type> &types) {
  types.push_back(getTensorType(
      reduction == LossReduction::None ? shape : Shape(), element));
}

LogicalResult MseLossOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Value prediction = adaptor.getPrediction(), target = adaptor.getTarget();
  if (failed(checkTensors(loc, {prediction, target})))
    return failure();
  Type element = getElementType(prediction);
  if (getElementType(target) != element)
    return emitOptionalError(loc, "target: expected elements of type ", element,
                             ", but got ", getElementType(target));
  FailureOr<Shape> shape = unifyShapes(loc, "prediction", getShape(prediction),
                                       "target", getShape(target));
  if (failed(shape))
    return failure();
  pushLoss(adaptor.getReduction(), *shape, element, types);
  return success();
}

/// Infers the loss of scores [n, c, d...], labels [n, d...], weight [c].
static LogicalResult inferLabelLoss(std::optional<Location> loc, Value scores,
                                    Value labels, Value weight,
                                    LossReduction reduction,
                                    SmallVectorImpl<Type> &types) {
  if (failed(checkTensors(loc, {scores, labels})))
    return failure();
  Type element = getElementType(scores);
  Shape shape = getShape(scores);
  if (shape.size() < 2)
    return emitOptionalError(loc, "scores: expected rank 2 or more, but got ",
                             scores.getType());
  SymInt classes = shape[1];
  shape.erase(shape.begin() + 1);
  FailureOr<Shape> items = unifyShapes(loc, "the scores without axis 1", shape,
                                       "labels", getShape(labels));
  if (failed(items) ||
      failed(checkAddressable(loc, classes, 1, *items, "scores")))
    return failure();
  if (weight) {
    if (failed(checkTensors(loc, weight)))
      return failure();
    Shape own = getShape(weight);
    if (own.size() != 1 || failed(unify(own[0], classes, loc)) ||
        getElementType(weight) != element)
      return emitOptionalError(loc, "weight: expected ",
                               getTensorType({classes}, element), ", but got ",
                               weight.getType());
  }
  pushLoss(reduction, *items, element, types);
  return success();
}

LogicalResult NllLossOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  return inferLabelLoss(loc, adaptor.getLogProbs(), adaptor.getLabels(),
                        adaptor.getWeight(), adaptor.getReduction(), types);
}

LogicalResult SoftmaxCrossEntropyOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
    SmallVectorImpl<Type> &types) {
  return inferLabelLoss(loc, adaptor.getScores(), adaptor.getLabels(),
                        adaptor.getWeight(), adaptor.getReduction(), types);
}

//===----------------------------------------------------------------------===//
// Losses: decompositions
//===----------------------------------------------------------------------===//

template <typename OpTy> static Value reduceAll(Compose &c, Value x) {
  DimsAttr axes = getInts(c.builder.getContext(), axesFrom(0, getRank(x)));
  return c.op<OpTy>(x, axes, false);
}

SmallVector<Value> MseLossOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value error = c.sub(c.widen(getPrediction()), c.widen(getTarget()));
  Value loss = c.mul(error, error);
  if (getReduction() == LossReduction::Mean)
    loss = reduceAll<ReduceMeanOp>(c, loss);
  else if (getReduction() == LossReduction::Sum)
    loss = reduceAll<ReduceSumOp>(c, loss);
  return {c.cast(loss, getElementType(getPrediction()))};
}

SmallVector<Value> NllLossOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value logs = c.widen(getLogProbs()), labels = getLabels();
  Shape items = getShape(labels);
  Value counts; // whether an item's label is not ignored
  if (std::optional<int64_t> ignored = getIgnoreIndex()) {
    Value same =
        c.op<EqualOp>(labels, c.full(*ignored, getElementType(labels), items));
    counts = c.op<NotOp>(same);
    labels = c.op<WhereOp>(counts, labels, c.fullLike(0, labels));
  }
  Shape column = items;
  column.insert(column.begin() + 1, SymInt(1));
  Value picked = c.op<GatherElementsOp>(logs, c.reshape(labels, column), 1);
  Value loss = c.op<NegOp>(c.reshape(picked, items));
  Value weights;
  if (getWeight())
    weights = c.op<GatherOp>(c.widen(getWeight()), labels, 0);
  else if (counts)
    weights = c.fullLike(1, loss);
  if (counts)
    weights = c.op<WhereOp>(counts, weights, c.fullLike(0, weights));
  if (getWeight())
    loss = c.mul(loss, weights);
  if (counts)
    loss = c.op<WhereOp>(counts, loss, c.fullLike(0, loss));
  if (getReduction() == LossReduction::Mean)
    loss = weights ? c.div(reduceAll<ReduceSumOp>(c, loss),
                           reduceAll<ReduceSumOp>(c, weights))
                   : reduceAll<ReduceMeanOp>(c, loss);
  else if (getReduction() == LossReduction::Sum)
    loss = reduceAll<ReduceSumOp>(c, loss);
  return {c.cast(loss, getElementType(getLogProbs()))};
}

SmallVector<Value> SoftmaxCrossEntropyOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value logs = c.op<LogSoftmaxOp>(c.widen(getScores()), 1);
  Value weight = getWeight();
  if (weight)
    weight = c.widen(weight);
  Value loss = c.op<NllLossOp>(logs, getLabels(), weight, getReduction(),
                               getIgnoreIndexAttr());
  return {c.cast(loss, getElementType(getScores()))};
}
