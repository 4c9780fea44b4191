//===- LinearDerivatives.cpp - matmul and convolutions --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpDerivatives.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

/// [..., m, n] as [..., n, m].
static Value swapLastAxes(Cotangents &c, Value x) {
  SmallVector<int64_t> perm = axesFrom(0, getRank(x));
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return c.transpose(x, perm);
}

/// [b..., m, n] as [product of b... and m, n].
static Value flattenRows(Cotangents &c, Value x) {
  Shape shape = getShape(x);
  SymInt rows(1);
  for (const SymInt &size : llvm::drop_end(shape))
    rows = rows * size;
  return c.reshape(x, {rows, shape.back()});
}

/// Whether x is one matrix for all batches of `other`.
static bool isShared(Value x, Value other) {
  Shape shape = getShape(x), others = getShape(other);
  return llvm::all_of(
             llvm::drop_end(shape, 2),
             [](const SymInt &size) { return size.getConstant() == 1; }) &&
         llvm::any_of(llvm::drop_end(others, 2), [](const SymInt &size) {
           return size.getConstant() != 1;
         });
}

/// The cotangent of rhs = [k, n], or [n, k] if it is `transposed`, which is
/// shared by all batches: one product with the batches as rows.
static Value sharedRhs(Cotangents &c, Value lhs, Value y, bool lhsTransposed,
                       bool transposed) {
  if (lhsTransposed)
    lhs = swapLastAxes(c, lhs);
  lhs = flattenRows(c, lhs);
  y = flattenRows(c, y);
  return transposed ? c.op<MatmulOp>(y, lhs, true, false)
                    : c.op<MatmulOp>(lhs, y, true, false);
}

LogicalResult differentiate::differentiate(MatmulOp op, Cotangents &c) {
  Value lhs = op.getLhs(), rhs = op.getRhs(), y = c.of();
  bool a = op.getTransposeA(), b = op.getTransposeB();
  if (c.wants(0)) {
    Value result =
        a ? c.op<MatmulOp>(rhs, y, b, true) : c.op<MatmulOp>(y, rhs, false, !b);
    c.give(0, c.sumTo(result, getShape(lhs)));
  }
  if (!c.wants(1))
    return success();
  Value result;
  Shape batches = getShape(lhs);
  batches.truncate(batches.size() - 2);
  Shape resultBatches = getShape(y);
  resultBatches.truncate(resultBatches.size() - 2);
  if (isShared(rhs, lhs) && batches == resultBatches)
    result = c.reshape(sharedRhs(c, lhs, y, a, b), getShape(rhs));
  else
    result = c.sumTo(b ? c.op<MatmulOp>(y, lhs, true, a)
                       : c.op<MatmulOp>(lhs, y, !a, false),
                     getShape(rhs));
  c.give(1, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// The order of axes that turns [n, s..., c] into [n, c, s...].
static SmallVector<int64_t> channelsFirst(int64_t rank) {
  SmallVector<int64_t> perm = {0, rank - 1};
  llvm::append_range(perm, axesFrom(1, rank - 1));
  return perm;
}

/// The order of axes that turns [n, c, s...] into [n, s..., c].
static SmallVector<int64_t> channelsLast(int64_t rank) {
  SmallVector<int64_t> perm = {0};
  llvm::append_range(perm, axesFrom(2, rank));
  perm.push_back(1);
  return perm;
}

static Value swapLeadingAxes(Cotangents &c, Value x) {
  SmallVector<int64_t> perm = axesFrom(0, getRank(x));
  std::swap(perm[0], perm[1]);
  return c.transpose(x, perm);
}

/// [n, g * c, s...] as [c, g * n, s...]: the batch becomes the channels of each
/// of the g groups.
static Value batchAsChannels(Cotangents &c, Value x, const SymInt &groups) {
  if (groups.getConstant() == 1)
    return swapLeadingAxes(c, x);
  Shape shape = getShape(x);
  Shape split = shape;
  split[1] = groups;
  split.insert(split.begin() + 2, shape[1].floorDiv(groups));
  SmallVector<int64_t> perm = {2, 1, 0};
  llvm::append_range(perm, axesFrom(3, split.size()));
  x = c.transpose(c.reshape(x, split), perm);
  Shape joined = {shape[1].floorDiv(groups), groups * shape[0]};
  joined.append(shape.begin() + 2, shape.end());
  return c.reshape(x, joined);
}

/// The cotangent of the weight [o, i, t...] of a convolution of `input`
/// [n, g * i, s...] with cotangent `y` [n, o, p...] of its result: the
/// correlation of both, with the batch as the channels, and with strides and
/// dilations exchanged. It has as many taps more as rows of the input are left
/// over by the strides.
static Value correlate(Cotangents &c, Value input, Value y, const Shape &weight,
                       DimsAttr strides, DimsAttr pads, DimsAttr dilations,
                       const SymInt &groups) {
  Value x = batchAsChannels(c, input, groups);
  Value taps = c.op<ConvOp>(
      x, swapLeadingAxes(c, y), /*strides=*/dilations, pads,
      /*dilations=*/strides, c.dims(groups), Layout::ChannelsFirst);
  Shape sizes = getShape(taps);
  std::copy(weight.begin() + 2, weight.end(), sizes.begin() + 2);
  taps = c.sliceTo(taps, sizes);
  return swapLeadingAxes(c, taps);
}

LogicalResult differentiate::differentiate(ConvOp op, Cotangents &c) {
  Value input = op.getInput(), y = c.of();
  int64_t rank = getRank(input);
  bool isLast = op.getLayout() == Layout::ChannelsLast;
  if (isLast) {
    input = c.transpose(input, channelsFirst(rank));
    y = c.transpose(y, channelsFirst(rank));
  }
  Shape weight = getShape(op.getWeight());
  Shape inputShape = getShape(input), result = getShape(y);
  SymInt groups = op.getGroups().getEntries()[0];
  if (c.wants(0)) {
    Shape outputPadding;
    int64_t spatial = rank - 2;
    for (int64_t axis = 0; axis < spatial; ++axis) {
      Shape pads = op.getPads().getEntries();
      SymInt extent = (weight[axis + 2] - SymInt(1)) *
                          op.getDilations().getEntries()[axis] +
                      SymInt(1);
      SymInt room =
          inputShape[axis + 2] + pads[axis] + pads[axis + spatial] - extent;
      // What the strides leave over.
      outputPadding.push_back(room.mod(op.getStrides().getEntries()[axis]));
    }
    Value x = c.op<ConvTransposeOp>(y, op.getWeight(), op.getStrides(),
                                    op.getPads(), op.getDilations(),
                                    c.dims(outputPadding), op.getGroups());
    if (isLast)
      x = c.transpose(x, channelsLast(rank));
    c.give(0, x);
  }
  if (c.wants(1))
    c.give(1, correlate(c, input, y, weight, op.getStrides(), op.getPads(),
                        op.getDilations(), groups));
  return success();
}

LogicalResult differentiate::differentiate(ConvTransposeOp op, Cotangents &c) {
  Value input = op.getInput(), y = c.of();
  Shape weight = getShape(op.getWeight()), shape = getShape(input);
  if (c.wants(0)) {
    Value x =
        c.op<ConvOp>(y, op.getWeight(), op.getStrides(), op.getPads(),
                     op.getDilations(), op.getGroups(), Layout::ChannelsFirst);
    // An output padding of a stride or more is room for further positions.
    Shape sizes = getShape(x);
    std::copy(shape.begin() + 2, shape.end(), sizes.begin() + 2);
    c.give(0, c.sliceTo(x, sizes));
  }
  // The roles of input and result are exchanged.
  if (c.wants(1))
    c.give(1, correlate(c, y, input, weight, op.getStrides(), op.getPads(),
                        op.getDilations(), op.getGroups().getEntries()[0]));
  return success();
}
