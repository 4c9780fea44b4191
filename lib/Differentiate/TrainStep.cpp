//===- TrainStep.cpp - the entry that trains ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainStep.h"

#include "BatchStatistics.h"

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Differentiate/ReverseMode.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/DebugLog.h"

#include <limits>

#define DEBUG_TYPE "graph-train"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

LogicalResult tenon::differentiate::addState(ModuleOp module, Location loc,
                                             StringRef name,
                                             RankedTensorType type,
                                             FlatSymbolRefAttr parameter,
                                             ElementsAttr value) {
  if (Operation *known = module.lookupSymbol(name)) {
    InFlightDiagnostic diagnostic =
        emitError(loc) << "graph-train: the state of '" << name
                       << "' needs a name that the model already uses";
    diagnostic.attachNote(known->getLoc()) << "here";
    return diagnostic;
  }
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  for (StateOp state : module.getOps<StateOp>())
    builder.setInsertionPointAfter(state);
  StateOp::create(builder, loc, name, type, value, parameter);
  return success();
}

FailureOr<SmallVector<Value>>
tenon::differentiate::sumGradients(Compose &compose, const Trained &trained,
                                   const CotangentMap &cotangents,
                                   ArrayRef<std::string> shared) {
  SmallVector<Value> gradients;
  for (auto &[name, values] : trained) {
    Value sum;
    for (Value value : values)
      if (Value cotangent = cotangents.lookup(value))
        sum = sum ? compose.add(sum, cotangent) : cotangent;
    if (!sum && llvm::is_contained(shared, name))
      sum = compose.fullLike(0, values.front());
    if (!sum)
      return values.front().getDefiningOp()->emitError()
             << "graph-train: the loss does not depend on '" << name
             << "' in a differentiable way; freeze it to train the others";
    gradients.push_back(sum);
  }
  return gradients;
}

std::string tenon::differentiate::getOptimizerState(StringRef kind,
                                                    StringRef parameter) {
  return ("optimizer." + kind + "." + parameter).str();
}

namespace {
/// Builds the step at the end of an entry that computes the loss.
class TrainStep : public Compose {
public:
  TrainStep(OpBuilder &builder, func::FuncOp entry, const Trained &trained,
            const GraphTrainOptions &options)
      : Compose(builder, entry.getLoc()),
        module(entry->getParentOfType<ModuleOp>()), trained(trained),
        options(options) {}

  LogicalResult findGradients(Block &block);
  SmallVector<Operation *> takeForwardOps() { return std::move(ops); }
  LogicalResult prepareUpdate();
  LogicalResult update(llvm::function_ref<bool(StringRef)> hasDecay);

private:
  /// Returns a state of the optimizer, which is added if it is new.
  Value read(const Twine &name, RankedTensorType type, ElementsAttr value = {});
  void write(const Twine &name, Value value) {
    WriteStateOp::create(builder, loc, name.str(), value);
  }
  Value number(int64_t value) { return full(value, builder.getI64Type(), {}); }
  RankedTensorType scalar(Type element) {
    return RankedTensorType::get({}, element);
  }
  Value select(Value condition, Value chosen, Value otherwise) {
    return op<WhereOp>(broadcastLike(condition, chosen), chosen, otherwise);
  }
  void insertAfter(ArrayRef<Value> used, Value given);
  void accumulate();
  void checkFinite();
  void adjustScale(Value isFinite);

  ModuleOp module;
  const Trained &trained;
  const GraphTrainOptions &options;
  LogicalResult result = success();
  SmallVector<Operation *> ops; // of the forward pass
  SmallVector<Value> gradients; // of `trained`
  /// The number of runs before this one.
  Value step;
  /// The number of updates before this one.
  Value numUpdates;
  StepScalars scalars;
  /// What the loss is multiplied by; null: 1.
  Value scale;
  /// Whether this run is the last one whose gradients an update adds; null:
  /// always.
  Value isLast;
  /// Whether parameters change; null: always.
  Value applies;
};
} // namespace

Value TrainStep::read(const Twine &name, RankedTensorType type,
                      ElementsAttr value) {
  std::string text = name.str();
  if (!module.lookupSymbol<StateOp>(text) &&
      failed(addState(module, loc, text, type, {}, value)))
    result = failure();
  return ReadStateOp::create(builder, loc, type, text);
}

LogicalResult TrainStep::findGradients(Block &block) {
  Value loss = block.getTerminator()->getOperand(0);
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  SmallVector<Value> sources;
  for (auto &[name, values] : trained)
    llvm::append_range(sources, values);
  CotangentMap cotangents;
  if (options.lossScale > 0) {
    auto type = scalar(builder.getF32Type());
    ElementsAttr start =
        DenseElementsAttr::get(type, static_cast<float>(options.lossScale));
    scale = read("optimizer.loss_scale", type, start);
    cotangents[loss] = Compose::cast(scale, getElementType(loss));
  } else {
    cotangents[loss] = fullLike(1, loss);
  }
  if (failed(pullBack(builder, ops, sources, cotangents)))
    return failure();
  FailureOr<SmallVector<Value>> found =
      sumGradients(*this, trained, cotangents);
  if (failed(found))
    return failure();
  gradients = std::move(*found);
  return success();
}

/// Inserts as early as `given` is known and no op before reads `used` any more.
/// So memory of a gradient is free again once its parameter is updated, in
/// place, instead of at the end of the step.
void TrainStep::insertAfter(ArrayRef<Value> used, Value given) {
  Operation *last = given.getDefiningOp();
  auto take = [&](Operation *op) {
    if (last->isBeforeInBlock(op))
      last = op;
  };
  for (Value value : used)
    for (Operation *user : value.getUsers())
      if (!user->hasTrait<OpTrait::IsTerminator>())
        take(user);
  if (applies)
    take(applies.getDefiningOp());
  builder.setInsertionPointAfter(last);
}

/// Adds the gradients of several runs. Their mean is the gradient of the last
/// one.
void TrainStep::accumulate() {
  Value count = number(options.accumulate);
  isLast = op<EqualOp>(op<ModOp>(add(step, number(1)), count), number(0));
  for (auto [entry, gradient] : llvm::zip_equal(trained, gradients)) {
    insertAfter({}, gradient);
    std::string name = ("optimizer.gradient." + entry.first).str();
    Value sum = add(
        read(name, mlir::cast<RankedTensorType>(gradient.getType())), gradient);
    write(name, select(isLast, fullLike(0, sum), sum));
    gradient = mul(sum, fullLike(1.0 / double(options.accumulate), sum));
  }
  applies = isLast;
}

/// Divides the gradients by the scale, and drops the update if one of them is
/// not finite.
void TrainStep::checkFinite() {
  Value factor = div(fullLike(1, scale), scale); // exact, if a power of 2
  Value largest;
  for (Value &gradient : gradients) {
    Type element = getElementType(gradient);
    gradient =
        mul(gradient, broadcastLike(Compose::cast(factor, element), gradient));
    // The maximum is NaN if an element is.
    Value most = op<ReduceMaxOp>(
        op<AbsOp>(gradient),
        getInts(builder.getContext(), axesFrom(0, getRank(gradient))), false);
    most = Compose::cast(most, builder.getF64Type());
    largest = largest ? op<MaximumOp>(largest, most) : most;
  }
  Value isFinite = op<LessEqualOp>(
      largest, fullLike(std::numeric_limits<double>::max(), largest));
  applies = isLast ? op<AndOp>(isLast, isFinite) : isFinite;
  adjustScale(isFinite);
}

/// Halves the scale after gradients that are not finite, and doubles it after
/// `lossScaleGrowth` updates.
void TrainStep::adjustScale(Value isFinite) {
  constexpr StringLiteral name = "optimizer.loss_scale_updates";
  Value before = read(name, scalar(builder.getI64Type()));
  Value count = add(before, number(1));
  Value grows = op<LessEqualOp>(number(options.lossScaleGrowth), count);
  Value grown = mul(scale, fullLike(2, scale));
  Value halved =
      op<MaximumOp>(mul(scale, fullLike(0.5, scale)), fullLike(1, scale));
  Value next = select(isFinite, select(grows, grown, scale), halved);
  Value counted = select(isFinite, select(grows, number(0), count), number(0));
  if (isLast) {
    next = select(isLast, next, scale);
    counted = select(isLast, counted, before);
  }
  write("optimizer.loss_scale", next);
  write(name, counted);
}

LogicalResult TrainStep::prepareUpdate() {
  Operation *end = ops.back()->getBlock()->getTerminator();
  // What all updates need does not wait for gradients.
  builder.setInsertionPointAfter(ops.back());
  step = read(kStepState, scalar(builder.getI64Type()));
  numUpdates = step;
  if (options.accumulate > 1 || scale)
    numUpdates = read("optimizer.updates", scalar(builder.getI64Type()));
  scalars =
      buildStepScalars(builder, loc, getOptimizerOptions(options), numUpdates);
  if (options.accumulate > 1)
    accumulate();
  builder.setInsertionPoint(end);
  if (scale)
    checkFinite();
  if (options.clip > 0)
    clipByGlobalNorm(builder, loc, options.clip, gradients);
  return result;
}

LogicalResult TrainStep::update(llvm::function_ref<bool(StringRef)> hasDecay) {
  OptimizerOptions optimizer = getOptimizerOptions(options);
  for (auto [entry, gradient] : llvm::zip_equal(trained, gradients)) {
    StringRef name = entry.first;
    Value parameter = entry.second.front();
    insertAfter(entry.second, gradient);
    auto nameOf = [&](StringRef state) {
      return getOptimizerState(state, name);
    };
    llvm::StringMap<Value> old;
    OptimizerStates states;
    states.read = [&](StringRef state, RankedTensorType type) -> Value {
      return old[state] = read(nameOf(state), type);
    };
    states.write = [&](StringRef state, Value value) {
      write(nameOf(state),
            applies ? select(applies, value, old.lookup(state)) : value);
    };
    Value updated = buildUpdate(builder, loc, optimizer, scalars,
                                hasDecay(name) ? options.weightDecay : 0,
                                parameter, gradient, states);
    write(name, applies ? select(applies, updated, parameter) : updated);
    LDBG() << "trains " << name;
  }
  builder.setInsertionPoint(ops.back()->getBlock()->getTerminator());
  write(kStepState, add(step, number(1)));
  if (applies)
    write("optimizer.updates",
          select(applies, add(numUpdates, number(1)), numUpdates));
  return result;
}

FailureOr<SmallVector<Operation *>> tenon::differentiate::addTrainStep(
    func::FuncOp entry, const Trained &trained,
    const GraphTrainOptions &options,
    llvm::function_ref<bool(StringRef)> hasDecay) {
  auto module = entry->getParentOfType<ModuleOp>();
  OpBuilder builder(entry.front().getTerminator());
  if (failed(addState(module, entry.getLoc(), kStepState,
                      RankedTensorType::get({}, builder.getI64Type()))) ||
      failed(normalizeByBatch(entry, options.batchNormMomentum)))
    return failure();
  dropElements(entry, options.seed);
  builder.setInsertionPoint(entry.front().getTerminator());
  TrainStep step(builder, entry, trained, options);
  if (failed(step.findGradients(entry.front())) ||
      failed(step.prepareUpdate()) || failed(step.update(hasDecay)))
    return failure();
  return step.takeForwardOps();
}
