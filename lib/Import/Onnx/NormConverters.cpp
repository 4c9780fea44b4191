//===- NormConverters.cpp - normalization ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Operators.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// All axes but `kept`.
static SmallVector<int64_t> otherAxes(int64_t rank, int64_t kept) {
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != kept)
      axes.push_back(axis);
  return axes;
}

static SmallVector<int64_t> axesFrom(int64_t first, int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(first, rank));
}

/// An operand for each channel, apart from others with which an exporter merged
/// it. A scale or a bias that is not new may be one that two norms share, and
/// exports for training merge only what is shared.
static Value channelOperand(NodeContext &n, size_t i) {
  if (!n.has(i))
    return n.data(i); // reports this
  ImportedValue *value = n.getImported(i);
  bool isStatistic = i >= 3;
  if (isStatistic || (value->constant && isUniform(*value->constant) &&
                      !n.intAttr("training_mode", 0)))
    value = n.getImporter().findUnmerged(value, n.getNode().input(i));
  return n.getImporter().materialize(*value);
}

/// Whether training replaces the running statistics by the batch's: they are
/// weights, and nothing computes with those after the node. If the model
/// returns these, it returns the stored ones, which training updates.
static bool hasStatistics(NodeContext &n) {
  GraphImporter &importer = n.getImporter();
  for (size_t i : {3, 4})
    if (!n.has(i) || !n.getImported(i)->isInitializer ||
        !n.getImported(i)->constant ||
        isExportersName(n.getImported(i)->constant->name))
      return false;
  for (size_t i = 1; i < n.numOutputs(); ++i)
    if (n.wants(i) && importer.isRead(n.getNode().output(i)))
      return false;
  return true;
}

/// Uses the batch's statistics, which also update the running ones.
static LogicalResult trainBatchNorm(NodeContext &n, Value x, double epsilon) {
  double momentum = n.floatAttr("momentum", 0.9f);
  Value scale = n.data(1), bias = n.data(2), running = n.data(3);
  if (!scale || !bias || !running)
    return failure();
  // In the wider type of the statistics.
  Type type = elementTypeOf(x);
  Type wide = elementTypeOf(running);
  if (wide.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    x = n.cast(x, wide);
  SmallVector<int64_t> axes = otherAxes(rankOf(x), 1);
  Value mean = n.reduce<ReduceMeanOp>(x, axes, /*keepdims=*/false);
  Value centered = n.sub(x, n.alongAxis(mean, 1, rankOf(x)));
  Value variance =
      n.reduce<ReduceMeanOp>(n.mul(centered, centered), axes, false);
  Value y =
      n.op<BatchNormOp>({x, n.cast(scale, elementTypeOf(x)),
                         n.cast(bias, elementTypeOf(x)), mean, variance},
                        {n.integer("axis", 1), n.number("epsilon", epsilon)});
  y = n.cast(y, type);
  auto move = [&](Value running, Value now) {
    if (!running || !now)
      return Value();
    now = n.cast(now, elementTypeOf(running));
    return n.add(n.mul(running, n.scalarLike(momentum, running)),
                 n.mul(now, n.scalarLike(1.0 - momentum, now)));
  };
  return n.finish({y, move(n.data(3), mean), move(n.data(4), variance)});
}

/// The result of `compute`, in the type of the first operand: of the operands
/// as they are if they are of one type, or else in the widest of their types
/// and f32.
static Value inWidest(NodeContext &n, ArrayRef<Value> operands,
                      function_ref<Value(ArrayRef<Value>)> compute) {
  if (!llvm::all_of(operands, [](Value value) { return value; }))
    return {};
  Type type = elementTypeOf(operands.front());
  auto isOther = [&](Value value) { return elementTypeOf(value) != type; };
  if (llvm::none_of(operands, isOther))
    return compute(operands);
  bool hasF64 = llvm::any_of(
      operands, [](Value value) { return elementTypeOf(value).isF64(); });
  Type wide =
      hasF64 ? n.getBuilder().getF64Type() : n.getBuilder().getF32Type();
  SmallVector<Value> cast;
  for (Value operand : operands)
    cast.push_back(n.cast(operand, wide));
  return n.cast(compute(cast), type);
}

static LogicalResult convertBatchNorm(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  if (rankOf(x) < 1)
    return n.fail("the input has rank 0; expected at least 1");
  if (n.getOpset() < 9 && !n.intAttr("spatial", 1))
    return n.fail("spatial = 0 is not supported");
  double epsilon = n.floatAttr("epsilon", 1e-5f);
  bool isTraining = n.intAttr("training_mode", 0);
  if (isTraining) {
    if (rankOf(x) < 2)
      return n.fail("the input has rank 1; expected at least 2 in training");
    bool isTrained = hasStatistics(n);
    if (isTrained)
      n.getImporter().addTrainingNorm(n);
    if (!isTrained || !n.getImporter().trainsBatchNorms())
      return trainBatchNorm(n, x, epsilon);
  }
  // A single axis is the batch of one channel.
  Shape shape = getShape(x);
  if (shape.size() == 1)
    x = n.unsqueeze(x, {1});
  SmallVector<Value> operands = {x};
  for (size_t i : {1, 2, 3, 4})
    operands.push_back(channelOperand(n, i));
  Value y = inWidest(n, operands, [&](ArrayRef<Value> wide) {
    return n.op<BatchNormOp>(
        wide, {n.integer("axis", 1), n.number("epsilon", epsilon)});
  });
  SmallVector<Value> results = {n.reshape(y, shape)};
  if (isTraining)
    results.append({operands[3], operands[4]});
  return n.finish(results);
}

static LogicalResult convertInstanceNorm(NodeContext &n) {
  return n.finish(n.op<InstanceNormOp>(
      {n.data(0), n.data(1), n.data(2)},
      {n.number("epsilon", n.floatAttr("epsilon", 1e-5f))}));
}

/// Computes in `stash_type`, as the standard requires.
static LogicalResult convertLayerNorm(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = n.axisAttr("axis", -1, rankOf(x));
  if (failed(axis))
    return failure();
  double epsilon = n.floatAttr("epsilon", 1e-5f);
  Type type = elementTypeOf(x);
  Value scale = n.data(1);
  SmallVector<Value> operands = {x, scale};
  if (n.has(2))
    operands.push_back(n.data(2));
  SmallVector<Value> results = {n.op<LayerNormOp>(
      operands, {n.integer("axis", *axis), n.number("epsilon", epsilon)})};
  if (!n.wants(1) && !n.wants(2))
    return n.finish(results);
  auto stash = toDType(static_cast<int32_t>(n.intAttr("stash_type", 1)));
  if (!stash)
    return n.fail("stash_type is not supported");
  Value wide =
      type.isF64() ? x : n.cast(x, toElementType(*stash, n.getContext()));
  SmallVector<int64_t> axes = axesFrom(*axis, rankOf(x));
  Value mean = n.reduce<ReduceMeanOp>(wide, axes, true);
  Value centered = n.sub(wide, mean);
  Value variance =
      n.reduce<ReduceMeanOp>(n.mul(centered, centered), axes, true);
  // Both are of the type of that stage, also for data of f64.
  Type stashed = toElementType(*stash, n.getContext());
  results.push_back(n.cast(mean, stashed));
  results.push_back(
      n.cast(n.unary<RsqrtOp>(n.add(variance, n.scalarLike(epsilon, variance))),
             stashed));
  return n.finish(results);
}

static LogicalResult convertRmsNorm(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = n.axisAttr("axis", -1, rankOf(x));
  Value scale = n.data(1);
  if (failed(axis) || !scale)
    return failure();
  // The result is of the type of the scale.
  return n.finish(inWidest(n, {scale, x}, [&](ArrayRef<Value> wide) {
    return n.op<RmsNormOp>(
        {wide[1], wide[0]},
        {n.integer("axis", *axis),
         n.number("epsilon", n.floatAttr("epsilon", 1e-5f))});
  }));
}

/// Before opset 21, scale and bias have one element per group.
static LogicalResult convertGroupNorm(NodeContext &n) {
  Value x = n.data(0), scale = n.data(1), bias = n.data(2);
  if (!x || !scale || !bias)
    return failure();
  int64_t groups = n.intAttr("num_groups", 0);
  if (groups < 1 || rankOf(x) < 2)
    return n.fail("num_groups is " + Twine(groups) + " and the input's rank " +
                  Twine(rankOf(x)) + "; expected at least 1 and 2");
  if (n.getOpset() < 21) {
    std::optional<int64_t> channels = getShape(x)[1].getConstant();
    if (!channels || *channels % groups)
      return n.fail("the number of channels is " + getShape(x)[1].str() +
                    "; expected a multiple of num_groups");
    auto perChannel = [&](Value v) {
      Value grown = n.broadcast(n.unsqueeze(v, {1}),
                                {SymInt(groups), SymInt(*channels / groups)});
      return n.reshape(grown, {SymInt(*channels)});
    };
    scale = perChannel(scale);
    bias = perChannel(bias);
  }
  return n.finish(n.op<GroupNormOp>(
      {x, scale, bias}, {n.integer("groups", groups),
                         n.number("epsilon", n.floatAttr("epsilon", 1e-5f))}));
}

/// Builds (x - mean) / (standard deviation + 1e-9), like the standard's
/// function body.
static LogicalResult convertMeanVariance(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto stated = n.intsAttr("axes");
  SmallVector<int64_t> list = stated ? *stated : SmallVector<int64_t>{0, 2, 3};
  auto axes = n.axes(list, rankOf(x));
  if (failed(axes))
    return failure();
  Value mean = n.reduce<ReduceMeanOp>(x, *axes, true);
  Value centered = n.sub(x, mean);
  Value variance =
      n.reduce<ReduceMeanOp>(n.mul(centered, centered), *axes, true);
  Value deviation = n.add(n.unary<SqrtOp>(variance), n.scalarLike(1e-9, x));
  return n.finish(n.div(centered, deviation));
}

static LogicalResult convertLpNorm(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = n.axisAttr("axis", -1, rankOf(x));
  int64_t p = n.intAttr("p", 2);
  if (failed(axis))
    return failure();
  if (p != 1 && p != 2)
    return n.fail("p is " + Twine(p) + "; expected 1 or 2");
  Value norm = p == 1 ? n.reduce<ReduceL1Op>(x, {*axis}, true)
                      : n.reduce<ReduceL2Op>(x, {*axis}, true);
  // A zero vector is not changed.
  Value zero = n.scalarLike(0, x);
  Value isZero = n.equal(norm, zero);
  Value quotient = n.div(x, n.where(isZero, n.scalarLike(1, x), norm));
  return n.finish(n.where(isZero, zero, quotient));
}

static LogicalResult convertLrn(NodeContext &n) {
  int64_t size = n.intAttr("size", 0);
  if (size < 1)
    return n.fail("size is " + Twine(size) + "; expected at least 1");
  return n.finish(
      n.op<LrnOp>({n.data(0)}, {n.integer("size", size),
                                n.number("alpha", n.floatAttr("alpha", 1e-4f)),
                                n.number("beta", n.floatAttr("beta", 0.75)),
                                n.number("bias", n.floatAttr("bias", 1.0))}));
}

/// In inference, nothing is dropped.
static LogicalResult convertDropout(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  if (n.has(2)) {
    auto training = n.integerInput(2, "training_mode");
    if (failed(training))
      return failure();
    if (*training) {
      auto ratio =
          n.has(1) ? n.numberInput(1, "ratio") : FailureOr<double>(0.5);
      if (failed(ratio))
        return failure();
      if (*ratio != 0)
        return n.fail("random numbers (training_mode with ratio above 0) are "
                      "not supported");
    }
  }
  SmallVector<Value> results = {x};
  if (n.wants(1)) {
    Type mask =
        n.getOpset() >= 10 ? n.getBuilder().getI1Type() : elementTypeOf(x);
    results.push_back(n.splat(1, getShape(x), mask));
  }
  return n.finish(results);
}

static LossReductionAttr lossReduction(NodeContext &n) {
  StringRef text = n.stringAttr("reduction", "mean");
  std::optional<LossReduction> reduction = symbolizeLossReduction(text);
  if (!reduction) {
    n.error("reduction is '" + text + "'; expected none, mean or sum");
    return {};
  }
  return LossReductionAttr::get(n.getContext(), *reduction);
}

template <typename OpTy> static Value loss(NodeContext &n, Value scores) {
  LossReductionAttr reduction = lossReduction(n);
  if (!reduction)
    return {};
  SmallVector<Value> operands = {scores, n.data(1)};
  if (n.has(2))
    operands.push_back(n.data(2));
  SmallVector<NamedAttribute> attrs = {n.attr("reduction", reduction)};
  if (n.hasAttr("ignore_index"))
    attrs.push_back(n.integer("ignore_index", n.intAttr("ignore_index", 0)));
  return n.op<OpTy>(operands, attrs);
}

static LogicalResult convertNllLoss(NodeContext &n) {
  return n.finish(loss<NllLossOp>(n, n.data(0)));
}

static LogicalResult convertSoftmaxCrossEntropy(NodeContext &n) {
  Value scores = n.data(0);
  SmallVector<Value> results = {loss<SoftmaxCrossEntropyOp>(n, scores)};
  if (n.wants(1))
    results.push_back(n.op<LogSoftmaxOp>({scores}, {n.integer("axis", 1)}));
  return n.finish(results);
}

ArrayRef<Operator> tenon::onnx::normOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed;
  static const Operator table[] = {
      {"BatchNormalization", D, convertBatchNorm,
       "spatial = 1; training_mode = 1 normalizes by the batch (in modules and "
       "training, see docs/training.md)"},
      {"Dropout", Support::Import, convertDropout, "inference only"},
      {"GroupNormalization", D, convertGroupNorm, ""},
      {"InstanceNormalization", D, convertInstanceNorm, ""},
      {"LRN", D, convertLrn, ""},
      {"LayerNormalization", D, convertLayerNorm, ""},
      {"LpNormalization", C, convertLpNorm, ""},
      {"MeanVarianceNormalization", C, convertMeanVariance, ""},
      {"NegativeLogLikelihoodLoss", D, convertNllLoss, ""},
      {"RMSNormalization", D, convertRmsNorm, ""},
      {"SoftmaxCrossEntropyLoss", D, convertSoftmaxCrossEntropy, ""},
  };
  return table;
}
