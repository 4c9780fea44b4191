//===- LinearConverters.cpp - products and convolutions -------------------===//
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

/// As in numpy, a vector is a row on the left and a column on the right, and
/// the added axis is removed from the result.
static LogicalResult convertMatMul(NodeContext &n) {
  Value a = n.data(0), b = n.data(1);
  if (!a || !b)
    return failure();
  if (rankOf(a) == 0 || rankOf(b) == 0)
    return n.fail("a scalar operand is not allowed");
  bool row = rankOf(a) == 1, column = rankOf(b) == 1;
  if (row)
    a = n.unsqueeze(a, {0});
  if (column)
    b = n.unsqueeze(b, {1});
  Value product = n.matmul(a, b);
  if (!product)
    return failure();
  SmallVector<int64_t> dropped;
  if (row)
    dropped.push_back(rankOf(product) - 2);
  if (column)
    dropped.push_back(rankOf(product) - 1);
  return n.finish(dropped.empty() ? product : n.squeeze(product, dropped));
}

static LogicalResult convertGemm(NodeContext &n) {
  Value a = n.data(0), b = n.data(1);
  if (!a || !b)
    return failure();
  if (rankOf(a) != 2 || rankOf(b) != 2)
    return n.fail("the factors have ranks " + Twine(rankOf(a)) + " and " +
                  Twine(rankOf(b)) + "; expected 2");
  double alpha = n.floatAttr("alpha", 1.0), beta = n.floatAttr("beta", 1.0);
  // A product that is scaled may leave the range of 16 bits before.
  Type type = elementTypeOf(a);
  bool isWide = isFloat(type) && type.getIntOrFloatBitWidth() < 32 &&
                (alpha != 1.0 || (n.has(2) && beta != 1.0));
  Type inner = isWide ? Type(n.getBuilder().getF32Type()) : type;
  Value result = n.matmul(n.cast(a, inner), n.cast(b, inner),
                          n.intAttr("transA", 0), n.intAttr("transB", 0));
  if (!result)
    return failure();
  if (isInteger(type) && (alpha != int64_t(alpha) || beta != int64_t(beta)))
    return n.fail("alpha and beta of an integer product must be integers");
  if (alpha != 1.0)
    result = n.mul(result, n.scalar(alpha, inner));
  if (n.has(2) && beta != 0.0) {
    Value c = n.cast(n.data(2), inner);
    if (beta != 1.0)
      c = n.mul(c, n.scalar(beta, inner));
    if (!c || !result)
      return failure();
    if (!n.broadcastInto(c, result))
      return failure();
    result = n.op<AddOp>({result, c});
  }
  return n.finish(n.cast(result, type));
}

/// The sizes of the weight's spatial axes, which must be constant.
static FailureOr<SmallVector<int64_t>> kernelOf(NodeContext &n, Value weight) {
  SmallVector<int64_t> kernel;
  Shape shape = getShape(weight);
  for (const SymInt &size : ArrayRef<SymInt>(shape).drop_front(2)) {
    if (!size.getConstant())
      return n.fail("the kernel has the dynamic size " + size.str());
    kernel.push_back(*size.getConstant());
  }
  auto stated = n.intsAttr("kernel_shape");
  if (stated && *stated != kernel)
    return n.fail("kernel_shape differs from the shape of the weight");
  return kernel;
}

/// Adds a bias [c] along axis 1.
static Value addBias(NodeContext &n, Value result, size_t input) {
  if (!n.has(input) || !result)
    return result;
  Value bias = n.alongAxis(n.data(input), 1, rankOf(result));
  if (!bias || !n.broadcastInto(bias, result))
    return {};
  return n.op<AddOp>({result, bias});
}

static LogicalResult convertConv(NodeContext &n) {
  Value x = n.data(0), weight = n.data(1);
  if (!x || !weight)
    return failure();
  if (rankOf(x) < 3 || rankOf(x) > 5 || rankOf(weight) != rankOf(x))
    return n.fail("input and weight have ranks " + Twine(rankOf(x)) + " and " +
                  Twine(rankOf(weight)) + "; expected equal ranks, 3 to 5");
  auto kernel = kernelOf(n, weight);
  if (failed(kernel))
    return failure();
  Shape shape = getShape(x);
  auto windows = readWindows(n, *kernel, ArrayRef<SymInt>(shape).drop_front(2));
  if (failed(windows))
    return failure();
  int64_t groups = n.intAttr("group", 1);
  Value result = n.op<ConvOp>(
      {x, weight},
      {n.dims("strides", windows->strides), n.dims("pads", windows->pads),
       n.dims("dilations", windows->dilations),
       n.dims("groups", ArrayRef<int64_t>(groups)),
       n.attr("layout",
              LayoutAttr::get(n.getContext(), Layout::ChannelsFirst))});
  return n.finish(addBias(n, result, 2));
}

/// Computes pads and output padding such that the result has the shape
/// `outputShape` or, for SAME_*, stride times the input's size.
static LogicalResult fitOutput(NodeContext &n, ArrayRef<SymInt> spatial,
                               Windows &windows,
                               SmallVector<int64_t> &outputPadding) {
  size_t count = spatial.size();
  auto outputShape = n.intsAttr("output_shape");
  StringRef mode = n.stringAttr("auto_pad", "NOTSET");
  bool same = mode.starts_with("SAME");
  if (!outputShape && !same)
    return success();
  if (outputShape && outputShape->size() == count + 2)
    outputShape->erase(outputShape->begin(), outputShape->begin() + 2);
  if (outputShape && outputShape->size() != count)
    return n.fail("output_shape has " + Twine(outputShape->size()) +
                  " entries; expected " + Twine(count));
  for (size_t i = 0; i < count; ++i) {
    int64_t stride = windows.strides[i];
    int64_t reach = (windows.kernel[i] - 1) * windows.dilations[i] + 1;
    int64_t total;
    if (outputShape) {
      std::optional<int64_t> size = spatial[i].getConstant();
      int64_t wanted = (*outputShape)[i];
      if (!size)
        return n.fail("output_shape with the dynamic size " + spatial[i].str() +
                      " is not supported");
      if (wanted < 0 || wanted > (int64_t(1) << 40))
        return n.fail("output_shape has entry " + Twine(wanted));
      total = stride * (*size - 1) + outputPadding[i] + reach - wanted;
    } else {
      total = reach - stride + outputPadding[i];
    }
    // If the result is larger than the windows' range, it is padded at the end.
    if (total < 0) {
      outputPadding[i] -= total;
      total = 0;
    }
    int64_t small = total / 2, large = total - small;
    bool upper = mode == "SAME_UPPER";
    windows.pads[i] = SymInt(upper ? small : large);
    windows.pads[count + i] = SymInt(upper ? large : small);
  }
  return success();
}

static LogicalResult convertConvTranspose(NodeContext &n) {
  Value x = n.data(0), weight = n.data(1);
  if (!x || !weight)
    return failure();
  if (rankOf(x) < 3 || rankOf(x) > 5 || rankOf(weight) != rankOf(x))
    return n.fail("input and weight have ranks " + Twine(rankOf(x)) + " and " +
                  Twine(rankOf(weight)) + "; expected equal ranks, 3 to 5");
  auto kernel = kernelOf(n, weight);
  if (failed(kernel))
    return failure();
  size_t count = kernel->size();
  Shape shape = getShape(x);
  ArrayRef<SymInt> spatial = ArrayRef<SymInt>(shape).drop_front(2);
  auto strides = spatialAttr(n, "strides", count, 1, 1);
  auto dilations = spatialAttr(n, "dilations", count, 1, 1);
  auto pads = spatialAttr(n, "pads", 2 * count, 0, INT32_MIN);
  auto outputPadding = spatialAttr(n, "output_padding", count, 0, 0);
  if (failed(strides) || failed(dilations) || failed(pads) ||
      failed(outputPadding))
    return failure();
  Windows windows{*kernel, *strides, *dilations,
                  Shape(pads->begin(), pads->end())};
  if (failed(fitOutput(n, spatial, windows, *outputPadding)))
    return failure();
  int64_t groups = n.intAttr("group", 1);
  Value result = n.op<ConvTransposeOp>(
      {x, weight},
      {n.dims("strides", windows.strides), n.dims("pads", windows.pads),
       n.dims("dilations", windows.dilations),
       n.dims("output_padding", *outputPadding),
       n.dims("groups", ArrayRef<int64_t>(groups))});
  return n.finish(addBias(n, result, 2));
}

ArrayRef<Operator> tenon::onnx::linearOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed;
  static const Operator table[] = {
      {"Conv", D, convertConv, "1 to 3 spatial axes, a static kernel"},
      {"ConvTranspose", D, convertConvTranspose,
       "1 to 3 spatial axes, a static kernel"},
      {"Gemm", C, convertGemm, ""},
      {"MatMul", D, convertMatMul, ""},
  };
  return table;
}
