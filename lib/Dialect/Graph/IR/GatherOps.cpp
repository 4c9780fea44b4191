//===- GatherOps.cpp - reading at computed indices ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "InferenceChecks.h"
#include "MovementFolds.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  FailureOr<Shape> indices =
      checkTensor(location, adaptor.getIndices().getType(), "indices");
  if (failed(x) || failed(indices) ||
      failed(checkAxis(location, adaptor.getAxis(), x->size())))
    return failure();
  int64_t axis = adaptor.getAxis();
  if (failed(checkAddressable(location, (*x)[axis], axis, *indices)))
    return failure();
  Shape shape(x->begin(), x->begin() + axis);
  llvm::append_range(shape, *indices);
  shape.append(x->begin() + axis + 1, x->end());
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

SmallVector<IndexForm> GatherOp::getIndexForms() {
  Shape x = getShape(getX());
  Shape shape = getResultShape(*this);
  unsigned axis = getAxis(), count = getIndices().getType().getRank();
  Expr index = loadOf(getIndices(), 1, getVars(count, axis));
  SmallVector<Expr> at = getVars(axis);
  at.push_back(getClampedIndex(index, x[axis]));
  llvm::append_range(at, getVars(x.size() - axis - 1, axis + count));
  Expr body = loadOf(getX(), 0, at);
  return {{shape, body->type, body}};
}

OpFoldResult GatherOp::fold(FoldAdaptor adaptor) {
  return foldMovement(getOperation(), adaptor.getOperands());
}

//===----------------------------------------------------------------------===//
// gather_elements
//===----------------------------------------------------------------------===//

LogicalResult GatherElementsOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  FailureOr<Shape> indices =
      checkTensor(location, adaptor.getIndices().getType(), "indices");
  if (failed(x) || failed(indices) ||
      failed(checkAxis(location, adaptor.getAxis(), x->size())))
    return failure();
  if (indices->size() != x->size())
    return emitOptionalError(location, "expected indices of rank ", x->size(),
                             ", but got rank ", indices->size());
  int64_t gathered = adaptor.getAxis();
  for (int64_t axis = 0, rank = x->size(); axis < rank; ++axis) {
    if (axis == gathered)
      continue;
    SymInt excess = (*indices)[axis] - (*x)[axis];
    std::string sizes = "expected at most " + (*x)[axis].str() + ", but got " +
                        (*indices)[axis].str();
    if (provablyAtLeast(excess, SymInt(1)))
      return emitOptionalError(location, "axis ", axis, " of indices: ", sizes);
    requireNotNegative(location, -excess,
                       "axis " + Twine(axis) + " of indices: " + sizes);
  }
  if (failed(checkAddressable(location, (*x)[gathered], gathered, *indices)))
    return failure();
  types.push_back(
      getTensorType(*indices, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

SmallVector<IndexForm> GatherElementsOp::getIndexForms() {
  Shape shape = getResultShape(*this);
  SmallVector<Expr> at = getVars(shape.size());
  Expr index = loadOf(getIndices(), 1, at);
  at[getAxis()] = getClampedIndex(index, getShape(getX())[getAxis()]);
  Expr body = loadOf(getX(), 0, at);
  return {{shape, body->type, body}};
}

//===----------------------------------------------------------------------===//
// gather_nd
//===----------------------------------------------------------------------===//

LogicalResult GatherNdOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> location,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  FailureOr<Shape> indices =
      checkTensor(location, adaptor.getIndices().getType(), "indices");
  if (failed(x) || failed(indices))
    return failure();
  int64_t batchDims = adaptor.getBatchDims();
  int64_t least = std::min<int64_t>(x->size(), indices->size());
  if (batchDims < 0 || batchDims >= least)
    return emitOptionalError(location, "expected batch_dims from 0 to ",
                             least - 1, ", but got ", batchDims);
  std::optional<int64_t> length = indices->back().getConstant();
  int64_t addressable = x->size() - batchDims;
  if (!length || *length < 1 || *length > addressable)
    return emitOptionalError(location,
                             "last axis of indices: expected a constant size "
                             "from 1 to ",
                             addressable, ", but got ", indices->back().str());
  Shape shape(indices->begin(), indices->end() - 1);
  for (int64_t axis = 0; axis < batchDims; ++axis) {
    FailureOr<SymInt> both =
        checkEqual(location, (*x)[axis], shape[axis],
                   "batch axis " + Twine(axis) + " of indices");
    if (failed(both))
      return failure();
    shape[axis] = *both;
  }
  for (int64_t axis = batchDims; axis < batchDims + *length; ++axis)
    if (failed(checkAddressable(location, (*x)[axis], axis, shape)))
      return failure();
  shape.append(x->begin() + batchDims + *length, x->end());
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

SmallVector<IndexForm> GatherNdOp::getIndexForms() {
  Shape x = getShape(getX()), indices = getShape(getIndices());
  unsigned batchDims = getBatchDims(), tuple = indices.size() - 1;
  int64_t length = *indices.back().getConstant();
  SmallVector<Expr> at = getVars(batchDims);
  for (int64_t number = 0; number < length; ++number) {
    SmallVector<Expr> position = getVars(tuple);
    position.push_back(Expr::index(number));
    at.push_back(getClampedIndex(loadOf(getIndices(), 1, position),
                                 x[batchDims + number]));
  }
  llvm::append_range(at, getVars(x.size() - at.size(), tuple));
  Expr body = loadOf(getX(), 0, at);
  return {{getResultShape(*this), body->type, body}};
}
