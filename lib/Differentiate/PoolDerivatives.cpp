//===- PoolDerivatives.cpp - pooling and local norms ----------------------===//
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

namespace {
/// A pool with the channels first: [n, c, s...].
struct Pool {
  Value input;
  /// Cotangent of the result.
  Value y;
  int64_t rank;
  bool isLast, hasCeil;
  Shape shape, result;
  DimsAttr kernel, strides, pads, dilations;

  int64_t spatial() const { return rank - 2; }
  /// Elements from the first to the last window of an axis, with all gaps.
  SymInt reach(int64_t axis) const {
    return (result[axis + 2] - SymInt(1)) * strides.getEntries()[axis] +
           (kernel.getEntries()[axis] - SymInt(1)) *
               dilations.getEntries()[axis] +
           SymInt(1);
  }
};
} // namespace

static Value toChannelsFirst(Cotangents &c, Value x) {
  SmallVector<int64_t> perm = {0, getRank(x) - 1};
  llvm::append_range(perm, axesFrom(1, getRank(x) - 1));
  return c.transpose(x, perm);
}

static Value fromChannelsFirst(Cotangents &c, Value x, bool isLast) {
  if (!isLast)
    return x;
  SmallVector<int64_t> perm = {0};
  llvm::append_range(perm, axesFrom(2, getRank(x)));
  perm.push_back(1);
  return c.transpose(x, perm);
}

template <typename OpTy> static Pool readPool(Cotangents &c, OpTy op) {
  Pool pool;
  pool.hasCeil = op.getCeilMode();
  pool.isLast = op.getLayout() == Layout::ChannelsLast;
  auto order = [&](Value x) { return pool.isLast ? toChannelsFirst(c, x) : x; };
  pool.input = order(op.getInput());
  pool.y = order(c.wideOf());
  pool.rank = getRank(pool.input);
  pool.shape = getShape(pool.input);
  pool.result = getShape(pool.y);
  pool.kernel = op.getKernel();
  pool.strides = op.getStrides();
  pool.pads = op.getPads();
  pool.dilations = op.getDilations();
  return pool;
}

/// The adjoint of sums over windows: every input element gets the sum of `y`
/// over the windows that it is in.
static Value spreadWindows(Cotangents &c, const Pool &pool, Value y) {
  Shape weight = {pool.shape[1], SymInt(1)};
  llvm::append_range(weight, pool.kernel.getEntries());
  Shape lows, highs, outputPadding;
  for (int64_t axis = 0; axis < pool.spatial(); ++axis) {
    SymInt low = pool.pads.getEntries()[axis];
    lows.push_back(low);
    if (pool.hasCeil) {
      // The last window may overhang the input, or not reach its end.
      SymInt beyond = pool.reach(axis) - low - pool.shape[axis + 2];
      highs.push_back(SymInt::max(beyond, 0));
      outputPadding.push_back(SymInt::max(-beyond, 0));
      continue;
    }
    // The strides may leave over some elements.
    highs.push_back(pool.pads.getEntries()[axis + pool.spatial()]);
    SymInt extent = (pool.kernel.getEntries()[axis] - SymInt(1)) *
                        pool.dilations.getEntries()[axis] +
                    SymInt(1);
    SymInt room = pool.shape[axis + 2] + low + highs.back() - extent;
    outputPadding.push_back(room.mod(pool.strides.getEntries()[axis]));
  }
  lows.append(highs);
  return c.withType(
      c.op<ConvTransposeOp>(y, c.full(1.0, getElementType(y), weight),
                            pool.strides, c.dims(lows), pool.dilations,
                            c.dims(outputPadding), c.dims(pool.shape[1])),
      getTensorType(pool.shape, getElementType(y)));
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

LogicalResult differentiate::differentiate(MaxPoolOp op, Cotangents &c) {
  // The first largest element of a window, by its number in the input.
  Value winners = c.op<ArgmaxPoolOp>(
      op.getInput(), op.getKernel(), op.getStrides(), op.getPads(),
      op.getDilations(), op.getCeilMode(), op.getLayout(),
      /*column_major=*/false);
  auto flatten = [&](Value x) {
    SymInt count(1);
    for (const SymInt &size : getShape(x))
      count = count * size;
    return c.reshape(x, {count});
  };
  Value sum = c.op<ScatterElementsOp>(flatten(c.zerosLike(op.getInput())),
                                      flatten(winners), flatten(c.of()), 0,
                                      ScatterReduction::Add);
  c.give(0, c.reshape(sum, getShape(op.getInput())));
  return success();
}

/// The number of elements of each window that its mean counts, [1, 1, p...].
static Value countElements(Cotangents &c, const Pool &pool, bool includePad) {
  Type type = getElementType(pool.y);
  Shape ones = {SymInt(1), SymInt(1)}, weight = ones, lows, highs;
  for (int64_t axis = 0; axis < pool.spatial(); ++axis) {
    SymInt low = pool.pads.getEntries()[axis],
           high = pool.pads.getEntries()[axis + pool.spatial()];
    SymInt size = pool.shape[axis + 2];
    weight.push_back(pool.kernel.getEntries()[axis]);
    ones.push_back(includePad ? low + size + high : size);
    lows.push_back(includePad ? SymInt(0) : low);
    highs.push_back(
        SymInt::max(pool.reach(axis) - lows.back() - ones.back(), 0));
  }
  lows.append(highs);
  return c.op<ConvOp>(c.full(1.0, type, ones), c.full(1.0, type, weight),
                      pool.strides, c.dims(lows), pool.dilations,
                      c.dims(SymInt(1)), Layout::ChannelsFirst);
}

LogicalResult differentiate::differentiate(AvgPoolOp op, Cotangents &c) {
  Pool pool = readPool(c, op);
  bool isUniform = op.getCountIncludePad() && !op.getCeilMode();
  if (!op.getCeilMode())
    isUniform |= llvm::all_of(pool.pads.getEntries(), [](const SymInt &pad) {
      return pad.getConstant() == 0;
    });
  Value count;
  if (isUniform) {
    Type type = getElementType(pool.y);
    Shape kernel = pool.kernel.getEntries();
    SymInt number(1);
    for (const SymInt &size : kernel)
      number = number * size;
    count =
        number.getConstant()
            ? c.count(number, type)
            : c.op<ReduceSumOp>(
                  c.full(1.0, type, kernel),
                  getInts(op.getContext(), axesFrom(0, kernel.size())), false);
  } else {
    count = countElements(c, pool, op.getCountIncludePad());
  }
  Value share = c.div(pool.y, c.broadcast(count, pool.result));
  c.give(0, fromChannelsFirst(c, spreadWindows(c, pool, share), pool.isLast));
  return success();
}

/// d(sum |x|^p)^(1/p) / dx = sign(x) |x|^(p-1) result^(1-p).
LogicalResult differentiate::differentiate(LpPoolOp op, Cotangents &c) {
  Pool pool = readPool(c, op);
  double p = op.getP();
  Value x = c.widen(pool.input), norm = c.widen(op.getResult());
  if (pool.isLast)
    norm = toChannelsFirst(c, norm);
  Value y = pool.y, inner = c.op<SignOp>(x);
  if (p != 1) {
    Value zero = c.zerosLike(norm);
    Value power = p == 2 ? c.div(y, norm)
                         : c.mul(y, c.op<PowOp>(norm, c.fullLike(1 - p, norm)));
    // Where all elements are 0, so is the derivative.
    y = c.op<WhereOp>(c.op<EqualOp>(norm, zero), zero, power);
    inner = p == 2 ? x
                   : c.mul(inner,
                           c.op<PowOp>(c.op<AbsOp>(x), c.fullLike(p - 1, x)));
  }
  Value result = c.mul(inner, spreadWindows(c, pool, y));
  c.give(0, fromChannelsFirst(c, result, pool.isLast));
  return success();
}

//===----------------------------------------------------------------------===//
// Local response normalization
//===----------------------------------------------------------------------===//

/// Sums x [n, c, s...] over the channels from c - before to c + after.
static Value sumChannels(Cotangents &c, Value x, int64_t before,
                         int64_t after) {
  Shape shape = getShape(x);
  Shape image = {shape[0], SymInt(1), shape[1], SymInt(1)};
  for (const SymInt &size : llvm::drop_begin(shape, 2))
    image[3] = image[3] * size;
  MLIRContext *context = c.builder.getContext();
  Value ones =
      c.full(1.0, getElementType(x),
             {SymInt(1), SymInt(1), SymInt(before + after + 1), SymInt(1)});
  Value sums = c.op<ConvOp>(c.reshape(x, image), ones, getInts(context, {1, 1}),
                            getInts(context, {before, 0, after, 0}),
                            getInts(context, {1, 1}), getInts(context, {1}),
                            Layout::ChannelsFirst);
  return c.reshape(sums, shape);
}

/// With q the sums of squares and d = bias + alpha / size * q, the result is
/// x d^-beta, whose derivative has the terms y d^-beta and
/// -2 alpha beta / size x (y x d^(-beta-1) summed over the windows with x).
LogicalResult differentiate::differentiate(LrnOp op, Cotangents &c) {
  int64_t size = op.getSize(), before = (size - 1) / 2;
  int64_t after = size - 1 - before;
  double alpha = op.getAlpha().convertToDouble() / size;
  double beta = op.getBeta().convertToDouble();
  Value x = c.widen(op.getInput()), y = c.wideOf();
  Value q = sumChannels(c, c.mul(x, x), before, after);
  Value d = c.add(c.fullLike(op.getBias().convertToDouble(), q),
                  c.mul(c.fullLike(alpha, q), q));
  Value power = c.op<PowOp>(d, c.fullLike(-beta, d));
  Value direct = c.mul(y, power);
  Value sums = sumChannels(c, c.mul(direct, c.div(x, d)), after, before);
  Value indirect = c.mul(c.fullLike(-2 * alpha * beta, x), c.mul(x, sums));
  c.give(0, c.add(direct, indirect));
  return success();
}
