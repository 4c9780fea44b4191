//===- GatherDerivatives.cpp - gathers and scatters -----------------------===//
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

/// The indices in [-size, size) that a gather reads: those below 0 count from
/// the end, as a scatter's do, and others are clamped.
static Value clampIndices(Cotangents &c, Value indices, const SymInt &size) {
  Shape shape = getShape(indices);
  Type type = getElementType(indices);
  Value count = c.broadcast(c.count(size, type), shape);
  // A size of 0 has no indices.
  Value last = c.sub(count, c.full(int64_t(1), type, shape));
  return c.op<MinimumOp>(c.op<MaximumOp>(indices, c.op<NegOp>(count)), last);
}

/// Which indices address an element of an axis of `size`: a scatter drops the
/// others.
static Value isInRange(Cotangents &c, Value indices, const SymInt &size) {
  Shape shape = getShape(indices);
  Type type = getElementType(indices);
  Value number = c.broadcast(c.count(size, type), shape);
  return c.op<AndOp>(c.op<LessOp>(indices, number),
                     c.op<LessEqualOp>(c.op<NegOp>(number), indices));
}

static Value withLastAxis(Cotangents &c, Value x) {
  Shape shape = getShape(x);
  shape.push_back(SymInt(1));
  return c.reshape(x, shape);
}

static Value zeros(Cotangents &c, const Shape &shape, Value like) {
  return c.full(0.0, getElementType(like), shape);
}

//===----------------------------------------------------------------------===//
// Gathers: the cotangents of all elements that read one are added
//===----------------------------------------------------------------------===//

LogicalResult differentiate::differentiate(GatherOp op, Cotangents &c) {
  int64_t axis = op.getAxis(), rank = getRank(op.getX());
  int64_t count = getRank(op.getIndices());
  Shape own = getShape(op.getX());
  // Bring the indexed axes to the front: scatter_nd adds slices.
  SmallVector<int64_t> perm = axesFrom(axis, axis + count);
  llvm::append_range(perm, axesFrom(0, axis));
  llvm::append_range(perm, axesFrom(axis + count, rank - 1 + count));
  Value y = c.transpose(c.of(), perm);
  Shape moved = {own[axis]};
  SmallVector<int64_t> back;
  for (int64_t from = 0; from < rank; ++from) {
    if (from != axis)
      moved.push_back(own[from]);
    back.push_back(from == axis ? 0 : from < axis ? from + 1 : from);
  }
  Value indices = withLastAxis(c, clampIndices(c, op.getIndices(), own[axis]));
  Value sum =
      c.op<ScatterNdOp>(zeros(c, moved, y), indices, y, ScatterReduction::Add);
  c.give(0, c.transpose(sum, back));
  return success();
}

LogicalResult differentiate::differentiate(GatherElementsOp op, Cotangents &c) {
  int64_t axis = op.getAxis();
  Value indices = clampIndices(c, op.getIndices(), getShape(op.getX())[axis]);
  c.give(0, c.op<ScatterElementsOp>(c.zerosLike(op.getX()), indices, c.of(),
                                    axis, ScatterReduction::Add));
  return success();
}

LogicalResult differentiate::differentiate(GatherNdOp op, Cotangents &c) {
  Value indices = op.getIndices();
  Shape own = getShape(op.getX()), shape = getShape(indices);
  int64_t batches = op.getBatchDims(), last = shape.size() - 1;
  std::optional<int64_t> depth = shape[last].getConstant();
  if (!depth)
    return op.emitOpError("has no derivative: expected a constant number of "
                          "indexed axes");
  // Full positions: those of the batches, then the indices.
  SmallVector<Value> columns;
  Shape column = shape;
  column[last] = SymInt(1);
  for (int64_t axis = 0; axis < batches; ++axis)
    columns.push_back(
        c.cast(c.positions(column, axis), getElementType(indices)));
  for (int64_t entry = 0; entry < *depth; ++entry)
    columns.push_back(clampIndices(c, c.slice(indices, last, entry, 1),
                                   own[batches + entry]));
  Value positions =
      columns.size() == 1 ? columns[0] : c.op<ConcatOp>(columns, last);
  c.give(0, c.op<ScatterNdOp>(zeros(c, own, c.of()), positions, c.of(),
                              ScatterReduction::Add));
  return success();
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// What differs between scatter_elements and scatter_nd.
namespace {
struct Scatter {
  /// Scatters `updates` into `x`.
  llvm::function_ref<Value(Value x, Value updates, ScatterReduction)> into;
  /// The elements of a tensor of the shape of x at the indices, clamped.
  llvm::function_ref<Value(Value x)> at;
  /// Which updates have an index in range, of the shape of the updates.
  Value inRange;
};
} // namespace

static LogicalResult differentiateScatter(Operation *op,
                                          ScatterReduction reduction,
                                          const Scatter &scatter,
                                          Cotangents &c) {
  Value x = op->getOperand(0), updates = op->getOperand(2);
  Value result = op->getResult(0), y = c.of();
  auto pick = [&](Value hits, Value values) {
    return c.op<WhereOp>(hits, values, c.zerosLike(values));
  };
  auto giveUpdates = [&](Value hits, Value values) {
    c.give(2, pick(c.op<AndOp>(hits, scatter.inRange), values));
  };
  switch (reduction) {
  case ScatterReduction::Add:
    if (c.wants(0))
      c.give(0, y);
    if (c.wants(2))
      c.give(2, pick(scatter.inRange, scatter.at(y)));
    return success();
  case ScatterReduction::None: {
    if (c.wants(0))
      c.give(0, scatter.into(y, c.zerosLike(updates), ScatterReduction::None));
    if (!c.wants(2))
      return success();
    // An update counts if it is the last one at its position.
    Shape shape = getShape(updates), flat = {SymInt(1)};
    for (const SymInt &size : shape)
      flat[0] = flat[0] * size;
    Value numbers = c.reshape(c.positions(flat, 0), shape);
    Value winners =
        scatter.into(c.full(int64_t(-1), c.builder.getI64Type(), getShape(x)),
                     numbers, ScatterReduction::None);
    giveUpdates(c.op<EqualOp>(scatter.at(winners), numbers), scatter.at(y));
    return success();
  }
  case ScatterReduction::Mul:
    if (c.wants(2))
      return op->emitOpError("has no derivative with respect to updates that "
                             "are multiplied");
    c.give(0, scatter.into(y, updates, ScatterReduction::Mul));
    return success();
  case ScatterReduction::Max:
  case ScatterReduction::Min: {
    // All that are equal to the result share its cotangent.
    Type wide = getElementType(c.wideOf());
    Value own = c.op<EqualOp>(x, result);
    Value hits = c.op<AndOp>(c.op<EqualOp>(updates, scatter.at(result)),
                             scatter.inRange);
    Value number = scatter.into(c.cast(own, wide), c.cast(hits, wide),
                                ScatterReduction::Add);
    Value share = c.div(c.wideOf(), number);
    if (c.wants(0))
      c.give(0, pick(own, share));
    if (c.wants(2))
      c.give(2, pick(hits, scatter.at(share)));
    return success();
  }
  }
  llvm_unreachable("unknown reduction");
}

LogicalResult differentiate::differentiate(ScatterElementsOp op,
                                           Cotangents &c) {
  int64_t axis = op.getAxis();
  SymInt size = getShape(op.getX())[axis];
  Value indices = op.getIndices();
  auto into = [&](Value x, Value updates, ScatterReduction reduction) {
    return c.op<ScatterElementsOp>(x, indices, updates, axis, reduction);
  };
  auto at = [&](Value x) { return c.op<GatherElementsOp>(x, indices, axis); };
  Value inRange = c.wants(2) || op.getReduction() == ScatterReduction::Max ||
                          op.getReduction() == ScatterReduction::Min
                      ? isInRange(c, indices, size)
                      : Value();
  return differentiateScatter(op, op.getReduction(), {into, at, inRange}, c);
}

LogicalResult differentiate::differentiate(ScatterNdOp op, Cotangents &c) {
  Value indices = op.getIndices();
  Shape own = getShape(op.getX()), shape = getShape(indices);
  int64_t last = shape.size() - 1;
  std::optional<int64_t> depth = shape[last].getConstant();
  if (!depth)
    return op.emitOpError("has no derivative: expected a constant number of "
                          "indexed axes");
  auto into = [&](Value x, Value updates, ScatterReduction reduction) {
    return c.op<ScatterNdOp>(x, indices, updates, reduction);
  };
  auto at = [&](Value x) { return c.op<GatherNdOp>(x, indices, 0); };
  Value inRange;
  for (int64_t entry = 0; entry < *depth; ++entry) {
    Value one = isInRange(c, c.slice(indices, last, entry, 1), own[entry]);
    inRange = inRange ? c.op<AndOp>(inRange, one) : one;
  }
  // [i..., 1] as [i..., r...].
  Shape updates = getShape(op.getUpdates()), rows = shape;
  rows.pop_back();
  rows.append(updates.size() - rows.size(), SymInt(1));
  inRange = c.broadcast(c.reshape(inRange, rows), updates);
  return differentiateScatter(op, op.getReduction(), {into, at, inRange}, c);
}
