//===- SliceOps.cpp - graph.slice, graph.split, graph.reverse -------------===//
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
// slice
//===----------------------------------------------------------------------===//

/// Whether position `index` of an axis of `size` elements may exist.
static bool mayBeInside(const SymInt &index, const SymInt &size) {
  return !provablyAtLeast(SymInt(-1), index) && !provablyAtLeast(index, size);
}

/// Records that all positions of a slice must exist, unless it is empty.
static void requireInside(std::optional<Location> location, size_t axis,
                          const SymInt &size, const SymInt &start,
                          const SymInt &count, const SymInt &step) {
  SymInt last = start + (count - SymInt(1)) * step;
  std::optional<int64_t> by = step.getConstant();
  auto require = [&](const SymInt &index, bool mayBeLeast, bool mayBeMost) {
    std::string text =
        ("axis " + Twine(axis) + ": expected positions from 0 to " +
         (size - SymInt(1)).str() + ", but got " + index.str())
            .str();
    if (mayBeLeast)
      requireNotNegativeIfAny(location, count, index, text);
    if (mayBeMost)
      requireNotNegativeIfAny(location, count, size - SymInt(1) - index, text);
  };
  require(start, !by || *by > 0, !by || *by < 0);
  require(last, !by || *by < 0, !by || *by > 0);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x))
    return failure();
  size_t rank = x->size();
  if (failed(checkParameters(location, adaptor.getStarts(), rank, "starts")) ||
      failed(checkCount(location, adaptor.getSizes(), rank, "sizes")) ||
      failed(checkParameters(location, adaptor.getSteps(), rank, "steps")) ||
      failed(checkAtLeast(location, adaptor.getSizes(), 0, "sizes")))
    return failure();
  Shape starts = adaptor.getStarts().getEntries();
  Shape sizes = adaptor.getSizes().getEntries();
  Shape steps = adaptor.getSteps().getEntries();
  for (size_t axis = 0; axis < rank; ++axis) {
    if (steps[axis].getConstant() == 0)
      return emitOptionalError(location, "axis ", axis,
                               ": expected a step other than 0, but got 0");
    requireNotNegative(
        location,
        SymInt::max(steps[axis] - SymInt(1), -steps[axis] - SymInt(1)),
        "axis " + Twine(axis) + ": expected a step other than 0, but got " +
            steps[axis].str());
    SymInt last = starts[axis] + (sizes[axis] - SymInt(1)) * steps[axis];
    requireInside(location, axis, (*x)[axis], starts[axis], sizes[axis],
                  steps[axis]);
    if (!provablyAtLeast(sizes[axis], SymInt(1)))
      continue; // The slice may be empty and read nothing.
    if (failed(checkFits(location, last,
                         {starts[axis], sizes[axis], steps[axis]},
                         "last position on axis " + Twine(axis))))
      return failure();
    for (const SymInt &index : {starts[axis], last})
      if (!mayBeInside(index, (*x)[axis]))
        return emitOptionalError(
            location, "axis ", axis, ": expected positions from 0 to ",
            ((*x)[axis] - SymInt(1)).str(), ", but got ", index.str());
  }
  types.push_back(
      getTensorType(sizes, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

SmallVector<IndexForm> SliceOp::getIndexForms() {
  Shape starts = getStarts().getEntries();
  Shape steps = getSteps().getEntries();
  SmallVector<Expr> indices;
  for (size_t axis = 0; axis < starts.size(); ++axis)
    indices.push_back(
        Expr::addIndex(Expr::mulIndex(Expr::var(axis), Expr::size(steps[axis])),
                       Expr::size(starts[axis])));
  Expr body = loadOf(getX(), 0, indices);
  return {{getResultShape(*this), body->type, body}};
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  auto are = [](DimsAttr ints, int64_t value) {
    return llvm::all_of(ints.getValues(),
                        [&](int64_t entry) { return entry == value; });
  };
  // Equal types do not show that an unnamed size is kept: the entry of `sizes`
  // must equal x's size.
  if (getX().getType() == getType() && are(getStarts(), 0) &&
      are(getSteps(), 1) &&
      llvm::equal(getSizes().getEntries(), getShape(getX())))
    return getX();
  return foldMovement(getOperation(), adaptor.getOperands());
}

//===----------------------------------------------------------------------===//
// split
//===----------------------------------------------------------------------===//

LogicalResult SplitOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x) || failed(checkAxis(location, adaptor.getAxis(), x->size())) ||
      failed(checkParameters(location, adaptor.getSizes(),
                             adaptor.getSizes().size(), "sizes")) ||
      failed(checkAtLeast(location, adaptor.getSizes(), 0, "sizes")))
    return failure();
  Shape sizes = adaptor.getSizes().getEntries();
  if (sizes.empty())
    return emitOptionalError(location, "expected at least 1 size, but got 0");
  SymInt sum;
  for (const SymInt &size : sizes)
    sum = sum + size;
  uint64_t axis = adaptor.getAxis();
  if (failed(checkFits(location, sum, sizes, "sum of sizes")) ||
      failed(checkEqual(location, (*x)[axis], sum, "sum of sizes")))
    return failure();
  Type element = getElementTypeOrSelf(adaptor.getX().getType());
  for (const SymInt &size : sizes) {
    Shape shape = *x;
    shape[axis] = size;
    types.push_back(getTensorType(shape, element));
  }
  return success();
}

SmallVector<IndexForm> SplitOp::getIndexForms() {
  SmallVector<IndexForm> forms;
  SymInt offset;
  uint64_t axis = getAxis();
  for (auto [number, size] : llvm::enumerate(getSizes().getEntries())) {
    Shape shape = getResultShape(*this, number);
    SmallVector<Expr> indices = getVars(shape.size());
    indices[axis] = Expr::addIndex(indices[axis], Expr::size(offset));
    Expr body = loadOf(getX(), 0, indices);
    forms.push_back({shape, body->type, body});
    offset = offset + size;
  }
  return forms;
}

//===----------------------------------------------------------------------===//
// reverse
//===----------------------------------------------------------------------===//

LogicalResult ReverseOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x) ||
      failed(checkAxes(location, adaptor.getAxes(), x->size(), "axes")))
    return failure();
  types.push_back(adaptor.getX().getType());
  return success();
}

SmallVector<IndexForm> ReverseOp::getIndexForms() {
  Shape shape = getResultShape(*this);
  SmallVector<Expr> indices = getVars(shape.size());
  for (int64_t axis : getAxes().getValues())
    indices[axis] =
        Expr::subIndex(Expr::size(shape[axis] - SymInt(1)), Expr::var(axis));
  Expr body = loadOf(getX(), 0, indices);
  return {{shape, body->type, body}};
}

OpFoldResult ReverseOp::fold(FoldAdaptor adaptor) {
  if (getAxes().size() == 0 && getX().getType() == getType())
    return getX();
  return foldMovement(getOperation(), adaptor.getOperands());
}
