//===- GridConverters.cpp - sampling at points of a grid ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

namespace {
/// One neighbor along one axis: its index, its weight (null: 1), and whether it
/// exists (null: always). All have shape [n, out...].
struct Tap {
  Value index, weight, exists;
};

class GridSampling {
public:
  GridSampling(NodeContext &n, Value x, Value grid) : n(n), x(x), grid(grid) {}
  LogicalResult convert();

private:
  Value number(double value) { return n.scalarLike(value, grid); }
  Value reflect(Value at, const SymInt &size);
  Value bounded(Value at, const SymInt &size);
  SmallVector<Tap> taps(int64_t axis);
  Value cubicWeight(Value fraction, int tap);
  Value sample(ArrayRef<Tap> chosen);

  NodeContext &n;
  Value x, grid;
  Value lastChannels; // x as [n, spatial..., c]
  std::string mode, padding;
  bool corners = false;
  int64_t spatial = 0;
};
} // namespace

/// Mirrors coordinates at the borders until they are inside; coordinates inside
/// are unchanged.
Value GridSampling::reflect(Value at, const SymInt &size) {
  Type type = elementTypeOf(grid);
  Value extent = n.cast(n.size(size), type);
  Value low = number(corners ? 0 : -0.5);
  Value range = corners ? n.sub(extent, number(1)) : extent;
  // The corners of an axis of one element are one place.
  Value period = n.maximum(n.mul(range, number(2)), number(1));
  Value turn = n.binary<ModOp>(n.sub(at, low), period);
  return n.maximum(n.add(low, n.sub(range, n.unary<AbsOp>(n.sub(turn, range)))),
                   low);
}

/// Applies the padding mode to a coordinate.
Value GridSampling::bounded(Value at, const SymInt &size) {
  if (padding == "zeros")
    return at;
  if (padding == "reflection")
    return reflect(at, size);
  Value last = n.cast(n.size(size - SymInt(1)), elementTypeOf(grid));
  return n.minimum(n.maximum(at, number(0)), last);
}

/// Returns the weights of taps 0 to 3 by Keys' cubic kernel (a = -0.75).
Value GridSampling::cubicWeight(Value fraction, int tap) {
  constexpr double a = -0.75;
  bool outer = tap == 0 || tap == 3;
  Value t = tap == 0   ? n.add(fraction, number(1))
            : tap == 1 ? fraction
                       : n.sub(number(tap - 1), fraction);
  if (outer) {
    Value sum = n.sub(n.mul(number(a), t), number(5 * a));
    sum = n.add(n.mul(sum, t), number(8 * a));
    return n.sub(n.mul(sum, t), number(4 * a));
  }
  Value sum = n.sub(n.mul(number(a + 2), t), number(a + 3));
  return n.add(n.mul(n.mul(sum, t), t), number(1));
}

SmallVector<Tap> GridSampling::taps(int64_t axis) {
  SymInt size = getShape(lastChannels)[axis + 1];
  Type type = elementTypeOf(grid);
  // The grid has its coordinates in reverse order: x, y, (z).
  Value at = n.squeeze(
      n.slice(grid, spatial + 1, SymInt(spatial - 1 - axis), SymInt(1)),
      {spatial + 1});
  Value extent = n.cast(n.size(size), type);
  Value half = n.div(n.add(at, number(1)), number(2));
  at = corners ? n.mul(half, n.sub(extent, number(1)))
               : n.sub(n.mul(half, extent), number(0.5));
  if (mode == "nearest")
    at = n.unary<RoundOp>(at);
  // As PyTorch and ONNX Runtime, cubic interpolation moves each of its elements
  // inside, not the point: ONNX's text does not say which.
  if (mode != "cubic")
    at = bounded(at, size);

  int count = mode == "nearest" ? 1 : mode == "linear" ? 2 : 4;
  Value first = mode == "nearest" ? at : n.unary<FloorOp>(at);
  Value fraction = mode == "nearest" ? Value() : n.sub(at, first);
  SmallVector<Tap> result;
  for (int i = 0; i < count; ++i) {
    Tap tap;
    int offset = count == 4 ? i - 1 : i;
    Value position = offset ? n.add(first, number(offset)) : first;
    if (count == 2)
      tap.weight = i ? fraction : n.sub(number(1), fraction);
    else if (count == 4)
      tap.weight = cubicWeight(fraction, i);
    if (padding == "zeros")
      tap.exists = n.binary<AndOp>(n.binary<LessEqualOp>(number(0), position),
                                   n.less(position, extent));
    else
      position = bounded(position, size);
    Value last = n.sub(extent, number(1));
    position = n.minimum(n.maximum(position, number(0)), last);
    tap.index = n.cast(position, n.getBuilder().getI64Type());
    result.push_back(tap);
  }
  return result;
}

/// The weighted elements at one tap per axis: [n, out..., c].
Value GridSampling::sample(ArrayRef<Tap> chosen) {
  SmallVector<Value> columns;
  Value weight, exists;
  for (const Tap &tap : chosen) {
    columns.push_back(n.unsqueeze(tap.index, {spatial + 1}));
    if (tap.weight)
      weight = weight ? n.mul(weight, tap.weight) : tap.weight;
    if (tap.exists)
      exists = exists ? n.binary<AndOp>(exists, tap.exists) : tap.exists;
  }
  Value pixels =
      n.op<GatherNdOp>({lastChannels, n.concat(columns, spatial + 1)},
                       {n.integer("batch_dims", 1)});
  if (exists)
    pixels =
        n.where(n.unsqueeze(exists, {spatial + 1}), pixels, n.scalarLike(0, x));
  if (weight)
    pixels = n.mul(
        pixels, n.unsqueeze(n.cast(weight, elementTypeOf(x)), {spatial + 1}));
  return pixels;
}

LogicalResult GridSampling::convert() {
  spatial = rankOf(x) - 2;
  if (spatial < 1 || spatial > 3 || rankOf(grid) != rankOf(x))
    return n.fail("input and grid have ranks " + Twine(rankOf(x)) + " and " +
                  Twine(rankOf(grid)) + "; expected equal ranks, 3 to 5");
  if (getShape(grid).back().getConstant() != spatial)
    return n.fail("the grid's points have " + getShape(grid).back().str() +
                  " coordinates; expected " + Twine(spatial));
  mode = n.stringAttr("mode", n.getOpset() < 20 ? "bilinear" : "linear").str();
  if (StringRef(mode).starts_with("bi"))
    mode = mode.substr(2);
  padding = n.stringAttr("padding_mode", "zeros").str();
  corners = n.intAttr("align_corners", 0);
  if (mode != "nearest" && mode != "linear" && mode != "cubic")
    return n.fail("mode is '" + mode + "'");
  if (padding != "zeros" && padding != "border" && padding != "reflection")
    return n.fail("padding_mode is '" + padding + "'");
  if (mode == "cubic" && spatial != 2)
    return n.fail("cubic interpolation needs two spatial axes");
  SmallVector<int64_t> perm = {0}, back = {0, spatial + 1};
  for (int64_t axis = 0; axis < spatial; ++axis) {
    perm.push_back(axis + 2);
    back.push_back(axis + 1);
  }
  perm.push_back(1);
  lastChannels = n.transpose(x, perm);
  if (!lastChannels)
    return failure();

  SmallVector<SmallVector<Tap>> axes;
  size_t total = 1;
  for (int64_t axis = 0; axis < spatial; ++axis) {
    axes.push_back(taps(axis));
    total *= axes.back().size();
  }
  if (n.hasFailed())
    return failure();
  Value sum;
  for (size_t i = 0; i < total; ++i) {
    SmallVector<Tap> chosen;
    size_t rest = i;
    for (const SmallVector<Tap> &choices : axes) {
      chosen.push_back(choices[rest % choices.size()]);
      rest /= choices.size();
    }
    Value part = sample(chosen);
    sum = sum ? n.add(sum, part) : part;
  }
  return n.finish(n.transpose(sum, back));
}

static LogicalResult convertGridSample(NodeContext &n) {
  Value x = n.data(0), grid = n.data(1);
  if (!x || !grid)
    return failure();
  return GridSampling(n, x, grid).convert();
}

ArrayRef<Operator> tenon::onnx::gridOperators() {
  static const Operator table[] = {
      {"GridSample", Support::Composed, convertGridSample,
       "1 to 3 spatial axes, a static number of coordinates; beyond the "
       "border, cubic interpolation takes "
       "the elements there, as PyTorch does"},
  };
  return table;
}
