//===- TosaWindows.cpp - tosa's convolutions, pools and products ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TosaConversion.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::import;
using graph::Shape;
using graph::SymInt;

/// tosa has pairs of begin and end per axis; the graph dialect has all begins
/// first.
static SmallVector<int64_t> splitPads(ArrayRef<int64_t> pairs) {
  SmallVector<int64_t> pads;
  for (size_t side : {0, 1})
    for (size_t i = side; i < pairs.size(); i += 2)
      pads.push_back(pairs[i]);
  return pads;
}

static NamedAttribute channelsLast(TosaOpContext &c) {
  return c.attr("layout", graph::LayoutAttr::get(c.getContext(),
                                                 graph::Layout::ChannelsLast));
}

/// Adds a bias [c] or [1] along the last axis.
static Value addBias(TosaOpContext &c, Value y, Value bias) {
  if (!y || !bias)
    return {};
  return c.op<graph::AddOp>({y, c.broadcast(bias, graph::getShape(y))});
}

/// Converts conv2d and conv3d: the weight is [o, kernel..., c].
template <typename OpTy> static bool convertConv(TosaOpContext &c, OpTy op) {
  if (!c.isZero(op.getInputZp()) || !c.isZero(op.getWeightZp()))
    return false;
  Value x = c.tensor(op.getInput()), weight = c.tensor(op.getWeight());
  if (!x || !weight)
    return false;
  SmallVector<int64_t> perm = {0, rankOf(weight) - 1};
  for (int64_t axis : llvm::seq<int64_t>(1, rankOf(weight) - 1))
    perm.push_back(axis);
  Value y = c.op<graph::ConvOp>({x, c.transpose(weight, perm)},
                                {c.dims("strides", op.getStride()),
                                 c.dims("pads", splitPads(op.getPad())),
                                 c.dims("dilations", op.getDilation()),
                                 c.dims("groups", ArrayRef<int64_t>{1}),
                                 channelsLast(c)});
  return c.finish(addBias(c, y, c.tensor(op.getBias())));
}

/// The weight is [kernel..., c, m]; output channel c * m_total + m reads
/// channel c.
static bool convertDepthwise(TosaOpContext &c, tosa::DepthwiseConv2DOp op) {
  if (!c.isZero(op.getInputZp()) || !c.isZero(op.getWeightZp()))
    return false;
  Value x = c.tensor(op.getInput()), weight = c.tensor(op.getWeight());
  if (!x || !weight)
    return false;
  Shape k = graph::getShape(weight);
  if (!k[2].getConstant())
    return c.refuse("the number of channels is dynamic");
  Value w = c.reshape(c.transpose(weight, {2, 3, 0, 1}),
                      {k[2] * k[3], SymInt(1), k[0], k[1]});
  Value y = c.op<graph::ConvOp>(
      {x, w}, {c.dims("strides", op.getStride()),
               c.dims("pads", splitPads(op.getPad())),
               c.dims("dilations", op.getDilation()),
               c.dims("groups", ArrayRef<int64_t>{*k[2].getConstant()}),
               channelsLast(c)});
  return c.finish(addBias(c, y, c.tensor(op.getBias())));
}

/// The graph op has channels first: [n, c, h, w], and a weight [c, o,
/// kernel...].
static bool convertTransposeConv(TosaOpContext &c, tosa::TransposeConv2DOp op) {
  if (!c.isZero(op.getInputZp()) || !c.isZero(op.getWeightZp()))
    return false;
  Value x = c.tensor(op.getInput()), weight = c.tensor(op.getWeight());
  if (!x || !weight)
    return false;
  int64_t zeros[] = {0, 0, 0, 0}, ones[] = {1, 1};
  Value y = c.op<graph::ConvTransposeOp>(
      {c.transpose(x, {0, 3, 1, 2}), c.transpose(weight, {3, 0, 1, 2})},
      {c.dims("strides", op.getStride()),
       c.dims("pads", ArrayRef<int64_t>(zeros)),
       c.dims("dilations", ArrayRef<int64_t>(ones)),
       c.dims("output_padding", ArrayRef<int64_t>(zeros, 2)),
       c.dims("groups", ArrayRef<int64_t>{1})});
  y = c.transpose(y, {0, 2, 3, 1});
  if (!y)
    return false;
  // out_pad extends or crops the result.
  ArrayRef<int64_t> pad = op.getOutPad(); // top, bottom, left, right
  Shape sizes = graph::getShape(y);
  SmallVector<SymInt> starts(4, SymInt(0)), steps(4, SymInt(1)),
      low(4, SymInt(0)), high(4, SymInt(0));
  for (int axis : {0, 1}) {
    int64_t begin = pad[2 * axis], end = pad[2 * axis + 1];
    sizes[axis + 1] = sizes[axis + 1] + SymInt(std::min<int64_t>(begin, 0)) +
                      SymInt(std::min<int64_t>(end, 0));
    starts[axis + 1] = SymInt(std::max<int64_t>(-begin, 0));
    low[axis + 1] = SymInt(std::max<int64_t>(begin, 0));
    high[axis + 1] = SymInt(std::max<int64_t>(end, 0));
  }
  if (llvm::any_of(pad, [](int64_t p) { return p < 0; }))
    y = c.op<graph::SliceOp>({y},
                             {c.dims("starts", starts), c.dims("sizes", sizes),
                              c.dims("steps", steps)});
  if (llvm::any_of(pad, [](int64_t p) { return p > 0; }))
    y = c.op<graph::PadOp>(
        {y}, {c.dims("low", low), c.dims("high", high),
              c.attr("mode", graph::PadModeAttr::get(c.getContext(),
                                                     graph::PadMode::Constant)),
              c.number("value", 0)});
  return c.finish(addBias(c, y, c.tensor(op.getBias())));
}

template <typename GraphOp, typename OpTy>
static bool convertPool(TosaOpContext &c, OpTy op) {
  int64_t ones[] = {1, 1};
  return c.finish(c.op<GraphOp>(
      {c.tensor(op.getInput())},
      {c.dims("kernel", op.getKernel()), c.dims("strides", op.getStride()),
       c.dims("pads", splitPads(op.getPad())),
       c.dims("dilations", ArrayRef<int64_t>(ones)), channelsLast(c)}));
}

TosaStatus tenon::import::convertTosaWindows(TosaOpContext &c, Operation *op) {
  return llvm::TypeSwitch<Operation *, TosaStatus>(op)
      .Case<tosa::Conv2DOp, tosa::Conv3DOp>(
          [&](auto conv) { return status(convertConv(c, conv)); })
      .Case([&](tosa::DepthwiseConv2DOp conv) {
        return status(convertDepthwise(c, conv));
      })
      .Case([&](tosa::TransposeConv2DOp conv) {
        return status(convertTransposeConv(c, conv));
      })
      .Case([&](tosa::AvgPool2dOp pool) {
        if (!c.isZero(pool.getInputZp()) || !c.isZero(pool.getOutputZp()))
          return TosaStatus::Failed;
        return status(convertPool<graph::AvgPoolOp>(c, pool));
      })
      .Case([&](tosa::MaxPool2dOp pool) {
        if (pool.getNanMode() != tosa::NanPropagationMode::PROPAGATE)
          return status(c.refuse("nan_mode IGNORE"));
        return status(convertPool<graph::MaxPoolOp>(c, pool));
      })
      .Case([&](tosa::MatMulOp matmul) {
        if (!c.isZero(matmul.getAZp()) || !c.isZero(matmul.getBZp()))
          return TosaStatus::Failed;
        return status(c.finish(
            c.matmul(c.tensor(matmul.getA()), c.tensor(matmul.getB()))));
      })
      .Default([](Operation *) { return TosaStatus::Unknown; });
}
