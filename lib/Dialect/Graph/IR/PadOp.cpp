//===- PadOp.cpp - graph.pad ----------------------------------------------===//
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

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x) ||
      failed(checkParameters(location, adaptor.getLow(), x->size(),
                             "low paddings")) ||
      failed(checkParameters(location, adaptor.getHigh(), x->size(),
                             "high paddings")) ||
      failed(checkAtLeast(location, adaptor.getLow(), 0, "low paddings")) ||
      failed(checkAtLeast(location, adaptor.getHigh(), 0, "high paddings")))
    return failure();
  PadMode mode = adaptor.getMode();
  Shape low = adaptor.getLow().getEntries();
  Shape high = adaptor.getHigh().getEntries();
  Shape shape;
  for (auto [axis, size] : llvm::enumerate(*x)) {
    std::optional<int64_t> constant = size.getConstant();
    for (const SymInt &pad : {low[axis], high[axis]}) {
      if (mode != PadMode::Constant)
        requireNotNegativeIfAny(
            location, pad,
            mode == PadMode::Reflect ? size - SymInt(1) - pad
                                     : size - SymInt(1),
            "axis " + Twine(axis) +
                ": expected elements to repeat for padding " + pad.str() +
                ", but got size " + size.str());
      std::optional<int64_t> amount = pad.getConstant();
      if (!constant || !amount || *amount == 0 || mode == PadMode::Constant)
        continue;
      if (mode == PadMode::Reflect && *amount >= *constant)
        return emitOptionalError(location, "axis ", axis,
                                 ": expected reflected padding below ",
                                 *constant, ", but got ", *amount);
      if (*constant == 0)
        return emitOptionalError(location, "axis ", axis,
                                 ": expected elements to repeat, but got "
                                 "size 0");
    }
    shape.push_back(size + low[axis] + high[axis]);
    if (failed(checkFits(location, shape.back(), {size, low[axis], high[axis]},
                         "size of axis " + Twine(axis))))
      return failure();
  }
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

/// The index from which padding takes its element, on an axis of `size`
/// elements; `position` is negative before the first element.
static Expr getSource(PadMode mode, Expr position, const SymInt &size,
                      bool hasLow, bool hasHigh) {
  Expr zero = Expr::index(0), last = Expr::size(size - SymInt(1));
  switch (mode) {
  case PadMode::Constant:
    return position;
  case PadMode::Reflect:
    if (hasLow)
      position = Expr::maxIndex(position, Expr::subIndex(zero, position));
    if (hasHigh)
      position = Expr::minIndex(
          position,
          Expr::subIndex(Expr::size((size - SymInt(1)) * SymInt(2)), position));
    return position;
  case PadMode::Edge:
    if (hasLow)
      position = Expr::maxIndex(zero, position);
    if (hasHigh)
      position = Expr::minIndex(position, last);
    return position;
  case PadMode::Wrap:
    if (hasLow || hasHigh)
      position = Expr::modIndex(position, Expr::size(size));
    return position;
  }
  llvm_unreachable("unknown mode of padding");
}

SmallVector<IndexForm> PadOp::getIndexForms() {
  Shape x = getShape(getX());
  Shape low = getLow().getEntries(), high = getHigh().getEntries();
  SmallVector<Expr> indices;
  Expr inside = Expr::always();
  for (auto [axis, size] : llvm::enumerate(x)) {
    bool hasLow = low[axis].getConstant() != 0;
    bool hasHigh = high[axis].getConstant() != 0;
    Expr position = Expr::addIndex(Expr::var(axis), Expr::size(-low[axis]));
    indices.push_back(getSource(getMode(), position, size, hasLow, hasHigh));
    if (hasLow)
      inside =
          Expr::logicalAnd(inside, Expr::lessEqual(Expr::index(0), position));
    if (hasHigh)
      inside = Expr::logicalAnd(inside, Expr::less(position, Expr::size(size)));
  }
  Expr body = loadOf(getX(), 0, indices);
  if (getMode() == PadMode::Constant)
    body = Expr::select(
        inside, body, Expr::constant(getValue().convertToDouble(), body->type));
  return {{getResultShape(*this), body->type, body}};
}

OpFoldResult PadOp::fold(FoldAdaptor adaptor) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(getLow().getValues(), isZero) &&
      llvm::all_of(getHigh().getValues(), isZero) &&
      getX().getType() == getType())
    return getX();
  return foldMovement(getOperation(), adaptor.getOperands());
}
