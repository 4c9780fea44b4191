//===- MovementDerivatives.cpp - adjoints of ops that move elements -------===//
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

LogicalResult differentiate::differentiate(TransposeOp op, Cotangents &c) {
  Shape perm = op.getPerm().getEntries();
  SmallVector<int64_t> inverse(perm.size());
  for (auto [axis, from] : llvm::enumerate(perm)) {
    std::optional<int64_t> constant = from.getConstant();
    if (!constant)
      return op.emitOpError("has no derivative: expected a constant perm");
    inverse[*constant] = axis;
  }
  c.give(0, c.transpose(c.of(), inverse));
  return success();
}

LogicalResult differentiate::differentiate(ReshapeOp op, Cotangents &c) {
  c.give(0, c.reshape(c.of(), getShape(op.getX())));
  return success();
}

LogicalResult differentiate::differentiate(BroadcastOp op, Cotangents &c) {
  c.give(0, c.sumTo(c.of(), getShape(op.getX())));
  return success();
}

LogicalResult differentiate::differentiate(TileOp op, Cotangents &c) {
  // Index i of an axis of size r * n is repeat i / n of element i mod n.
  Shape own = getShape(op.getX()), split;
  SmallVector<int64_t> axes;
  for (auto [size, repeats] : llvm::zip(own, op.getRepeats().getEntries())) {
    axes.push_back(split.size());
    split.append({repeats, size});
  }
  Value parts = c.reshape(c.of(), split);
  c.give(0, c.op<ReduceSumOp>(parts, getInts(op.getContext(), axes), false));
  return success();
}

LogicalResult differentiate::differentiate(ReverseOp op, Cotangents &c) {
  c.give(0, c.op<ReverseOp>(c.of(), op.getAxes()));
  return success();
}

//===----------------------------------------------------------------------===//
// Parts of an axis
//===----------------------------------------------------------------------===//

/// Puts `step` - 1 zeros after every element but the last.
static Value spread(Cotangents &c, Value x, int64_t axis, const SymInt &step) {
  Shape shape = getShape(x);
  Shape column = shape;
  column.insert(column.begin() + axis + 1, SymInt(1));
  x = c.pad(c.reshape(x, column), axis + 1, 0, step - SymInt(1));
  SymInt size = shape[axis];
  shape[axis] = size * step;
  // Of no elements, none are left.
  SymInt end = (size - SymInt(1)) * step + SymInt(1);
  return c.slice(c.reshape(x, shape), axis, 0, SymInt::max(end, 0));
}

LogicalResult differentiate::differentiate(SliceOp op, Cotangents &c) {
  Value x = c.of();
  Shape own = getShape(op.getX());
  for (size_t axis = 0; axis < own.size(); ++axis) {
    SymInt start = op.getStarts().getEntries()[axis];
    SymInt size = op.getSizes().getEntries()[axis];
    SymInt step = op.getSteps().getEntries()[axis];
    if (size.getConstant() == 0) {
      // The start of an empty part may be anything.
      Shape shape = getShape(x);
      shape[axis] = own[axis];
      x = c.full(0.0, getElementType(x), shape);
      continue;
    }
    std::optional<int64_t> number = step.getConstant();
    if (!number)
      return op.emitOpError("has no derivative: expected constant steps");
    if (*number < 0) {
      x = c.op<ReverseOp>(x, getInts(op.getContext(), {int64_t(axis)}));
      start = start + (size - SymInt(1)) * step;
      step = -step;
    }
    if (step.getConstant() != 1)
      x = spread(c, x, axis, step);
    x = c.pad(x, axis, start, own[axis] - start - getShape(x)[axis]);
  }
  c.give(0, x);
  return success();
}

LogicalResult differentiate::differentiate(ConcatOp op, Cotangents &c) {
  int64_t axis = op.getAxis();
  SymInt start(0);
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    SymInt size = getShape(input)[axis];
    if (c.wants(number))
      c.give(number, c.slice(c.of(), axis, start, size));
    start = start + size;
  }
  return success();
}

LogicalResult differentiate::differentiate(SplitOp op, Cotangents &c) {
  SmallVector<Value> parts;
  for (auto [number, part] : llvm::enumerate(op.getParts()))
    parts.push_back(c.of(number) ? c.of(number) : c.zerosLike(part));
  c.give(0, c.op<ConcatOp>(parts, op.getAxis()));
  return success();
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// The padding at distance d from the first or last element repeats that at
/// distance d on the other side: `x` is the cotangent of all.
static Value addMirrored(Cotangents &c, Value x, int64_t axis,
                         const SymInt &size, const SymInt &lows,
                         const SymInt &highs) {
  DimsAttr axes = getInts(c.builder.getContext(), {axis});
  Value inner = c.slice(x, axis, lows, size);
  if (lows.getConstant() != 0) {
    Value low = c.op<ReverseOp>(c.slice(x, axis, 0, lows), axes);
    inner = c.add(inner, c.pad(low, axis, 1, size - lows - SymInt(1)));
  }
  if (highs.getConstant() != 0) {
    Value high = c.op<ReverseOp>(c.slice(x, axis, lows + size, highs), axes);
    inner = c.add(inner, c.pad(high, axis, size - highs - SymInt(1), 1));
  }
  return inner;
}

/// The first element of an axis is repeated by the `lows` before it, and the
/// last by the `highs` after it: `x` is the cotangent of all.
static Value addEdges(Cotangents &c, Value x, int64_t axis, const SymInt &size,
                      const SymInt &lows, const SymInt &highs) {
  SymInt others = size - SymInt(1);
  Value inner = c.pad(c.slice(x, axis, lows + SymInt(1), others), axis, 1, 0);
  Value first =
      c.reduceKeep<ReduceSumOp>(c.slice(x, axis, 0, lows + SymInt(1)), {axis});
  inner = c.add(inner, c.pad(first, axis, 0, others));
  if (highs.getConstant() == 0)
    return inner;
  Value last =
      c.reduceKeep<ReduceSumOp>(c.slice(x, axis, lows + size, highs), {axis});
  return c.add(inner, c.pad(last, axis, others, 0));
}

/// Adds the elements of an axis whose positions less `low` are equal modulo
/// `size`.
static Value unwrap(Cotangents &c, Value x, int64_t axis, const SymInt &size,
                    const SymInt &low) {
  // Leading and trailing zeros make the axis a number of whole periods.
  SymInt before = (-low).mod(size);
  SymInt padded = before + getShape(x)[axis];
  SymInt after = (-padded).mod(size);
  x = c.pad(x, axis, before, after);
  Shape split = getShape(x);
  split[axis] = (padded + after).floorDiv(size);
  split.insert(split.begin() + axis + 1, size);
  return c.op<ReduceSumOp>(c.reshape(x, split),
                           getInts(c.builder.getContext(), {axis}), false);
}

LogicalResult differentiate::differentiate(PadOp op, Cotangents &c) {
  Value x = c.of();
  Shape own = getShape(op.getX());
  for (int64_t axis = 0, rank = own.size(); axis < rank; ++axis) {
    SymInt low = op.getLow().getEntries()[axis];
    SymInt high = op.getHigh().getEntries()[axis];
    const SymInt &size = own[axis];
    if (low.getConstant() == 0 && high.getConstant() == 0)
      continue;
    switch (op.getMode()) {
    case PadMode::Constant:
      x = c.slice(x, axis, low, size);
      break;
    case PadMode::Reflect:
      x = addMirrored(c, x, axis, size, low, high);
      break;
    case PadMode::Edge:
      x = addEdges(c, x, axis, size, low, high);
      break;
    case PadMode::Wrap:
      x = unwrap(c, x, axis, size, low);
      break;
    }
  }
  c.give(0, x);
  return success();
}
