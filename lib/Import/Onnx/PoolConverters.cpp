//===- PoolConverters.cpp - pooling ---------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "Windows.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// The parameters shared by all pools.
static FailureOr<SmallVector<NamedAttribute>> poolAttrs(NodeContext &n,
                                                        Value x) {
  if (rankOf(x) < 3 || rankOf(x) > 5)
    return n.fail("the input has rank " + Twine(rankOf(x)) +
                  "; expected 3 to 5");
  auto kernel = n.intsAttr("kernel_shape");
  if (!kernel)
    return n.fail("attribute kernel_shape is missing");
  Shape shape = getShape(x);
  auto windows = readWindows(n, *kernel, ArrayRef<SymInt>(shape).drop_front(2));
  if (failed(windows))
    return failure();
  SmallVector<NamedAttribute> attrs = {
      n.dims("kernel", windows->kernel), n.dims("strides", windows->strides),
      n.dims("pads", windows->pads), n.dims("dilations", windows->dilations),
      n.attr("layout", LayoutAttr::get(n.getContext(), Layout::ChannelsFirst))};
  if (n.intAttr("ceil_mode", 0))
    attrs.push_back(n.flag("ceil_mode"));
  return attrs;
}

static LogicalResult convertMaxPool(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto attrs = poolAttrs(n, x);
  if (failed(attrs))
    return failure();
  SmallVector<Value> results = {n.op<MaxPoolOp>({x}, *attrs)};
  if (n.wants(1)) {
    if (n.intAttr("storage_order", 0))
      attrs->push_back(n.flag("column_major"));
    results.push_back(n.op<ArgmaxPoolOp>({x}, *attrs));
  }
  return n.finish(results);
}

static LogicalResult convertAveragePool(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto attrs = poolAttrs(n, x);
  if (failed(attrs))
    return failure();
  if (n.intAttr("count_include_pad", 0))
    attrs->push_back(n.flag("count_include_pad"));
  return n.finish(n.op<AvgPoolOp>({x}, *attrs));
}

static LogicalResult convertLpPool(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto attrs = poolAttrs(n, x);
  if (failed(attrs))
    return failure();
  attrs->push_back(n.integer("p", n.intAttr("p", 2)));
  return n.finish(n.op<LpPoolOp>({x}, *attrs));
}

/// All axes after batch and channel.
static FailureOr<SmallVector<int64_t>> spatialAxes(NodeContext &n, Value x) {
  if (rankOf(x) < 2)
    return n.fail("the input has rank " + Twine(rankOf(x)) +
                  "; expected at least 2");
  SmallVector<int64_t> axes;
  for (int64_t axis = 2; axis < rankOf(x); ++axis)
    axes.push_back(axis);
  return axes;
}

template <typename OpTy> static LogicalResult globalPool(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto axes = spatialAxes(n, x);
  if (failed(axes))
    return failure();
  return n.finish(n.reduce<OpTy>(x, *axes, /*keepdims=*/true));
}

static LogicalResult convertGlobalLpPool(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto axes = spatialAxes(n, x);
  if (failed(axes))
    return failure();
  int64_t p = n.intAttr("p", 2);
  if (p == 1)
    return n.finish(n.reduce<ReduceL1Op>(x, *axes, true));
  if (p == 2)
    return n.finish(n.reduce<ReduceL2Op>(x, *axes, true));
  // Powers of 16 bits soon overflow.
  Type type = elementTypeOf(x);
  if (type.getIntOrFloatBitWidth() < 32)
    x = n.cast(x, n.getBuilder().getF32Type());
  Value powers = n.binary<PowOp>(n.unary<AbsOp>(x), n.scalarLike(p, x));
  Value sum = n.reduce<ReduceSumOp>(powers, *axes, true);
  return n.finish(n.cast(n.binary<PowOp>(sum, n.scalarLike(1.0 / p, x)), type));
}

/// The output has every element of x at the position given by its index, and 0
/// elsewhere. Positions refer to the pooled tensor or, if output_shape is
/// given, to a tensor of that shape.
static LogicalResult convertMaxUnpool(NodeContext &n) {
  Value x = n.data(0), positions = n.data(1);
  if (!x || !positions)
    return failure();
  if (rankOf(x) < 3 || rankOf(x) > 5)
    return n.fail("the input has rank " + Twine(rankOf(x)) +
                  "; expected 3 to 5");
  auto kernel = n.intsAttr("kernel_shape");
  if (!kernel)
    return n.fail("attribute kernel_shape is missing");
  Shape shape = getShape(x);
  size_t count = shape.size() - 2;
  auto windows = readWindows(n, *kernel, ArrayRef<SymInt>(shape).drop_front(2));
  if (failed(windows))
    return failure();
  Shape inferred = shape;
  for (size_t i = 0; i < count; ++i)
    inferred[i + 2] = (shape[i + 2] - SymInt(1)) * SymInt(windows->strides[i]) +
                      SymInt((*kernel)[i]) - windows->pads[i] -
                      windows->pads[count + i];
  Shape result = inferred;
  if (n.has(2)) {
    auto stated = n.sizes(2, "output shape");
    if (failed(stated))
      return failure();
    if (stated->size() != shape.size())
      return n.fail("the output shape has " + Twine(stated->size()) +
                    " entries; expected " + Twine(shape.size()));
    result = *stated;
  }
  // Indices refer to the inferred shape: use their coordinates, not their flat
  // positions in a larger result.
  Value index = n.cast(n.reshape(positions, {product(shape)}),
                       n.getBuilder().getI64Type());
  if (n.has(2)) {
    Value rest = index, moved;
    SymInt stride(1);
    for (size_t i = shape.size(); i-- > 0;) {
      Value size = n.size(inferred[i]);
      Value at = n.mul(n.binary<ModOp>(rest, size), n.size(stride));
      moved = moved ? n.add(moved, at) : at;
      rest = n.div(rest, size);
      stride = stride * result[i];
    }
    index = moved;
  }
  Value zeros = n.splat(0, {product(result)}, elementTypeOf(x));
  Value flat = n.op<ScatterElementsOp>(
      {zeros, index, n.reshape(x, {product(shape)})},
      {n.integer("axis", 0),
       n.attr("reduction", ScatterReductionAttr::get(n.getContext(),
                                                     ScatterReduction::None))});
  return n.finish(n.reshape(flat, result));
}

ArrayRef<Operator> tenon::onnx::poolOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed;
  static const Operator table[] = {
      {"AveragePool", D, convertAveragePool, "1 to 3 spatial axes"},
      {"GlobalAveragePool", D, globalPool<ReduceMeanOp>, ""},
      {"GlobalLpPool", C, convertGlobalLpPool, ""},
      {"GlobalMaxPool", D, globalPool<ReduceMaxOp>, ""},
      {"LpPool", D, convertLpPool, "1 to 3 spatial axes"},
      {"MaxPool", D, convertMaxPool, "1 to 3 spatial axes"},
      {"MaxUnpool", C, convertMaxUnpool, "1 to 3 spatial axes"},
  };
  return table;
}
