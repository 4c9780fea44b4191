//===- MatmulOp.cpp - graph.matmul ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "InferenceChecks.h"

using namespace mlir;
using namespace tenon::graph;

/// The size of a batch axis of the result: a constant 1 is broadcast.
static FailureOr<SymInt> broadcastSize(OptionalLocation location,
                                       const SymInt &a, const SymInt &b,
                                       size_t axis) {
  if (a.getConstant() == 1)
    return b;
  if (b.getConstant() == 1)
    return a;
  return checkEqual(location, a, b, "size of rhs's batch axis " + Twine(axis));
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  FailureOr<Shape> a = checkTensor(location, adaptor.getLhs().getType(), "lhs");
  FailureOr<Shape> b = checkTensor(location, adaptor.getRhs().getType(), "rhs");
  if (failed(a) || failed(b) ||
      failed(checkSameElement(location, adaptor.getLhs().getType(),
                              adaptor.getRhs().getType(), "lhs", "rhs")))
    return failure();
  if (a->size() < 2 || b->size() < 2)
    return emitOptionalError(location,
                             "expected operands of rank 2 or more, but got "
                             "ranks ",
                             a->size(), " and ", b->size());
  if (adaptor.getTransposeA())
    std::swap((*a)[a->size() - 1], (*a)[a->size() - 2]);
  if (adaptor.getTransposeB())
    std::swap((*b)[b->size() - 1], (*b)[b->size() - 2]);
  if (failed(checkEqual(location, a->back(), (*b)[b->size() - 2],
                        "contracted size of rhs")))
    return failure();
  SymInt rows = (*a)[a->size() - 2], columns = b->back();
  a->pop_back_n(2);
  b->pop_back_n(2);
  Shape shape;
  size_t batchRank = std::max(a->size(), b->size());
  for (size_t axis = 0; axis < batchRank; ++axis) {
    size_t inA = axis + a->size(), inB = axis + b->size();
    FailureOr<SymInt> size = broadcastSize(
        location, inA < batchRank ? SymInt(1) : (*a)[inA - batchRank],
        inB < batchRank ? SymInt(1) : (*b)[inB - batchRank], axis);
    if (failed(size))
      return failure();
    shape.push_back(*size);
  }
  shape.push_back(rows);
  shape.push_back(columns);
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getLhs().getType())));
  return success();
}

/// Loads the element in row `row` and column `column` of the matrix that the
/// leading result variables select.
static Expr loadMatrix(Value operand, unsigned number, ArrayRef<SymInt> batch,
                       bool transposed, Expr row, Expr column) {
  Shape shape = getShape(operand);
  size_t own = shape.size() - 2;
  SmallVector<Expr> indices;
  for (size_t axis = 0; axis < own; ++axis)
    indices.push_back(getBroadcastIndex(shape[axis],
                                        batch[batch.size() - own + axis],
                                        batch.size() - own + axis));
  if (transposed)
    std::swap(row, column);
  indices.push_back(row);
  indices.push_back(column);
  return loadOf(operand, number, indices);
}

SmallVector<IndexForm> MatmulOp::getIndexForms() {
  Shape shape = getResultShape(*this);
  unsigned rank = shape.size();
  Type element = getElementTypeOrSelf(getResult().getType());
  Type accumulation = getAccumulationType(element);
  Shape a = getShape(getLhs()), b = getShape(getRhs());
  const SymInt &inA = a[a.size() - (getTransposeA() ? 2 : 1)];
  const SymInt &inB = b[b.size() - (getTransposeB() ? 1 : 2)];
  FailureOr<SymInt> depth = unify(inA, inB);

  Expr k = Expr::var(rank);
  ArrayRef<SymInt> batch = ArrayRef<SymInt>(shape).drop_back(2);
  Expr left =
      loadMatrix(getLhs(), 0, batch, getTransposeA(), Expr::var(rank - 2), k);
  Expr right =
      loadMatrix(getRhs(), 1, batch, getTransposeB(), k, Expr::var(rank - 1));
  Expr term = Expr::apply(ScalarFn::Mul, {Expr::cast(left, accumulation),
                                          Expr::cast(right, accumulation)});
  Expr sum = Expr::reduce(ReduceKind::Sum, {rank},
                          {Expr::size(succeeded(depth) ? *depth : inA)},
                          Expr::always(), term);
  return {{shape, element, Expr::cast(sum, element)}};
}
