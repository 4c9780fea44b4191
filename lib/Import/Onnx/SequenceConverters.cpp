//===- SequenceConverters.cpp - caches, sequences, causal convolution -----===//
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

/// Builds a tensor [1, .., size, .., 1] of positions along `axis`.
static Value positionsAlong(NodeContext &n, int64_t axis, int64_t rank,
                            const SymInt &size) {
  Shape shape(rank, SymInt(1));
  shape[axis] = size;
  return n.iota(shape, axis, n.getBuilder().getI64Type());
}

/// Reads x along `axis` at positions that may depend on the batch item.
static Value gatherAlong(NodeContext &n, Value x, Value positions, int64_t axis,
                         const SymInt &count) {
  if (!x)
    return {};
  Shape shape = getShape(x);
  shape[axis] = count;
  return n.op<GatherElementsOp>({x, n.broadcast(positions, shape)},
                                {n.integer("axis", axis)});
}

/// Reverses the first `sequence_lens[b]` elements of batch item b.
static LogicalResult convertReverseSequence(NodeContext &n) {
  Value x = n.data(0), lengths = n.data(1);
  if (!x || !lengths)
    return failure();
  int64_t rank = rankOf(x);
  FailureOr<int64_t> batch = n.axisAttr("batch_axis", 1, rank);
  FailureOr<int64_t> time = n.axisAttr("time_axis", 0, rank);
  if (failed(batch) || failed(time))
    return failure();
  if (*batch == *time)
    return n.fail("batch_axis and time_axis are both " + Twine(*time));
  Type i64 = n.getBuilder().getI64Type();
  SymInt size = getShape(x)[*time];
  Value at = positionsAlong(n, *time, rank, size);
  Value length = n.alongAxis(n.cast(lengths, i64), *batch, rank);
  Value mirrored = n.sub(n.sub(length, n.scalar(1, i64)), at);
  Value from = n.where(n.less(at, length), mirrored, at);
  return n.finish(gatherAlong(n, x, from, *time, size));
}

/// Overwrites a window of a cache that begins at `write_indices[b]` for batch
/// item b.
static LogicalResult convertTensorScatter(NodeContext &n) {
  Value cache = n.data(0), update = n.data(1);
  if (!cache || !update)
    return failure();
  int64_t rank = rankOf(cache);
  FailureOr<int64_t> axis = n.axisAttr("axis", -2, rank);
  if (failed(axis))
    return failure();
  if (rankOf(update) != rank)
    return n.fail("cache and update have ranks " + Twine(rank) + " and " +
                  Twine(rankOf(update)) + "; expected equal ranks");
  Type i64 = n.getBuilder().getI64Type();
  SymInt size = getShape(cache)[*axis], count = getShape(update)[*axis];
  Value begin = n.scalar(0, i64);
  if (n.has(2))
    begin = n.alongAxis(n.cast(n.data(2), i64), 0, rank);
  // The position in the update for each cache position.
  Value at = n.sub(positionsAlong(n, *axis, rank, size), begin);
  StringRef mode = n.stringAttr("mode", "linear");
  if (mode == "circular")
    at = n.binary<ModOp>(at, n.size(size));
  else if (mode != "linear")
    return n.fail("mode is '" + mode + "'; expected linear or circular");
  Value zero = n.scalar(0, i64);
  Value inside = n.binary<AndOp>(n.binary<LessEqualOp>(zero, at),
                                 n.less(at, n.size(count)));
  Value from = n.where(inside, at, zero);
  return n.finish(
      n.where(inside, gatherAlong(n, update, from, *axis, size), cache));
}

/// Converts a depthwise convolution over [past state, input] to one output per
/// input and the last k - 1 inputs as the next state.
static LogicalResult convertCausalConv(NodeContext &n) {
  Value x = n.data(0), weight = n.data(1);
  if (!x || !weight)
    return failure();
  if (rankOf(x) != 3 || rankOf(weight) != 3)
    return n.fail("input and weight have ranks " + Twine(rankOf(x)) + " and " +
                  Twine(rankOf(weight)) + "; expected 3");
  Shape shape = getShape(x);
  std::optional<int64_t> kernel = getShape(weight)[2].getConstant();
  std::optional<int64_t> channels = shape[1].getConstant();
  if (!kernel || !channels || *kernel < 1)
    return n.fail("the number of channels and the kernel's size must be "
                  "static");
  SymInt state(*kernel - 1);
  Value past = n.has(3)
                   ? n.data(3)
                   : n.splat(0, {shape[0], shape[1], state}, elementTypeOf(x));
  Value all = *kernel == 1 ? x : n.concat({past, x}, 2);
  Value y =
      n.op<ConvOp>({all, weight},
                   {n.dims("strides", ArrayRef<int64_t>{1}),
                    n.dims("pads", ArrayRef<int64_t>{0, 0}),
                    n.dims("dilations", ArrayRef<int64_t>{1}),
                    n.dims("groups", ArrayRef<int64_t>{*channels}),
                    n.attr("layout", LayoutAttr::get(n.getContext(),
                                                     Layout::ChannelsFirst))});
  if (n.has(2))
    y = n.add(y, n.alongAxis(n.data(2), 1, 3));
  StringRef activation = n.stringAttr("activation", "none");
  if (activation == "silu" || activation == "swish")
    y = n.unary<SiluOp>(y);
  else if (activation != "none" && !activation.empty())
    return n.fail("activation is '" + activation +
                  "'; expected none, silu or swish");
  SmallVector<Value> results = {y};
  if (n.wants(1))
    results.push_back(n.slice(all, 2, shape[2], state));
  return n.finish(results);
}

ArrayRef<Operator> tenon::onnx::sequenceOperators() {
  constexpr Support C = Support::Composed;
  static const Operator table[] = {
      {"CausalConvWithState", C, convertCausalConv,
       "static channels and kernels"},
      {"ReverseSequence", C, convertReverseSequence, ""},
      {"TensorScatter", C, convertTensorScatter, ""},
  };
  return table;
}
