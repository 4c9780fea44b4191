//===- NormOps.cpp - softmax and norms ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferenceChecks.h"
#include "OperandTypes.h"
#include "tenon/Dialect/Graph/IR/Compose.h"

#include <cmath>

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// Softmax and related ops
//===----------------------------------------------------------------------===//

static LogicalResult inferAlongAxis(std::optional<Location> loc, Value x,
                                    int64_t axis,
                                    SmallVectorImpl<Type> &types) {
  if (failed(checkTensors(loc, x)) || failed(checkAxis(loc, axis, getRank(x))))
    return failure();
  types.push_back(getTensorType(getShape(x), getElementType(x)));
  return success();
}

LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  return inferAlongAxis(loc, adaptor.getX(), adaptor.getAxis(), types);
}

LogicalResult LogSoftmaxOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  return inferAlongAxis(loc, adaptor.getX(), adaptor.getAxis(), types);
}

LogicalResult HardmaxOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  return inferAlongAxis(loc, adaptor.getX(), adaptor.getAxis(), types);
}

SmallVector<Value> SoftmaxOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  int64_t axis = getAxis();
  Value x = c.widen(getX());
  Value largest = c.reduceKeep<ReduceMaxOp>(x, {axis});
  Value exps = c.op<ExpOp>(c.sub(x, c.broadcastLike(largest, x)));
  Value sum = c.reduceKeep<ReduceSumOp>(exps, {axis});
  Value result = c.div(exps, c.broadcastLike(sum, exps));
  return {c.cast(result, getElementType(getX()))};
}

SmallVector<Value> LogSoftmaxOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  int64_t axis = getAxis();
  Value x = c.widen(getX());
  Value largest = c.reduceKeep<ReduceMaxOp>(x, {axis});
  Value shifted = c.sub(x, c.broadcastLike(largest, x));
  Value sum = c.reduceKeep<ReduceSumOp>(c.op<ExpOp>(shifted), {axis});
  Value result = c.sub(shifted, c.broadcastLike(c.op<LogOp>(sum), x));
  return {c.cast(result, getElementType(getX()))};
}

SmallVector<Value> HardmaxOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  int64_t axis = getAxis();
  Shape shape = getShape(getX());
  Value first = c.op<ArgmaxOp>(getX(), axis, /*keepdims=*/true,
                               /*select_last=*/false);
  Value position = c.op<IotaOp>(DimsAttr::get(getContext(), shape), axis,
                                builder.getI64Type());
  Value hit = c.op<EqualOp>(position, c.broadcast(first, shape));
  return {c.cast(hit, getElementType(getX()))};
}

//===----------------------------------------------------------------------===//
// Norms: types and checks
//===----------------------------------------------------------------------===//

/// Checks that the operands of a norm have one element type.
static LogicalResult checkElements(std::optional<Location> loc,
                                   ValueRange operands) {
  if (failed(checkTensors(loc, operands)))
    return failure();
  Type element = getElementType(operands.front());
  for (auto [number, operand] : llvm::enumerate(operands))
    if (getElementType(operand) != element)
      return emitOptionalError(loc, "operand #", number,
                               ": expected elements of type ", element,
                               ", but got ", getElementType(operand));
  return success();
}

static LogicalResult checkEpsilon(Operation *op, const APFloat &epsilon) {
  double value = epsilon.convertToDouble();
  if (std::isfinite(value) && value >= 0)
    return success();
  return op->emitOpError("epsilon: expected a finite number not below 0, but "
                         "got ")
         << value;
}

/// Checks that `operand` broadcasts to `shape` from the right.
static LogicalResult checkBroadcasts(std::optional<Location> loc,
                                     StringRef name, Value operand,
                                     const Shape &shape) {
  Shape own = getShape(operand);
  bool fits = own.size() <= shape.size();
  for (size_t back = 1; fits && back <= own.size(); ++back) {
    const SymInt &size = own[own.size() - back];
    fits = size.getConstant() == 1 ||
           succeeded(unify(size, shape[shape.size() - back], loc));
  }
  if (fits)
    return success();
  return emitOptionalError(loc, name, ": expected a shape that broadcasts to ",
                           describe(shape), ", but got ", describe(own));
}

/// Checks that the shape of `operand` is [size].
static LogicalResult checkPerChannel(std::optional<Location> loc,
                                     StringRef name, Value operand,
                                     const SymInt &size) {
  Shape own = getShape(operand);
  if (own.size() == 1 && succeeded(unify(own[0], size, loc)))
    return success();
  return emitOptionalError(loc, name, ": expected shape [", size.str(),
                           "], but got ", describe(own));
}

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  if (failed(checkElements(loc, adaptor.getOperands())))
    return failure();
  Shape shape = getShape(adaptor.getX());
  if (failed(checkBroadcasts(loc, "scale", adaptor.getScale(), shape)) ||
      (adaptor.getBias() &&
       failed(checkBroadcasts(loc, "bias", adaptor.getBias(), shape))))
    return failure();
  return inferAlongAxis(loc, adaptor.getX(), adaptor.getAxis(), types);
}

LogicalResult LayerNormOp::verify() {
  return checkEpsilon(*this, getEpsilon());
}

LogicalResult RmsNormOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  if (failed(checkElements(loc, adaptor.getOperands())) ||
      failed(checkBroadcasts(loc, "scale", adaptor.getScale(),
                             getShape(adaptor.getX()))))
    return failure();
  return inferAlongAxis(loc, adaptor.getX(), adaptor.getAxis(), types);
}

LogicalResult RmsNormOp::verify() { return checkEpsilon(*this, getEpsilon()); }

LogicalResult BatchNormOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  if (failed(checkElements(loc, adaptor.getOperands())) ||
      failed(inferAlongAxis(loc, adaptor.getX(), adaptor.getAxis(), types)))
    return failure();
  SymInt size = getShape(adaptor.getX())[adaptor.getAxis()];
  return success(
      succeeded(checkPerChannel(loc, "scale", adaptor.getScale(), size)) &&
      succeeded(checkPerChannel(loc, "bias", adaptor.getBias(), size)) &&
      succeeded(checkPerChannel(loc, "mean", adaptor.getMean(), size)) &&
      succeeded(checkPerChannel(loc, "variance", adaptor.getVariance(), size)));
}

LogicalResult BatchNormOp::verify() {
  return checkEpsilon(*this, getEpsilon());
}

LogicalResult DropoutOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getX().getType());
  return success();
}

LogicalResult DropoutOp::verify() {
  double ratio = getRatio().convertToDouble();
  if (ratio >= 0 && ratio < 1)
    return success();
  return emitOpError("expected a ratio in [0, 1), but got ") << ratio;
}

/// Infers norms of [n, c, spatial...] with scale and bias [c].
static LogicalResult inferChannelNorm(std::optional<Location> loc,
                                      ValueRange operands,
                                      SmallVectorImpl<Type> &types) {
  if (failed(checkElements(loc, operands)))
    return failure();
  Value x = operands[0];
  if (getRank(x) < 2)
    return emitOptionalError(loc, "x: expected rank 2 or more, but got ",
                             x.getType());
  SymInt channels = getShape(x)[1];
  if (failed(checkPerChannel(loc, "scale", operands[1], channels)) ||
      failed(checkPerChannel(loc, "bias", operands[2], channels)))
    return failure();
  types.push_back(getTensorType(getShape(x), getElementType(x)));
  return success();
}

LogicalResult GroupNormOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  if (failed(inferChannelNorm(loc, adaptor.getOperands(), types)))
    return failure();
  SymInt channels = getShape(adaptor.getX())[1];
  if (int64_t groups = adaptor.getGroups(); groups >= 1)
    requireNotNegative(loc, -channels.mod(SymInt(groups)),
                       "groups: expected a divisor of the " + channels.str() +
                           " channels, but got " + Twine(groups));
  return success();
}

LogicalResult GroupNormOp::verify() {
  int64_t groups = getGroups();
  if (groups < 1)
    return emitOpError("groups: expected 1 or more, but got ") << groups;
  if (getRank(getX()) < 2)
    return success(); // inference emits the diagnostic
  SymInt channels = getShape(getX())[1];
  std::optional<int64_t> rest = channels.mod(SymInt(groups)).getConstant();
  if (rest && *rest != 0)
    return emitOpError("groups: expected a divisor of the ")
           << channels.str() << " channels, but got " << groups;
  return checkEpsilon(*this, getEpsilon());
}

LogicalResult InstanceNormOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  return inferChannelNorm(loc, adaptor.getOperands(), types);
}

LogicalResult InstanceNormOp::verify() {
  return checkEpsilon(*this, getEpsilon());
}

//===----------------------------------------------------------------------===//
// Norms: decompositions
//===----------------------------------------------------------------------===//

SmallVector<Value> LayerNormOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value x = c.widen(getX());
  Value y = c.normalize(x, axesFrom(getAxis(), getRank(x)),
                        getEpsilon().convertToDouble());
  y = c.mul(y, c.broadcastLike(c.widen(getScale()), y));
  if (getBias())
    y = c.add(y, c.broadcastLike(c.widen(getBias()), y));
  return {c.cast(y, getElementType(getX()))};
}

SmallVector<Value> RmsNormOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value x = c.widen(getX());
  Value square =
      c.reduceKeep<ReduceMeanOp>(c.mul(x, x), axesFrom(getAxis(), getRank(x)));
  Value root = c.op<SqrtOp>(
      c.add(square, c.fullLike(getEpsilon().convertToDouble(), square)));
  Value y = c.div(x, c.broadcastLike(root, x));
  y = c.mul(y, c.broadcastLike(c.widen(getScale()), y));
  return {c.cast(y, getElementType(getX()))};
}

SmallVector<Value> DropoutOp::decompose(OpBuilder &) { return {getX()}; }

SmallVector<Value> BatchNormOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  int64_t axis = getAxis();
  Value x = c.widen(getX());
  Value variance = c.widen(getVariance());
  Value deviation = c.op<SqrtOp>(
      c.add(variance, c.fullLike(getEpsilon().convertToDouble(), variance)));
  Value y = c.sub(x, c.alongAxis(c.widen(getMean()), axis, x));
  y = c.div(y, c.alongAxis(deviation, axis, x));
  y = c.mul(y, c.alongAxis(c.widen(getScale()), axis, x));
  y = c.add(y, c.alongAxis(c.widen(getBias()), axis, x));
  return {c.cast(y, getElementType(getX()))};
}

SmallVector<Value> GroupNormOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value x = c.widen(getX());
  Shape shape = getShape(x);
  SymInt groups(getGroups());
  SymInt inGroup = shape[1].floorDiv(groups);
  for (const SymInt &size : llvm::drop_begin(shape, 2))
    inGroup = inGroup * size;
  Value y = c.reshape(x, {shape[0], groups, inGroup});
  y = c.normalize(y, {2}, getEpsilon().convertToDouble());
  y = c.reshape(y, shape);
  y = c.mul(y, c.alongAxis(c.widen(getScale()), 1, y));
  y = c.add(y, c.alongAxis(c.widen(getBias()), 1, y));
  return {c.cast(y, getElementType(getX()))};
}

SmallVector<Value> InstanceNormOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value x = c.widen(getX());
  Value y =
      c.normalize(x, axesFrom(2, getRank(x)), getEpsilon().convertToDouble());
  y = c.mul(y, c.alongAxis(c.widen(getScale()), 1, y));
  y = c.add(y, c.alongAxis(c.widen(getBias()), 1, y));
  return {c.cast(y, getElementType(getX()))};
}
