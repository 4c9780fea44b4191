//===- ReduceDerivatives.cpp - reductions, scans and top-k ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpDerivatives.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// The axes of a reduction; null if they are not constant.
static FailureOr<SmallVector<int64_t>> getAxes(Operation *op, DimsAttr axes) {
  SmallVector<int64_t> numbers;
  for (const SymInt &axis : axes.getEntries()) {
    std::optional<int64_t> constant = axis.getConstant();
    if (!constant)
      return op->emitOpError("has no derivative: expected constant axes");
    numbers.push_back(*constant);
  }
  return numbers;
}

/// Repeats the result of a reduction of `x` over `axes` along these axes.
static Value repeat(Cotangents &c, Value reduced, Value x,
                    ArrayRef<int64_t> axes) {
  Shape kept = getShape(x);
  for (int64_t axis : axes)
    kept[axis] = SymInt(1);
  return c.broadcastLike(c.reshape(reduced, kept), x);
}

/// Differentiated is the sum over the ranks of the results of each.
LogicalResult differentiate::differentiate(AllReduceOp op, Cotangents &c) {
  c.give(0, c.op<AllReduceOp>(c.of(), op.getAxes()));
  return success();
}

LogicalResult differentiate::differentiate(ReduceSumOp op, Cotangents &c) {
  FailureOr<SmallVector<int64_t>> axes = getAxes(op, op.getAxes());
  if (failed(axes))
    return failure();
  c.give(0, repeat(c, c.of(), op.getX(), *axes));
  return success();
}

/// The elements that are equal to the maximum or minimum share its cotangent.
template <typename OpTy>
static LogicalResult differentiateExtremum(OpTy op, Cotangents &c) {
  FailureOr<SmallVector<int64_t>> axes = getAxes(op, op.getAxes());
  if (failed(axes))
    return failure();
  Value x = op.getX();
  Type wide = getElementType(c.wideOf());
  Value hits = c.op<EqualOp>(x, repeat(c, op.getResult(), x, *axes));
  Value number =
      c.op<ReduceSumOp>(c.cast(hits, wide), op.getAxes(), op.getKeepdims());
  Value share = repeat(c, c.div(c.wideOf(), number), x, *axes);
  c.give(0, c.op<WhereOp>(hits, share, c.zerosLike(share)));
  return success();
}

LogicalResult differentiate::differentiate(ReduceMaxOp op, Cotangents &c) {
  return differentiateExtremum(op, c);
}

LogicalResult differentiate::differentiate(ReduceMinOp op, Cotangents &c) {
  return differentiateExtremum(op, c);
}

/// Every element gets the product of the others, by products of those before
/// and after it: a quotient would fail where an element is 0.
LogicalResult differentiate::differentiate(ReduceProdOp op, Cotangents &c) {
  FailureOr<SmallVector<int64_t>> axes = getAxes(op, op.getAxes());
  if (failed(axes))
    return failure();
  Value x = op.getX();
  Shape own = getShape(x), joined;
  SymInt number(1);
  SmallVector<int64_t> perm, inverse(own.size());
  for (int64_t axis = 0, rank = own.size(); axis < rank; ++axis)
    if (!llvm::is_contained(*axes, axis)) {
      perm.push_back(axis);
      joined.push_back(own[axis]);
    }
  for (int64_t axis : *axes) {
    perm.push_back(axis);
    number = number * own[axis];
  }
  joined.push_back(number);
  for (auto [to, from] : llvm::enumerate(perm))
    inverse[from] = to;
  int64_t last = joined.size() - 1;
  Value moved = c.transpose(c.widen(x), perm);
  Shape movedShape = getShape(moved);
  Value line = c.reshape(moved, joined);
  Value before = c.op<CumprodOp>(line, last, /*exclusive=*/true, false);
  Value after = c.op<CumprodOp>(line, last, /*exclusive=*/true, true);
  Value others =
      c.transpose(c.reshape(c.mul(before, after), movedShape), inverse);
  c.give(0, c.mul(repeat(c, c.wideOf(), x, *axes), others));
  return success();
}

/// x / norm, and 0 where the norm is 0.
LogicalResult differentiate::differentiate(ReduceL2Op op, Cotangents &c) {
  FailureOr<SmallVector<int64_t>> axes = getAxes(op, op.getAxes());
  if (failed(axes))
    return failure();
  Value norm = c.widen(op.getResult()), zero = c.zerosLike(norm);
  Value factor =
      c.op<WhereOp>(c.op<EqualOp>(norm, zero), zero, c.div(c.wideOf(), norm));
  c.give(0, c.mul(repeat(c, factor, op.getX(), *axes), c.widen(op.getX())));
  return success();
}

/// The softmax of the elements, exp(x - result).
LogicalResult differentiate::differentiate(ReduceLogSumExpOp op,
                                           Cotangents &c) {
  FailureOr<SmallVector<int64_t>> axes = getAxes(op, op.getAxes());
  if (failed(axes))
    return failure();
  Value x = op.getX();
  // Where all elements are -infinity, so is the result: their derivatives are 0
  // and not exp(-inf - -inf).
  Value result = c.widen(op.getResult());
  const auto &format =
      cast<FloatType>(graph::getElementType(result)).getFloatSemantics();
  double lowest =
      APFloat::getLargest(format, /*Negative=*/true).convertToDouble();
  result = c.op<MaximumOp>(result, c.fullLike(lowest, result));
  Value shifted = c.sub(c.widen(x), repeat(c, result, x, *axes));
  c.give(0, c.mul(repeat(c, c.wideOf(), x, *axes), c.op<ExpOp>(shifted)));
  return success();
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

LogicalResult differentiate::differentiate(CumsumOp op, Cotangents &c) {
  c.give(0, c.op<CumsumOp>(c.of(), op.getAxis(), op.getExclusive(),
                           !op.getReverse()));
  return success();
}

/// With x[j] left out, the product up to i is the product before j times that
/// between j and i. Both are computed as products, which takes n elements per
/// element: quotients would fail where an element is 0.
LogicalResult differentiate::differentiate(CumprodOp op, Cotangents &c) {
  int64_t axis = op.getAxis();
  Value x = c.widen(op.getX()), y = c.wideOf();
  DimsAttr axes = getInts(op.getContext(), {axis});
  if (op.getReverse()) {
    x = c.op<ReverseOp>(x, axes);
    y = c.op<ReverseOp>(y, axes);
  }
  Value before = c.op<CumprodOp>(x, axis, /*exclusive=*/true, false);
  // [..., j, i, ...]: 1 up to j, then x[i].
  Shape row = getShape(x), square = row;
  row.insert(row.begin() + axis, SymInt(1));
  square.insert(square.begin() + axis, getShape(x)[axis]);
  Value j = c.positions(square, axis), i = c.positions(square, axis + 1);
  Value factors = c.broadcast(c.reshape(x, row), square);
  factors = c.op<WhereOp>(c.op<LessOp>(j, i), factors, c.fullLike(1, factors));
  Value between = c.op<CumprodOp>(factors, axis + 1, op.getExclusive(), false);
  Value terms = c.mul(between, c.broadcast(c.reshape(y, row), square));
  Value counts =
      op.getExclusive() ? c.op<LessOp>(j, i) : c.op<LessEqualOp>(j, i);
  terms = c.op<WhereOp>(counts, terms, c.zerosLike(terms));
  Value sum =
      c.op<ReduceSumOp>(terms, getInts(op.getContext(), {axis + 1}), false);
  Value result = c.mul(before, sum);
  c.give(0, op.getReverse() ? c.op<ReverseOp>(result, axes) : result);
  return success();
}

//===----------------------------------------------------------------------===//
// Top-k
//===----------------------------------------------------------------------===//

LogicalResult differentiate::differentiate(TopKOp op, Cotangents &c) {
  if (c.of())
    c.give(0, c.op<ScatterElementsOp>(c.zerosLike(op.getX()), op.getIndices(),
                                      c.of(), op.getAxis(),
                                      ScatterReduction::Add));
  return success();
}
