//===- ReshapeOp.cpp - graph.reshape --------------------------------------===//
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

LogicalResult ReshapeOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x) ||
      failed(checkAtLeast(location, adaptor.getShape(), 0, "sizes in shape")))
    return failure();
  Shape shape = adaptor.getShape().getEntries();
  SymInt from = product(*x);
  if (failed(checkFits(location, from, *x, "number of elements")))
    return failure();
  // One unstated size follows from the others.
  SymInt *open = nullptr;
  for (SymInt &size : shape)
    if (size.isUnknown() && !open)
      open = &size;
  if (open) {
    *open = SymInt(1);
    SymInt others = product(shape);
    std::optional<int64_t> rest = from.mod(others).getConstant();
    if (others.getConstant() == 0 || (rest && *rest != 0))
      return emitOptionalError(location, "expected the other sizes to divide ",
                               from.str(), " elements, but got ", others.str());
    requireNotNegative(location, others - SymInt(1),
                       "expected other sizes of at least 1 element, but got " +
                           others.str());
    requireEqual(location, from, others * from.floorDiv(others));
    *open = from.floorDiv(others);
  } else {
    SymInt to = product(shape);
    if (failed(checkFits(location, to, shape, "number of elements")))
      return failure();
    if (to.provablyDiffers(from))
      return emitOptionalError(location, "expected a shape of ", from.str(),
                               " elements, but got ", to.str());
    requireEqual(location, from, to);
  }
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

LogicalResult
OptimizationBarrierOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getX().getType());
  return success();
}

SmallVector<Value> OptimizationBarrierOp::decompose(OpBuilder &) {
  return {getX()};
}

namespace {
/// Axes [from, fromEnd) of one shape that hold the same elements, in the same
/// order, as axes [to, toEnd) of the other.
struct AxisGroup {
  size_t from, fromEnd, to, toEnd;
};
} // namespace

/// The smallest pair of axis ranges that start at `i` and `j` and have equal
/// products.
static std::optional<AxisGroup> findGroup(ArrayRef<SymInt> from, size_t i,
                                          ArrayRef<SymInt> to, size_t j) {
  size_t left = from.size() - i, right = to.size() - j;
  for (size_t total = 2; total <= left + right; ++total)
    for (size_t count = 1; count < total && count <= left; ++count) {
      size_t others = total - count;
      if (others > right)
        continue;
      if (provablyEqual(product(from.slice(i, count)),
                        product(to.slice(j, others))))
        return AxisGroup{i, i + count, j, j + others};
    }
  return std::nullopt;
}

/// The finest common grouping of the axes of two shapes with equally many
/// elements, so that an axis that a reshape keeps is not divided.
static SmallVector<AxisGroup> groupAxes(ArrayRef<SymInt> from,
                                        ArrayRef<SymInt> to) {
  SmallVector<AxisGroup> groups;
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    if (i < from.size() && from[i].getConstant() == 1 &&
        !(j < to.size() && to[j].getConstant() == 1)) {
      groups.push_back({i, i + 1, j, j});
      ++i;
      continue;
    }
    if (j < to.size() && to[j].getConstant() == 1 &&
        !(i < from.size() && from[i].getConstant() == 1)) {
      groups.push_back({i, i, j, j + 1});
      ++j;
      continue;
    }
    std::optional<AxisGroup> group = findGroup(from, i, to, j);
    if (group) {
      groups.push_back(*group);
      i = group->fromEnd;
      j = group->toEnd;
      continue;
    }
    // The products can't be proved equal: make one group, without the unchanged
    // axes at its end.
    size_t kept = 0;
    while (from.size() - i > kept + 1 && to.size() - j > kept + 1 &&
           from[from.size() - 1 - kept] == to[to.size() - 1 - kept])
      ++kept;
    groups.push_back({i, from.size() - kept, j, to.size() - kept});
    i = from.size() - kept;
    j = to.size() - kept;
  }
  return groups;
}

SmallVector<IndexForm> ReshapeOp::getIndexForms() {
  Shape from = tenon::graph::getShape(getX());
  Shape to = getResultShape(*this);
  SmallVector<Expr> vars = getVars(to.size());
  SmallVector<Expr> indices;
  for (const AxisGroup &group : groupAxes(from, to)) {
    size_t sources = group.fromEnd - group.from;
    size_t results = group.toEnd - group.to;
    if (sources == 0)
      continue;
    if (sources == 1 && results == 1) {
      indices.push_back(vars[group.to]);
      continue;
    }
    Expr position = linearize(ArrayRef<Expr>(vars).slice(group.to, results),
                              ArrayRef<SymInt>(to).slice(group.to, results));
    llvm::append_range(
        indices, delinearize(position, ArrayRef<SymInt>(from).slice(group.from,
                                                                    sources)));
  }
  Expr body = loadOf(getX(), 0, indices);
  return {{to, body->type, body}};
}

/// Whether tensors of this type with equally many elements have equal shapes:
/// one unnamed size follows from the others, if none of them is 0.
static bool decidesShape(RankedTensorType type) {
  size_t unknown = 0;
  SymInt others(1);
  for (const SymInt &size : getShape(type)) {
    if (size.isUnknown())
      ++unknown;
    else
      others = others * size;
  }
  return unknown == 0 || (unknown == 1 && provablyAtLeast(others, SymInt(1)));
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType() && decidesShape(getType()))
    return getX();
  if (auto elements = dyn_cast_or_null<DenseElementsAttr>(adaptor.getX());
      elements && getType().hasStaticShape() &&
      product(tenon::graph::getShape(getX())) ==
          product(tenon::graph::getShape(getResult())))
    return elements.reshape(cast<ShapedType>(getType()));
  return {};
}
