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

/// Whether x is one matrix for all batches of `other`, of which there may be
/// one: derivatives for one sample are those for several.
static bool isShared(Value x, Value other) {
  Shape shape = getShape(x), others = getShape(other);
  return llvm::all_of(
             llvm::drop_end(shape, 2),
             [](const SymInt &size) { return size.getConstant() == 1; }) &&
         others.size() > 2;
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

/// The cotangent of the input of a convolution: `y` is that of its result.
static Value pullBackInput(Cotangents &c, Value y, Value weight, ConvOp op) {
  Shape kernel = getShape(weight), input = getShape(op.getInput());
  Shape pads = op.getPads().getEntries();
  int64_t spatial = getRank(y) - 2;
  int64_t first = op.getLayout() == Layout::ChannelsLast ? 1 : 2;
  Shape outputPadding;
  for (int64_t axis = 0; axis < spatial; ++axis) {
    SymInt extent =
        (kernel[axis + 2] - SymInt(1)) * op.getDilations().getEntries()[axis] +
        SymInt(1);
    SymInt room =
        input[axis + first] + pads[axis] + pads[axis + spatial] - extent;
    // What the strides leave over.
    outputPadding.push_back(room.mod(op.getStrides().getEntries()[axis]));
  }
  return c.op<ConvTransposeOp>(y, weight, op.getStrides(), op.getPads(),
                               op.getDilations(), c.dims(outputPadding),
                               op.getGroups(), op.getLayout());
}

/// The cotangent of the weight of a convolution of `input` whose result has the
/// cotangent `y`; `op` is the convolution or its transpose.
template <typename OpTy>
static Value pullBackWeight(Cotangents &c, Value input, Value y, OpTy op) {
  Shape weight = getShape(op.getWeight()), pads = op.getPads().getEntries();
  size_t spatial = pads.size() / 2;
  return c.op<ConvBackwardWeightOp>(
      input, y, c.dims(ArrayRef(weight).drop_front(2)), op.getStrides(),
      c.dims(ArrayRef(pads).take_front(spatial)), op.getDilations(),
      op.getGroups(), op.getLayout());
}

LogicalResult differentiate::differentiate(ConvOp op, Cotangents &c) {
  if (c.wants(0))
    c.give(0, pullBackInput(c, c.of(), op.getWeight(), op));
  if (c.wants(1))
    c.give(1, pullBackWeight(c, op.getInput(), c.of(), op));
  return success();
}

/// The convolution of `x` whose transpose `op` is, cut to the positions that
/// the input of `op` has: an output padding of a stride or more is room for
/// further ones.
static Value convolve(Cotangents &c, ConvTransposeOp op, Value x,
                      Value weight) {
  x = c.op<ConvOp>(x, weight, op.getStrides(), op.getPads(), op.getDilations(),
                   op.getGroups(), op.getLayout());
  Shape sizes = getShape(x), input = getShape(op.getInput());
  unsigned first = op.getLayout() == Layout::ChannelsLast ? 1 : 2;
  for (unsigned axis = first; axis < first + sizes.size() - 2; ++axis)
    sizes[axis] = input[axis];
  return c.sliceTo(x, sizes);
}

LogicalResult differentiate::differentiate(ConvTransposeOp op, Cotangents &c) {
  if (c.wants(0))
    c.give(0, convolve(c, op, c.of(), op.getWeight()));
  // The roles of input and result are exchanged.
  if (c.wants(1))
    c.give(1, pullBackWeight(c, c.of(), op.getInput(), op));
  return success();
}

LogicalResult differentiate::differentiate(ConvBackwardWeightOp op,
                                           Cotangents &c) {
  // The result is linear in both operands; its cotangent is a weight.
  Value input = op.getInput(), y = op.getCotangent(), weight = c.of();
  Shape inputs = getShape(input), positions = getShape(y);
  bool isLast = op.getLayout() == Layout::ChannelsLast;
  unsigned first = isLast ? 1 : 2, spatial = inputs.size() - 2;
  Shape pads = op.getPads().getEntries(), ends, outputPadding;
  for (unsigned axis = 0; axis < spatial; ++axis) {
    SymInt last = (positions[first + axis] - SymInt(1)) *
                      op.getStrides().getEntries()[axis] +
                  (op.getKernel().getEntries()[axis] - SymInt(1)) *
                      op.getDilations().getEntries()[axis] +
                  SymInt(1);
    SymInt high = last - inputs[first + axis] - pads[axis];
    SymInt end = SymInt::max(high, SymInt(0));
    ends.push_back(end);
    // What is left over behind the last window; of this form, it cancels in the
    // size of the input.
    outputPadding.push_back(end - high);
  }
  pads.append(ends);
  if (c.wants(0))
    c.give(0, c.op<ConvTransposeOp>(y, weight, op.getStrides(), c.dims(pads),
                                    op.getDilations(), c.dims(outputPadding),
                                    op.getGroups(), op.getLayout()));
  if (c.wants(1)) {
    Value x = c.op<ConvOp>(input, weight, op.getStrides(), c.dims(pads),
                           op.getDilations(), op.getGroups(), op.getLayout());
    Shape sizes = getShape(x);
    for (unsigned axis = first; axis < first + spatial; ++axis)
      sizes[axis] = positions[axis];
    c.give(1, c.sliceTo(x, sizes));
  }
  return success();
}
