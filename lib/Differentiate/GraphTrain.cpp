//===- GraphTrain.cpp - train step, evaluation and prediction -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute.h"
#include "TrainTasks.h"
#include "TrainedModel.h"

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Differentiate/Passes.h"

namespace tenon::differentiate {
#define GEN_PASS_DEF_GRAPHTRAIN
#include "tenon/Differentiate/Passes.h.inc"
} // namespace tenon::differentiate

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

namespace {
class GraphTrainPass
    : public tenon::differentiate::impl::GraphTrainBase<GraphTrainPass> {
public:
  using GraphTrainBase::GraphTrainBase;

  void runOnOperation() override {
    if (failed(train()))
      signalPassFailure();
  }
  GraphTrainOptions getOptions() const;

private:
  LogicalResult train();
  LogicalResult addStep(TrainedModel &model, const GraphTrainOptions &options);
  LogicalResult addTasks(TrainedModel &model, const GraphTrainOptions &options);
  LogicalResult addJudgement(TrainedModel &model, bool hasLoss);
};
} // namespace

GraphTrainOptions GraphTrainPass::getOptions() const {
  GraphTrainOptions options;
  options.function = function;
  options.of = of;
  options.loss = loss;
  options.classAxis = classAxis;
  options.optimizer = optimizer;
  options.learningRate = learningRate;
  options.momentum = momentum;
  options.beta1 = beta1;
  options.beta2 = beta2;
  options.epsilon = epsilon;
  options.weightDecay = weightDecay;
  options.noDecay.assign(noDecay.begin(), noDecay.end());
  options.freeze.assign(freeze.begin(), freeze.end());
  options.include.assign(include.begin(), include.end());
  options.clip = clip;
  options.schedule = schedule;
  options.warmup = warmup;
  options.steps = steps;
  options.batchNormMomentum = batchNormMomentum;
  options.accumulate = accumulate;
  options.lossScale = lossScale;
  options.lossScaleGrowth = lossScaleGrowth;
  options.seed = seed;
  options.recompute = recompute;
  options.tasks = tasks;
  options.splitBackward = splitBackward;
  options.judged = judged;
  options.share = share;
  options.readers.assign(readers.begin(), readers.end());
  options.gradients.assign(gradients.begin(), gradients.end());
  options.shared.assign(shared.begin(), shared.end());
  return options;
}

/// What a model does when it is not trained: `predict` and `evaluate`.
LogicalResult GraphTrainPass::addJudgement(TrainedModel &model, bool hasLoss) {
  if (hasLoss) {
    FailureOr<func::FuncOp> evaluate = model.addEntry("evaluate");
    if (failed(evaluate) || failed(model.addLoss(*evaluate, tasks)))
      return failure();
    (void)model.readStates(*evaluate);
    eraseUnused(evaluate->front());
  }
  FailureOr<func::FuncOp> predict = model.addEntry("predict");
  if (failed(predict))
    return failure();
  (void)model.readStates(*predict);
  eraseUnused(predict->front());
  return success();
}

LogicalResult GraphTrainPass::addStep(TrainedModel &model,
                                      const GraphTrainOptions &options) {
  FailureOr<func::FuncOp> step = model.addEntry("train_step");
  if (failed(step) || failed(model.addLoss(*step, /*keepResults=*/false)))
    return failure();
  FailureOr<SmallVector<Operation *>> forward =
      addTrainStep(*step, model.readStates(*step), options,
                   [&](StringRef name) { return model.hasDecay(name); });
  if (failed(forward) || failed(addJudgement(model, /*hasLoss=*/true)))
    return failure();
  model.getSource().erase();
  eraseUnused(step->front());
  unsigned added = 0;
  LogicalResult result =
      differentiate::recompute(*step, *forward, options.recompute, added);
  numRecomputed += added;
  return result;
}

LogicalResult GraphTrainPass::addTasks(TrainedModel &model,
                                       const GraphTrainOptions &options) {
  FailureOr<func::FuncOp> joint = model.addEntry("forward");
  if (failed(joint) ||
      (judged && failed(model.addLoss(*joint, /*keepResults=*/true))))
    return failure();
  if (failed(addTrainTasks(
          *joint, model.readStates(*joint), options,
          [&](StringRef name) { return model.hasDecay(name); })) ||
      failed(addJudgement(model, judged)))
    return failure();
  model.getSource().erase();
  return success();
}

LogicalResult GraphTrainPass::train() {
  GraphTrainOptions options = getOptions();
  TrainedModel model(getOperation(), options);
  if (failed(model.find()))
    return failure();
  FailureOr<unsigned> count = model.addStates();
  if (failed(count))
    return failure();
  numTrained += *count;
  if (failed(tasks ? addTasks(model, options) : addStep(model, options)))
    return failure();
  // As the import does for other entries.
  for (func::FuncOp entry : graph::getEntries(getOperation()))
    graph::recordSizeConditions(entry);
  return success();
}

std::string
tenon::differentiate::printTrainOptions(const GraphTrainOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  GraphTrainPass(options).printAsTextualPipeline(os);
  StringRef list = text;
  (void)list.consume_front("graph-train");
  if (list.consume_front("{"))
    (void)list.consume_back("}");
  return list.str();
}

FailureOr<GraphTrainOptions>
tenon::differentiate::parseTrainOptions(StringRef text, Location loc) {
  GraphTrainPass pass;
  auto fail = [&](const llvm::Twine &error) -> LogicalResult {
    return emitError(loc) << "graph-train: " << error;
  };
  if (failed(pass.initializeOptions(text, fail)))
    return failure();
  return pass.getOptions();
}
