//===- Compose.cpp - builder of decompositions ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Compose.h"

#include "FormExpressions.h"

using namespace mlir;
using namespace tenon::graph;

Type tenon::graph::getElementType(Value tensor) {
  return llvm::cast<RankedTensorType>(tensor.getType()).getElementType();
}

SmallVector<int64_t> tenon::graph::axesFrom(int64_t first, int64_t last) {
  return llvm::to_vector(llvm::seq<int64_t>(first, last));
}

bool tenon::graph::hasNamedSizes(Operation *op) {
  auto isNamed = [](Type type) {
    return llvm::none_of(getShape(type),
                         [](const SymInt &size) { return size.isUnknown(); });
  };
  return llvm::all_of(op->getOperandTypes(), isNamed) &&
         llvm::all_of(op->getResultTypes(), isNamed);
}

Value Compose::cast(Value x, Type type) {
  if (getElementType(x) == type)
    return x;
  return op<CastOp>(x, type);
}

Value Compose::widen(Value x) {
  return cast(x, getAccumulationType(getElementType(x)));
}

Value Compose::broadcast(Value x, const Shape &shape) {
  if (getShape(x) == shape)
    return x;
  Value y = op<BroadcastOp>(x, DimsAttr::get(builder.getContext(), shape));
  // The result states the more precise of two sizes that are equal at run time.
  return reshape(y, shape);
}

Value Compose::reshape(Value x, const Shape &shape) {
  if (getShape(x) == shape)
    return x;
  return op<ReshapeOp>(x, DimsAttr::get(builder.getContext(), shape));
}

Value Compose::withType(Value x, Type type) {
  if (x.getType() == type)
    return x;
  DimsAttr shape = DimsAttr::get(type.getContext(), getShape(type));
  return ReshapeOp::create(builder, loc, type, x, shape);
}

Value Compose::full(double value, Type type, const Shape &shape) {
  if (isa<IntegerType>(type))
    return full(static_cast<int64_t>(value), type, shape);
  auto scalar = RankedTensorType::get({}, type);
  Attribute number = FloatAttr::get(type, value);
  Value constant = op<ConstantOp>(DenseElementsAttr::get(scalar, number));
  return broadcast(constant, shape);
}

Value Compose::full(int64_t value, Type type, const Shape &shape) {
  if (isa<FloatType>(type))
    return full(static_cast<double>(value), type, shape);
  auto scalar = RankedTensorType::get({}, type);
  APInt bits(type.getIntOrFloatBitWidth(), value, /*isSigned=*/true,
             /*implicitTrunc=*/true);
  Value constant = op<ConstantOp>(
      DenseElementsAttr::get(scalar, Attribute(IntegerAttr::get(type, bits))));
  return broadcast(constant, shape);
}

Value Compose::fullLike(double value, Value like) {
  return full(value, getElementType(like), getShape(like));
}

Value Compose::alongAxis(Value x, int64_t axis, Value like) {
  Shape shape(getRank(like), SymInt(1));
  shape[axis] = getShape(x)[0];
  return broadcastLike(reshape(x, shape), like);
}

Value Compose::count(const SymInt &value, Type type) {
  if (std::optional<int64_t> constant = value.getConstant())
    return full(*constant, type, {});
  // The last element of an iota of `value` + 1 elements is `value`.
  MLIRContext *context = builder.getContext();
  auto single = [&](const SymInt &entry) {
    return DimsAttr::get(context, ArrayRef<SymInt>(entry));
  };
  Type i64 = builder.getI64Type();
  Value positions = op<IotaOp>(single(value + SymInt(1)), 0, i64);
  Value last = op<SliceOp>(positions, single(value), single(1), single(1));
  return cast(reshape(last, {}), type);
}

Value Compose::normalize(Value x, ArrayRef<int64_t> axes, double epsilon) {
  Value mean = reduceKeep<ReduceMeanOp>(x, axes);
  Value centered = sub(x, broadcastLike(mean, x));
  Value variance = reduceKeep<ReduceMeanOp>(mul(centered, centered), axes);
  Value deviation = op<SqrtOp>(add(variance, fullLike(epsilon, variance)));
  return div(centered, broadcastLike(deviation, x));
}
