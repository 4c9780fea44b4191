//===- ActivationConverters.cpp - activations and the softmax family ------===//
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

template <typename OpTy> static LogicalResult unary(NodeContext &n) {
  return n.finish(n.unary<OpTy>(n.data(0)));
}

static LogicalResult convertLeakyRelu(NodeContext &n) {
  return n.finish(n.op<LeakyReluOp>(
      {n.data(0)}, {n.number("alpha", n.floatAttr("alpha", 0.01f))}));
}

static LogicalResult convertElu(NodeContext &n) {
  return n.finish(
      n.op<EluOp>({n.data(0)}, {n.number("alpha", n.floatAttr("alpha", 1.0))}));
}

static LogicalResult convertCelu(NodeContext &n) {
  return n.finish(n.op<CeluOp>({n.data(0)},
                               {n.number("alpha", n.floatAttr("alpha", 1.0))}));
}

static LogicalResult convertSelu(NodeContext &n) {
  double alpha = n.floatAttr("alpha", 1.67326319217681884765625);
  double gamma = n.floatAttr("gamma", 1.05070102214813232421875);
  return n.finish(n.op<SeluOp>(
      {n.data(0)}, {n.number("alpha", alpha), n.number("gamma", gamma)}));
}

static LogicalResult convertHardSigmoid(NodeContext &n) {
  double alpha = n.floatAttr("alpha", 0.2f), beta = n.floatAttr("beta", 0.5);
  return n.finish(n.op<HardSigmoidOp>(
      {n.data(0)}, {n.number("alpha", alpha), n.number("beta", beta)}));
}

static LogicalResult convertThresholdedRelu(NodeContext &n) {
  return n.finish(n.op<ThresholdedReluOp>(
      {n.data(0)}, {n.number("alpha", n.floatAttr("alpha", 1.0))}));
}

static LogicalResult convertShrink(NodeContext &n) {
  double lambda = n.floatAttr("lambd", 0.5), bias = n.floatAttr("bias", 0.0);
  Value x = n.data(0);
  if (!x || isFloat(elementTypeOf(x)))
    return n.finish(n.op<ShrinkOp>(
        {x}, {n.number("lambda", lambda), n.number("bias", bias)}));
  // Compare in floating point, since lambda need not be an integer.
  Type f64 = n.getBuilder().getF64Type();
  Value wide = n.cast(x, f64);
  Value low = n.add(wide, n.scalar(bias, f64));
  Value high = n.sub(wide, n.scalar(bias, f64));
  Value zero = n.scalar(0, f64);
  Value inner = n.where(n.less(n.scalar(lambda, f64), wide), high, zero);
  Value all = n.where(n.less(wide, n.scalar(-lambda, f64)), low, inner);
  return n.finish(n.cast(all, elementTypeOf(x)));
}

static LogicalResult convertGelu(NodeContext &n) {
  StringRef approximate = n.stringAttr("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return n.fail("approximate is '" + approximate +
                  "'; expected none or tanh");
  SmallVector<NamedAttribute> attrs;
  if (approximate == "tanh")
    attrs.push_back(n.flag("tanh"));
  return n.finish(n.op<GeluOp>({n.data(0)}, attrs));
}

static LogicalResult convertSwish(NodeContext &n) {
  Value x = n.data(0);
  double alpha = n.floatAttr("alpha", 1.0);
  if (alpha == 1.0)
    return n.finish(n.unary<SiluOp>(x));
  Value gate = n.unary<SigmoidOp>(n.mul(x, n.scalarLike(alpha, x)));
  return n.finish(n.mul(x, gate));
}

static LogicalResult convertSwiGlu(NodeContext &n) {
  Value a = n.data(0), b = n.data(1);
  if (!n.broadcastInto(b, a))
    return failure();
  double alpha = n.floatAttr("alpha", 1.0);
  Value scaled = alpha == 1.0 ? a : n.mul(a, n.scalarLike(alpha, a));
  return n.finish(n.op<MulOp>({n.mul(a, n.unary<SigmoidOp>(scaled)), b}));
}

/// The slope broadcasts to x. In opset 6 it may have one element per channel
/// (axis 1) and rank 1.
static LogicalResult convertPRelu(NodeContext &n) {
  Value x = n.data(0), slope = n.data(1);
  if (!x || !slope)
    return failure();
  if (n.getOpset() < 7 && rankOf(slope) == 1 && rankOf(x) > 1 &&
      getShape(slope)[0].getConstant() != 1)
    slope = n.alongAxis(slope, 1, rankOf(x));
  if (!n.broadcastInto(slope, x))
    return failure();
  return n.finish(n.op<PreluOp>({x, slope}));
}

/// Before opset 13, the axes from `axis` on are flattened, and the default is
/// 1.
template <typename OpTy> static LogicalResult softmax(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  bool flattens = n.getOpset() < 13;
  // A scalar has one element, whatever the axis.
  if (rankOf(x) == 0)
    return n.finish(n.reshape(
        n.op<OpTy>({n.reshape(x, {SymInt(1)})}, {n.integer("axis", 0)}), {}));
  FailureOr<int64_t> axis = n.axisAttr("axis", flattens ? 1 : -1, rankOf(x));
  // ONNX allows axis = rank for a vector in the flattening operators.
  if (failed(axis))
    return failure();
  if (!flattens || *axis == rankOf(x) - 1)
    return n.finish(n.op<OpTy>({x}, {n.integer("axis", *axis)}));
  Shape shape = getShape(x);
  ArrayRef<SymInt> sizes(shape);
  Value flat = n.reshape(
      x, {product(sizes.take_front(*axis)), product(sizes.drop_front(*axis))});
  Value result = n.op<OpTy>({flat}, {n.integer("axis", 1)});
  return n.finish(n.reshape(result, shape));
}

ArrayRef<Operator> tenon::onnx::activationOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed;
  static const Operator table[] = {
      {"Celu", D, convertCelu, ""},
      {"Elu", D, convertElu, ""},
      {"Gelu", D, convertGelu, ""},
      {"HardSigmoid", D, convertHardSigmoid, ""},
      {"HardSwish", D, unary<HardSwishOp>, ""},
      {"Hardmax", D, softmax<HardmaxOp>, ""},
      {"LeakyRelu", D, convertLeakyRelu, ""},
      {"LogSoftmax", D, softmax<LogSoftmaxOp>, ""},
      {"Mish", D, unary<MishOp>, ""},
      {"PRelu", D, convertPRelu, ""},
      {"Relu", D, unary<ReluOp>, ""},
      {"Selu", D, convertSelu, ""},
      {"Shrink", D, convertShrink, ""},
      {"Sigmoid", D, unary<SigmoidOp>, ""},
      {"Softmax", D, softmax<SoftmaxOp>, ""},
      {"Softplus", D, unary<SoftplusOp>, ""},
      {"Softsign", D, unary<SoftsignOp>, ""},
      {"SwiGLU", C, convertSwiGlu, ""},
      {"Swish", C, convertSwish, ""},
      {"ThresholdedRelu", D, convertThresholdedRelu, ""},
  };
  return table;
}
