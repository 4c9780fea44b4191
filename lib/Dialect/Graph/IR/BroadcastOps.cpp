//===- BroadcastOps.cpp - graph.broadcast, graph.tile, graph.iota ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "InferenceChecks.h"
#include "MovementFolds.h"

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x) ||
      failed(checkAtLeast(location, adaptor.getShape(), 0, "sizes in shape")))
    return failure();
  Shape shape = adaptor.getShape().getEntries();
  if (shape.size() < x->size())
    return emitOptionalError(location, "expected a shape of rank ", x->size(),
                             " or more, but got rank ", shape.size());
  size_t missing = shape.size() - x->size();
  for (auto [axis, size] : llvm::enumerate(*x)) {
    SymInt &target = shape[axis + missing];
    if (size.getConstant() == 1)
      continue;
    FailureOr<SymInt> both = unify(size, target, location);
    if (failed(both))
      return emitOptionalError(location, "axis ", axis + missing,
                               " of the result: expected ", size.str(),
                               ", the size of axis ", axis, " of x, but got ",
                               target.str());
    // If the two sizes are only known to be equal at run time, the result has
    // the size that the op states.
    if (target.isUnknown() || both->isConstant())
      target = *both;
  }
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

SmallVector<IndexForm> BroadcastOp::getIndexForms() {
  Shape x = tenon::graph::getShape(getX());
  Shape shape = getResultShape(*this);
  size_t missing = shape.size() - x.size();
  SmallVector<Expr> indices;
  for (auto [axis, size] : llvm::enumerate(x))
    indices.push_back(
        getBroadcastIndex(size, shape[axis + missing], axis + missing));
  Expr body = loadOf(getX(), 0, indices);
  return {{shape, body->type, body}};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  return foldMovement(getOperation(), adaptor.getOperands());
}

//===----------------------------------------------------------------------===//
// tile
//===----------------------------------------------------------------------===//

LogicalResult TileOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x) ||
      failed(checkParameters(location, adaptor.getRepeats(), x->size(),
                             "repeats")) ||
      failed(checkAtLeast(location, adaptor.getRepeats(), 0, "repeats")))
    return failure();
  Shape shape;
  for (auto [size, repeats] :
       llvm::zip(*x, adaptor.getRepeats().getEntries())) {
    shape.push_back(size * repeats);
    if (failed(checkFits(location, shape.back(), {size, repeats},
                         "size of axis " + Twine(shape.size() - 1))))
      return failure();
  }
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

SmallVector<IndexForm> TileOp::getIndexForms() {
  Shape x = getShape(getX());
  Shape repeats = getRepeats().getEntries();
  SmallVector<Expr> indices;
  for (auto [axis, size] : llvm::enumerate(x)) {
    Expr var = Expr::var(axis);
    indices.push_back(repeats[axis].getConstant() == 1
                          ? var
                          : Expr::modIndex(var, Expr::size(size)));
  }
  Expr body = loadOf(getX(), 0, indices);
  return {{getResultShape(*this), body->type, body}};
}

OpFoldResult TileOp::fold(FoldAdaptor adaptor) {
  if (llvm::all_of(getRepeats().getValues(),
                   [](int64_t repeats) { return repeats == 1; }) &&
      getX().getType() == getType())
    return getX();
  return foldMovement(getOperation(), adaptor.getOperands());
}

//===----------------------------------------------------------------------===//
// iota
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type element = adaptor.getElement();
  bool isNumber = element.isF64() || element.isF32() || element.isF16() ||
                  element.isBF16() || element.isSignlessInteger(64) ||
                  element.isSignlessInteger(32) ||
                  element.isSignlessInteger(8) || element.isUnsignedInteger(8);
  if (!isNumber)
    return emitOptionalError(location, "expected a number type, but got ",
                             element);
  if (failed(checkAtLeast(location, adaptor.getShape(), 0, "sizes in shape")) ||
      failed(checkAxis(location, adaptor.getAxis(), adaptor.getShape().size())))
    return failure();
  types.push_back(getTensorType(adaptor.getShape().getEntries(), element));
  return success();
}

SmallVector<IndexForm> IotaOp::getIndexForms() {
  return {{getResultShape(*this), getElement(),
           Expr::fromIndex(Expr::var(getAxis()), getElement())}};
}
