//===- ScatterOps.cpp - writing at computed indices -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "InferenceChecks.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon::graph;

template <typename AdaptorTy>
static LogicalResult checkScatter(OptionalLocation location,
                                  AdaptorTy adaptor) {
  Type x = adaptor.getX().getType();
  if (failed(checkTensor(location, x, "x")) ||
      failed(
          checkTensor(location, adaptor.getIndices().getType(), "indices")) ||
      failed(
          checkTensor(location, adaptor.getUpdates().getType(), "updates")) ||
      failed(checkSameElement(location, x, adaptor.getUpdates().getType(), "x",
                              "updates")))
    return failure();
  if (adaptor.getReduction() != ScatterReduction::None &&
      isBool(getElementTypeOrSelf(x)))
    return emitOptionalError(
        location, "expected reduction none for i1 elements, but got ",
        stringifyScatterReduction(adaptor.getReduction()));
  return success();
}

/// Combines `x` with the updates at those positions of the box that the guard
/// admits, in row-major order.
static Expr joinUpdates(ScatterReduction reduction, Expr x, unsigned firstBound,
                        ArrayRef<SymInt> box, Expr guard,
                        function_ref<Expr(ArrayRef<Expr>)> update) {
  SmallVector<Expr> positions = getVars(box.size(), firstBound);
  SmallVector<unsigned> bound;
  SmallVector<Expr> extents;
  for (auto [number, size] : llvm::enumerate(box)) {
    bound.push_back(firstBound + number);
    extents.push_back(Expr::size(size));
  }
  if (reduction == ScatterReduction::None) {
    if (box.empty())
      return Expr::select(guard, update({}), x);
    // The last update wins: find its position. If there is none, the maximum is
    // the minimum integer.
    Type i64 = IntegerType::get(x->type.getContext(), 64);
    Expr last = Expr::fromElement(
        Expr::reduce(ReduceKind::Max, bound, extents, guard,
                     Expr::fromIndex(linearize(positions, box), i64)));
    return Expr::select(Expr::lessEqual(Expr::index(0), last),
                        update(delinearize(last, box)), x);
  }
  auto [kind, fn] = [&]() -> std::pair<ReduceKind, ScalarFn> {
    switch (reduction) {
    case ScatterReduction::Mul:
      return {ReduceKind::Prod, ScalarFn::Mul};
    case ScatterReduction::Max:
      return {ReduceKind::Max, ScalarFn::Max};
    case ScatterReduction::Min:
      return {ReduceKind::Min, ScalarFn::Min};
    default:
      return {ReduceKind::Sum, ScalarFn::Add};
    }
  }();
  Type accumulation = getAccumulationType(x->type);
  Expr own = Expr::cast(x, accumulation);
  Expr joined;
  if (box.empty()) {
    joined = Expr::select(
        guard, Expr::apply(fn, {own, Expr::cast(update({}), accumulation)}),
        own);
  } else {
    Expr all = Expr::reduce(kind, bound, extents, guard,
                            Expr::cast(update(positions), accumulation));
    joined = Expr::apply(fn, {own, all});
  }
  return Expr::cast(joined, x->type);
}

//===----------------------------------------------------------------------===//
// scatter_elements
//===----------------------------------------------------------------------===//

LogicalResult ScatterElementsOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &types) {
  if (failed(checkScatter(location, adaptor)))
    return failure();
  Shape x = getShape(adaptor.getX());
  Shape indices = getShape(adaptor.getIndices());
  Shape updates = getShape(adaptor.getUpdates());
  if (failed(checkAxis(location, adaptor.getAxis(), x.size())))
    return failure();
  if (indices.size() != x.size() || updates.size() != x.size())
    return emitOptionalError(location, "expected indices and updates of rank ",
                             x.size(), ", but got ranks ", indices.size(),
                             " and ", updates.size());
  for (size_t axis = 0; axis < x.size(); ++axis) {
    if (failed(checkEqual(location, indices[axis], updates[axis],
                          "axis " + Twine(axis) + " of updates")))
      return failure();
    if (axis == static_cast<size_t>(adaptor.getAxis()))
      continue;
    std::string sizes = "expected at most " + x[axis].str() + ", but got " +
                        indices[axis].str();
    SymInt excess = indices[axis] - x[axis];
    if (provablyAtLeast(excess, SymInt(1)))
      return emitOptionalError(location, "axis ", axis, " of indices: ", sizes);
    requireNotNegative(location, -excess,
                       "axis " + Twine(axis) + " of indices: " + sizes);
  }
  types.push_back(adaptor.getX().getType());
  return success();
}

SmallVector<IndexForm> ScatterElementsOp::getIndexForms() {
  Shape shape = getResultShape(*this), updates = getShape(getUpdates());
  unsigned rank = shape.size(), axis = getAxis();
  SmallVector<Expr> at = getVars(rank);
  Expr x = loadOf(getX(), 0, at);
  SmallVector<Expr> from = at;
  from[axis] = Expr::var(rank);
  Expr guard = Expr::always();
  for (unsigned other = 0; other < rank; ++other)
    if (other != axis && updates[other] != shape[other])
      guard = Expr::logicalAnd(
          guard, Expr::less(at[other], Expr::size(updates[other])));
  Expr target = getWrappedIndex(loadOf(getIndices(), 1, from), shape[axis]);
  guard = Expr::logicalAnd(guard, Expr::equal(target, at[axis]));
  Expr body = joinUpdates(getReduction(), x, rank, {updates[axis]}, guard,
                          [&](ArrayRef<Expr> position) {
                            SmallVector<Expr> source = at;
                            source[axis] = position[0];
                            return loadOf(getUpdates(), 2, source);
                          });
  return {{shape, x->type, body}};
}

//===----------------------------------------------------------------------===//
// scatter_nd
//===----------------------------------------------------------------------===//

LogicalResult ScatterNdOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  if (failed(checkScatter(location, adaptor)))
    return failure();
  Shape x = getShape(adaptor.getX());
  Shape indices = getShape(adaptor.getIndices());
  Shape updates = getShape(adaptor.getUpdates());
  if (indices.empty() || x.empty())
    return emitOptionalError(location,
                             "expected x and indices of rank 1 or more, but "
                             "got ranks ",
                             x.size(), " and ", indices.size());
  std::optional<int64_t> length = indices.back().getConstant();
  if (!length || *length < 1 || *length > static_cast<int64_t>(x.size()))
    return emitOptionalError(location,
                             "last axis of indices: expected a constant size "
                             "from 1 to ",
                             x.size(), ", but got ", indices.back().str());
  Shape expected(indices.begin(), indices.end() - 1);
  expected.append(x.begin() + *length, x.end());
  if (updates.size() != expected.size())
    return emitOptionalError(location, "expected updates of rank ",
                             expected.size(), ", but got rank ",
                             updates.size());
  for (size_t axis = 0; axis < expected.size(); ++axis)
    if (failed(checkEqual(location, expected[axis], updates[axis],
                          "axis " + Twine(axis) + " of updates")))
      return failure();
  types.push_back(adaptor.getX().getType());
  return success();
}

SmallVector<IndexForm> ScatterNdOp::getIndexForms() {
  Shape shape = getResultShape(*this), indices = getShape(getIndices());
  unsigned rank = shape.size(), tuple = indices.size() - 1;
  int64_t length = *indices.back().getConstant();
  SmallVector<Expr> at = getVars(rank);
  Expr x = loadOf(getX(), 0, at);
  SmallVector<Expr> positions = getVars(tuple, rank);
  Expr guard = Expr::always();
  for (int64_t number = 0; number < length; ++number) {
    SmallVector<Expr> entry = positions;
    entry.push_back(Expr::index(number));
    Expr target =
        getWrappedIndex(loadOf(getIndices(), 1, entry), shape[number]);
    guard = Expr::logicalAnd(guard, Expr::equal(target, at[number]));
  }
  ArrayRef<SymInt> box = ArrayRef<SymInt>(indices).drop_back();
  Expr body = joinUpdates(
      getReduction(), x, rank, box, guard, [&](ArrayRef<Expr> position) {
        SmallVector<Expr> source(position);
        llvm::append_range(source, ArrayRef<Expr>(at).drop_front(length));
        return loadOf(getUpdates(), 2, source);
      });
  return {{shape, x->type, body}};
}
