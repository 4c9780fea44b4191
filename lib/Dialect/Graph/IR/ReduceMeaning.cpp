//===- ReduceMeaning.cpp - decompositions of reductions; top_k ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferenceChecks.h"
#include "OperandTypes.h"
#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The number of elements in one reduction.
static SymInt reducedCount(Value x, ArrayRef<int64_t> axes) {
  SymInt count(1);
  Shape shape = getShape(x);
  for (int64_t axis : axes)
    count = count * shape[axis];
  return count;
}

/// Converts integers to f64 if the function is not defined on integers.
static Value toFloat(Compose &c, Value x) {
  if (isInteger(getElementType(x)))
    return c.cast(x, c.builder.getF64Type());
  return c.widen(x);
}

SmallVector<Value> ReduceMeanOp::decompose(OpBuilder &builder) {
  std::optional<SmallVector<int64_t>> axes = getAxes().getConstants();
  if (!axes || !hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  SymInt count = reducedCount(getX(), *axes);
  Value x = c.widen(getX());
  Value sum = c.op<ReduceSumOp>(x, getAxes(), getKeepdims());
  Value number = c.count(count, getElementType(sum));
  Value mean = c.div(sum, c.broadcastLike(number, sum));
  return {c.cast(mean, getElementType(getX()))};
}

SmallVector<Value> ReduceL1Op::decompose(OpBuilder &builder) {
  Compose c(builder, getLoc());
  return {c.op<ReduceSumOp>(c.op<AbsOp>(getX()), getAxes(), getKeepdims())};
}

SmallVector<Value> ReduceL2Op::decompose(OpBuilder &builder) {
  Compose c(builder, getLoc());
  Value x = toFloat(c, getX());
  Value sum = c.op<ReduceSumOp>(c.mul(x, x), getAxes(), getKeepdims());
  return {c.cast(c.op<SqrtOp>(sum), getElementType(getX()))};
}

SmallVector<Value> ReduceSumSquareOp::decompose(OpBuilder &builder) {
  Compose c(builder, getLoc());
  Value x = c.widen(getX());
  Value sum = c.op<ReduceSumOp>(c.mul(x, x), getAxes(), getKeepdims());
  return {c.cast(sum, getElementType(getX()))};
}

SmallVector<Value> ReduceLogSumOp::decompose(OpBuilder &builder) {
  Compose c(builder, getLoc());
  Value x = toFloat(c, getX());
  Value sum = c.op<ReduceSumOp>(x, getAxes(), getKeepdims());
  return {c.cast(c.op<LogOp>(sum), getElementType(getX()))};
}

/// Replaces infinities by 0, so that subtracting the result from infinite
/// numbers gives no NaN.
static Value finiteOrZero(Compose &c, Value x) {
  return c.op<WhereOp>(c.op<IsInfOp>(x, false, false), c.fullLike(0, x), x);
}

SmallVector<Value> ReduceLogSumExpOp::decompose(OpBuilder &builder) {
  std::optional<SmallVector<int64_t>> axes = getAxes().getConstants();
  if (!axes || !hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  Value x = toFloat(c, getX());
  Value shift = finiteOrZero(c, c.reduceKeep<ReduceMaxOp>(x, *axes));
  Value exps = c.op<ExpOp>(c.sub(x, c.broadcastLike(shift, x)));
  Value sum = c.reduceKeep<ReduceSumOp>(exps, *axes);
  Value result = c.add(c.op<LogOp>(sum), shift);
  result = c.reshape(result, getShape(getResult()));
  return {c.cast(result, getElementType(getX()))};
}

/// The position of the extreme element: the least (or greatest) position whose
/// element equals it. NaN counts as the extreme, as in numpy.
template <typename ReduceOpTy>
static Value argReduce(Compose &c, Value x, int64_t axis, bool keepdims,
                       bool last) {
  Shape shape = getShape(x);
  Value extreme = c.reduceKeep<ReduceOpTy>(x, {axis});
  Value hit = c.op<EqualOp>(x, c.broadcastLike(extreme, x));
  if (isFloat(getElementType(x)))
    hit = c.op<OrOp>(hit, c.op<IsNanOp>(x));
  Type i64 = c.builder.getI64Type();
  DimsAttr dims = DimsAttr::get(c.builder.getContext(), shape);
  Value position = c.op<IotaOp>(dims, axis, i64);
  int64_t never = last ? -1 : std::numeric_limits<int64_t>::max();
  Value candidates = c.op<WhereOp>(hit, position, c.full(never, i64, shape));
  DimsAttr axes = getInts(c.builder.getContext(), {axis});
  if (last)
    return c.op<ReduceMaxOp>(candidates, axes, keepdims);
  return c.op<ReduceMinOp>(candidates, axes, keepdims);
}

SmallVector<Value> ArgmaxOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  return {argReduce<ReduceMaxOp>(c, getX(), getAxis(), getKeepdims(),
                                 getSelectLast())};
}

SmallVector<Value> ArgminOp::decompose(OpBuilder &builder) {
  if (!hasNamedSizes(*this))
    return {};
  Compose c(builder, getLoc());
  return {argReduce<ReduceMinOp>(c, getX(), getAxis(), getKeepdims(),
                                 getSelectLast())};
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  if (failed(checkTensors(loc, adaptor.getX())))
    return failure();
  auto type = cast<RankedTensorType>(adaptor.getX().getType());
  Shape shape = getShape(type);
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, axis, shape.size())))
    return failure();
  if (adaptor.getK().size() != 1)
    return emitOptionalError(loc, "k: expected 1 number, but got ",
                             adaptor.getK().size());
  SymInt k = adaptor.getK().getEntry(0);
  requireNotNegative(loc, k, "k: expected 0 or more, but got " + k.str());
  requireNotNegative(loc, shape[axis] - k,
                     "k: expected at most the size " + shape[axis].str() +
                         ", but got " + k.str());
  shape[axis] = k;
  types.push_back(getTensorType(shape, type.getElementType()));
  types.push_back(getTensorType(shape, IntegerType::get(context, 64)));
  return success();
}

LogicalResult TopKOp::verify() {
  Shape shape = getShape(getX());
  int64_t axis = getAxis();
  if (failed(checkAxis(getLoc(), axis, shape.size())))
    return failure();
  if (getK().size() != 1)
    return success(); // inference emits the diagnostic
  SymInt k = getK().getEntry(0);
  std::optional<int64_t> most = (shape[axis] - k).getConstant();
  if (most && *most < 0)
    return emitOpError("k: expected at most the size ")
           << shape[axis].str() << " of axis " << axis << ", but got "
           << k.str();
  if (k.getConstant() && *k.getConstant() < 0)
    return emitOpError("k: expected 0 or more, but got ") << k.str();
  return success();
}

LogicalResult
TopKOp::evaluateReference(ArrayRef<ReferenceTensor> operands,
                          MutableArrayRef<ReferenceTensor> results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor &values = results[0], &indices = results[1];
  int64_t axis = getAxis();
  int64_t size = x.shape[axis], k = values.shape[axis];
  if (k > size)
    return emitOpError("k: expected at most the size ")
           << size << " of axis " << axis << ", but got " << k;
  int64_t outer = 1, inner = 1;
  for (auto [number, extent] : llvm::enumerate(x.shape)) {
    if (static_cast<int64_t>(number) < axis)
      outer *= extent;
    else if (static_cast<int64_t>(number) > axis)
      inner *= extent;
  }
  bool floats = isFloat(x.elementType), smallest = getSmallest();
  bool isUnsignedType = isUnsigned(x.elementType);
  // NaN is ordered above all numbers.
  auto below = [&](int64_t a, int64_t b) {
    if (!floats)
      return isUnsignedType ? static_cast<uint64_t>(x.integers[a]) <
                                  static_cast<uint64_t>(x.integers[b])
                            : x.integers[a] < x.integers[b];
    double p = x.floats[a], q = x.floats[b];
    return std::isnan(q) ? !std::isnan(p) : p < q;
  };
  SmallVector<int64_t> order(size);
  for (int64_t line = 0; line < outer * inner; ++line) {
    int64_t base = line / inner * size * inner + line % inner;
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](int64_t a, int64_t b) {
      int64_t first = base + a * inner, second = base + b * inner;
      if (below(first, second))
        return smallest;
      if (below(second, first))
        return !smallest;
      return a < b;
    });
    int64_t target = line / inner * k * inner + line % inner;
    for (int64_t number = 0; number < k; ++number) {
      int64_t from = base + order[number] * inner;
      int64_t to = target + number * inner;
      if (floats)
        values.floats[to] = x.floats[from];
      else
        values.integers[to] = x.integers[from];
      indices.integers[to] = order[number];
    }
  }
  return success();
}
