//===- OperatorCosts.cpp - numbers of an operator -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Backward tasks are estimated by kind of op, because derivatives exist only
// once the model is cut: a product needs one product of the same size for the
// gradient of each operand; other ops need as long backward as forward, since
// both are bound by the bytes that they read and write; the gradient of a bias
// or a scale reads the gradient of the result once.
//
//===----------------------------------------------------------------------===//

#include "OperatorCosts.h"
#include "tenon/Cost/Winograd.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::parallelize;

/// Samples for which seconds are estimated: the least, and two of which the
/// slope follows. A roofline is a line where there are many; what is measured
/// is as long as plans have it.
static constexpr int64_t kPredicted[] = {1, 1024, 2048},
                         kMeasured[] = {1, 16, 64};

void tenon::parallelize::collectParameters(
    Value value, llvm::SetVector<Operation *> &found) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (isa<ParameterOp>(op))
    found.insert(op);
  for (Value operand : op->getOperands())
    collectParameters(operand, found);
}

static bool isTrained(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

static bool isProduct(Operation *op) {
  return isa<MatmulOp, ConvOp, ConvTransposeOp, AttentionOp>(op);
}

OperatorCosts::OperatorCosts(const ModelOptions &options, const BatchAxes &axes,
                             Block &body)
    : options(options), axes(axes) {
  setSamples(kPredicted);
  for (Operation &op : body) {
    llvm::SetVector<Operation *> parameters;
    bool depends = false;
    for (Value operand : op.getOperands()) {
      depends |= hasGradient.contains(operand);
      if (!axes.hasSamples(operand))
        collectParameters(operand, parameters);
    }
    for (Value result : op.getResults())
      if (isTrained(result) && (depends || !parameters.empty()))
        hasGradient.insert(result);
  }
}

void OperatorCosts::setSamples(ArrayRef<int64_t> numbers) {
  costs.clear();
  for (int64_t samples : numbers) {
    cost::Sizes sizes = options.sizes;
    if (std::optional<StringRef> symbol = axes.size.getSymbol())
      sizes[symbol->str()] = samples;
    costs.push_back({samples, cost::CostModel(options.device, nullptr, sizes),
                     llvm::DenseMap<Operation *, double>()});
  }
}

/// In parts like those of rooflines, which are the same for any size: what one
/// op gained with it, another would lose.
void OperatorCosts::divide(ArrayRef<MeasuredKernel> kernels,
                           AtSamples &at) const {
  const cost::CostModel &model = costs[1].model;
  for (const MeasuredKernel &kernel : kernels) {
    SmallVector<std::pair<Operation *, double>> parts;
    double sum = 0;
    for (Operation *op : kernel.ops) {
      if (isView(op) || llvm::none_of(op->getResults(), [&](Value value) {
            return axes.hasSamples(value);
          }))
        continue;
      parts.push_back({op, model.estimate(model.getWork(op)).seconds});
      sum += parts.back().second;
    }
    for (auto [op, part] : parts)
      at.measured[op] +=
          kernel.seconds *
          (sum > 0 ? part / sum : 1 / static_cast<double>(parts.size()));
  }
}

LogicalResult OperatorCosts::measure(func::FuncOp model) {
  isMeasured = true;
  setSamples(kMeasured);
  for (AtSamples &at : costs) {
    // All are the same if the number of samples is a constant.
    if (axes.size.getConstant() && &at != &costs.front()) {
      at.measured = costs.front().measured;
      continue;
    }
    auto kernels = options.measure(model, at.model.getSizes());
    if (failed(kernels))
      return failure();
    divide(*kernels, at);
  }
  return success();
}

double OperatorCosts::getSeconds(Operation *op, const AtSamples &at) const {
  double seconds = 0;
  if (auto it = at.measured.find(op); it != at.measured.end())
    seconds = it->second;
  // Inference computes what has no kernel at load, such as batch norms that are
  // part of a weight; training has it in its tasks.
  else if (!isMeasured || options.batch.isTraining)
    seconds = at.model.estimate(at.model.getWork(op)).seconds;
  std::optional<int64_t> constant = axes.size.getConstant();
  return constant ? seconds * static_cast<double>(at.samples) /
                        static_cast<double>(*constant)
                  : seconds;
}

TaskCost OperatorCosts::getCost(Operation *op) const {
  auto one = static_cast<double>(costs[0].samples),
       some = static_cast<double>(costs[1].samples),
       many = static_cast<double>(costs[2].samples);
  double atOne = getSeconds(op, costs[0]), atSome = getSeconds(op, costs[1]),
         atMany = getSeconds(op, costs[2]);
  TaskCost cost;
  cost.perSample = std::max(0.0, atMany - atSome) / (many - some);
  cost.fixed = std::max(0.0, atSome - some * cost.perSample);
  // Measured seconds may grow fast at first, which no such costs do: a line
  // from one to many is then below them in between.
  if (isMeasured && cost.getSeconds(one) > atOne) {
    cost.perSample = std::max(0.0, atMany - atOne) / (many - one);
    cost.fixed = std::max(0.0, atOne - one * cost.perSample);
  }
  cost.least = std::max(0.0, atOne - cost.fixed);
  return cost;
}

static TaskCost scale(const TaskCost &cost, double factor) {
  return {factor * cost.fixed, factor * cost.perSample, factor * cost.least};
}

void OperatorCosts::add(Operation *op, Operator &sum) const {
  if (isView(op))
    return;
  TaskCost cost = getCost(op);
  sum.forward += cost;
  unsigned inputs = 0, weights = 0;
  for (Value operand : op->getOperands()) {
    llvm::SetVector<Operation *> parameters;
    if (!axes.hasSamples(operand))
      collectParameters(operand, parameters);
    if (axes.hasSamples(operand) && hasGradient.contains(operand))
      ++inputs;
    else if (!parameters.empty() && isTrained(operand))
      ++weights;
  }
  if (isProduct(op)) {
    // Attention has two products, and a gradient for each of their operands.
    sum.backwardInput += scale(cost, std::min(inputs, 2u));
    sum.backwardWeight += scale(cost, weights);
    return;
  }
  if (inputs > 0)
    sum.backwardInput += cost;
  if (weights > 0 && op->getNumResults() > 0)
    sum.backwardWeight += {options.device.launchSeconds,
                           getBytesPerSample(op->getResult(0).getType()) /
                               options.device.memoryBandwidth};
}

double OperatorCosts::getBytesPerSample(Type type) const {
  double bytes = costs.front().model.getBytes(type);
  std::optional<int64_t> constant = axes.size.getConstant();
  return constant ? bytes / static_cast<double>(*constant) : bytes;
}

/// How many values of the size of an op's result its backward tasks work on at
/// a time: gradients of its result, of its operands, and copies of them in the
/// layouts of libraries. Measured as the largest arena of a backward task by
/// the largest result in it: convolutions (squeezenet, vgg19, csrnet) 3.0
/// to 3.2, batch norms 4.0 (resnet18), and 7.0 if their results are added
/// (resnet50), others 2.0 to 2.5.
static unsigned countWork(Operation *op) {
  if (isa<BatchNormOp>(op))
    return llvm::any_of(op->getUsers(), llvm::IsaPred<AddOp>) ? 7 : 4;
  return isa<ConvOp, ConvTransposeOp>(op) ? 3 : 2;
}

double OperatorCosts::countPackedCopies(Operation *op, double samples) const {
  if (options.device.device != Device::Cpu || !isProduct(op))
    return 0;
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv || getShape(conv.getWeight()).size() != 4)
    return 1;
  auto strides = conv.getStrides().getConstants();
  bool isLast = conv.getLayout() == Layout::ChannelsLast;
  SmallVector<SymInt> weight = getShape(conv.getWeight()),
                      result = getShape(conv.getResult());
  auto window = weight[2].getConstant(),
       rows = result[isLast ? 1 : 2].getConstant(),
       columns = result[isLast ? 2 : 3].getConstant();
  bool mayTransform =
      window && (window == 3 || window == 5) &&
      weight[3].getConstant() == window && rows && columns && strides &&
      llvm::all_of(*strides, [](int64_t by) { return by == 1; });
  if (!mayTransform)
    return 1;
  // The weight of a Winograd convolution is transformed.
  auto elements = static_cast<double>(*window * *window);
  cost::WinogradTiles tiles = cost::chooseWinogradTiles(
      static_cast<double>(*window), samples, static_cast<double>(*rows),
      static_cast<double>(*columns));
  bool isLess = tiles.points * tiles.work <
                samples * elements * static_cast<double>(*rows * *columns);
  return isLess ? tiles.points / elements : 1;
}

/// The scores of all queries with all keys.
static Type getScoresType(AttentionOp op) {
  Shape shape = getShape(op.getQ());
  shape.back() = getShape(op.getK())[shape.size() - 2];
  return getTensorType(shape, getElementTypeOrSelf(op.getQ()));
}

void OperatorCosts::addWork(Operation *op, Operator &sum) const {
  if (isView(op))
    return;
  double bytes = 0, trained = 0;
  for (Value result : op->getResults())
    if (axes.hasSamples(result)) {
      bytes += getBytesPerSample(result.getType());
      if (hasGradient.contains(result))
        trained += getBytesPerSample(result.getType());
    }
  trained *= countWork(op);
  // Scores are computed again, with their gradients before and behind the
  // softmax (mmt: 4 values of their size).
  if (auto attention = dyn_cast<AttentionOp>(op); attention && trained > 0)
    trained += 4 * getBytesPerSample(getScoresType(attention));
  // A task of inference reads an operand, which is in its own memory unless it
  // is an input, and writes a result.
  double read = 0;
  for (Value operand : op->getOperands())
    if (axes.hasSamples(operand) && getStorage(operand).getDefiningOp())
      read = std::max(read, getBytesPerSample(operand.getType()));
  // Functions of elements are computed where their operand is.
  double forward =
      isa<ElementwiseInterface>(op) ? std::max(bytes, read) : bytes + read;
  sum.forwardWorkBytes =
      std::max(sum.forwardWorkBytes, static_cast<int64_t>(forward));
  sum.backwardWorkBytes = std::max(
      sum.backwardWorkBytes, static_cast<int64_t>(std::max(forward, trained)));
}

SmallVector<Value> OperatorCosts::getSaved(Operation *op) const {
  SmallVector<Value> saved;
  auto save = [&](Value value) {
    Value storage = getStorage(value);
    if (axes.hasSamples(storage))
      saved.push_back(storage);
  };
  bool isLinear =
      isView(op) ||
      isa<AddOp, SubOp, NegOp, ConcatOp, SplitOp, SliceOp, PadOp, BroadcastOp,
          TransposeOp, TileOp, ReverseOp, CastOp, ResizeOp, CumsumOp,
          ReduceSumOp, ReduceMeanOp, AvgPoolOp>(op);
  if (isLinear)
    return saved;
  // Batch norm reads what it scales, which has the size of its result.
  bool readsResult = isa<ReluOp, SigmoidOp, TanhOp, ExpOp, SqrtOp, RsqrtOp,
                         SoftmaxOp, LogSoftmaxOp, BatchNormOp>(op);
  // Others read operands, and normalizations and reductions what is computed on
  // the way, which has the size of the result.
  bool readsOperands =
      isProduct(op) || isa<ElementwiseInterface, MaxPoolOp>(op);
  if (!readsResult)
    llvm::for_each(op->getOperands(), save);
  if (readsResult || !readsOperands)
    llvm::for_each(op->getResults(), save);
  return saved;
}
