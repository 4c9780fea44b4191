//===- ResizeDerivative.cpp - the adjoint of resampling -------------------===//
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

/// The weights of an axis, [size of x, size of result]: the resized unit
/// matrix.
static Value getWeights(Cotangents &c, ResizeOp op, int64_t axis, Type type) {
  SymInt from = getShape(op.getX())[axis], to = getShape(op.getResult())[axis];
  Shape square = {from, from};
  Value unit = c.cast(
      c.op<EqualOp>(c.positions(square, 0), c.positions(square, 1)), type);
  return c.op<ResizeOp>(
      unit, c.dims({from, to}),
      c.builder.getDenseF64ArrayAttr({1.0, op.getScales()[axis]}),
      op.getModeAttr(), op.getCoordinatesAttr(), op.getRoundingAttr(),
      op.getCubicCoeffAttr(), op.getExcludeOutsideAttr());
}

/// Weights of several axes are multiplied, so the adjoint is a product with the
/// transposed weights along each.
LogicalResult differentiate::differentiate(ResizeOp op, Cotangents &c) {
  Value x = c.wideOf();
  int64_t rank = getRank(x), last = rank - 1;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (op.getScales()[axis] == 1)
      continue;
    Value weights = getWeights(c, op, axis, getElementType(x));
    SmallVector<int64_t> perm = axesFrom(0, rank);
    std::swap(perm[axis], perm[last]);
    Value moved = c.transpose(x, perm);
    if (rank == 1) {
      moved = c.reshape(moved, {SymInt(1), getShape(moved)[0]});
      x = c.op<MatmulOp>(moved, weights, false, true);
      x = c.reshape(x, {getShape(x)[1]});
      continue;
    }
    x = c.transpose(c.op<MatmulOp>(moved, weights, false, true), perm);
  }
  c.give(0, x);
  return success();
}
