//===- StageTasks.cpp - functions of the tasks of stages ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageTasks.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Differentiate/WeightRoles.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
class TaskBuilder {
public:
  TaskBuilder(const PlannedStages &plan,
              const differentiate::GraphTrainOptions *training, ModuleOp module)
      : plan(plan), program(plan.program), training(training), module(module) {}

  FailureOr<StageLoss> build();

private:
  LogicalResult checkOptions();
  LogicalResult findJudged();
  LogicalResult findTrained();
  bool isGradientNeeded(Value value) const;
  LogicalResult checkNorms(unsigned number);
  /// Adds the tasks of a stage for a number of samples.
  LogicalResult addStage(unsigned number, int64_t samples);
  LogicalResult train(ModuleOp model, unsigned number, int64_t samples);
  LogicalResult merge(ModuleOp model, unsigned stage, int64_t samples);
  LogicalResult describeLoss();

  const PlannedStages &plan;
  pipe::ProgramOp program;
  const differentiate::GraphTrainOptions *training; // null: inference
  ModuleOp module;
  StageLoss loss;
  /// The stages that have a parameter to train, or read what one computes.
  std::vector<bool> needsGradient;
};
} // namespace

/// Of what a stage reads.
bool TaskBuilder::isGradientNeeded(Value value) const {
  if (auto channel = value.getDefiningOp<pipe::ChannelOp>())
    value = channel.getValue();
  auto giver = value.getDefiningOp<pipe::StageOp>();
  return giver && needsGradient[plan.getNumber(giver)];
}

LogicalResult TaskBuilder::findTrained() {
  bool isAnyTrained = false;
  for (pipe::StageOp stage : plan.model.stages) {
    FailureOr<differentiate::WeightRoles> roles =
        differentiate::WeightRoles::find(stage.getBody().front(), *training);
    if (failed(roles))
      return failure();
    bool needs = llvm::any_of(stage.getBody().getOps<graph::ParameterOp>(),
                              [&](graph::ParameterOp parameter) {
                                return roles->get(parameter) ==
                                       differentiate::WeightRole::Trained;
                              });
    isAnyTrained |= needs;
    for (Value value : stage.getOperands())
      needs |= isGradientNeeded(value);
    needsGradient.push_back(needs);
  }
  return isAnyTrained
             ? success()
             : program.emitError("graph-train: expected a parameter to train");
}

LogicalResult TaskBuilder::checkOptions() {
  if (program.getTraining() && !training)
    return program.emitError(
        "is a pipeline that trains; expected --train=LOSS, "
        "or the option 'train' of --pipe-to-program");
  if (!program.getTraining() && training)
    return program.emitError("is a pipeline that does not train, so --train "
                             "can't be given");
  if (!training)
    return success();
  if (training->recompute != "none")
    return program.emitError("says which stages compute again what they do "
                             "not keep, so --recompute can't be given");
  for (StringRef name : program.getInputNames().getAsValueRange<StringAttr>())
    if (name == differentiate::kTaskLoss)
      return program.emitError()
             << "an input has the name '" << name << "', which the loss has";
  if (std::string wrong = checkTrainOptions(*training); !wrong.empty())
    return program.emitError() << "graph-train: " << wrong;
  return success(succeeded(checkWeightPatterns(program, *training)) &&
                 succeeded(findJudged()) && succeeded(findTrained()));
}

LogicalResult TaskBuilder::findJudged() {
  Operation *end = program.getBody().front().getTerminator();
  std::optional<unsigned> number = findOutput(program, training->of);
  if (!number)
    return program.emitError()
           << "graph-train: of: expected the name or number of an output, but "
              "got '"
           << training->of << "'";
  loss.judged = dyn_cast<OpResult>(end->getOperand(*number));
  if (!loss.judged)
    return program.emitError("graph-train: of: the output is an input, which "
                             "depends on no parameter");
  if (training->loss != differentiate::Loss::Result)
    return success();
  std::optional<graph::Pooling> pooling = plan.samples.getPooling(loss.judged);
  if (!pooling)
    return program.emitError("graph-train: loss: expected a result that is the "
                             "sum or the mean of the losses of samples");
  loss.pooling = *pooling;
  return success();
}

LogicalResult TaskBuilder::train(ModuleOp model, unsigned number,
                                 int64_t samples) {
  pipe::StageOp stage = plan.model.stages[number];
  differentiate::GraphTrainOptions options = *training;
  options.function = "main";
  options.tasks = true;
  options.splitBackward = plan.splitsBackward[number];
  options.recompute = stage.getRecompute() ? "sqrt" : "none";
  options.judged = loss.judged.getOwner() == stage;
  options.of = options.judged ? pipe::getValueName(loss.judged) : "0";
  options.share = graph::getWeight(loss.pooling, samples, plan.getMiniBatch());
  for (Value result : stage.getResults())
    options.readers.push_back(static_cast<int64_t>(getReaders(result).size()));
  for (auto parameter : stage.getBody().getOps<graph::ParameterOp>())
    if (plan.isShared(parameter.getName()))
      options.shared.push_back(parameter.getName().str());
  for (auto [operand, value] : llvm::enumerate(stage.getOperands()))
    if (isGradientNeeded(value))
      options.gradients.push_back(static_cast<int64_t>(operand));
  PassManager passes(model->getName());
  passes.addPass(differentiate::createGraphTrain(options));
  return passes.run(model);
}

/// Whether a function is the same for all stages that have it.
static bool isOfAll(StringRef function) {
  return function == "advance" || function.starts_with("update.") ||
         function.starts_with("norm.");
}

/// Moves the functions and states of one stage to those of all: states stand
/// first, and stages share those of one name. What a stage does once, it does
/// whatever the numbers of samples are.
LogicalResult TaskBuilder::merge(ModuleOp model, unsigned stage,
                                 int64_t samples) {
  bool isFirst = samples == plan.shareSizes[stage].front();
  for (Operation &op : llvm::make_early_inc_range(*model.getBody())) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (function && !isFirst &&
        llvm::is_contained({"norm", "update"}, function.getName()))
      continue;
    if (function && !isOfAll(function.getName()))
      function.setName(plan.getTaskName(stage, function.getName(), samples));
    StringAttr name = SymbolTable::getSymbolName(&op);
    if (Operation *other = module.lookupSymbol(name)) {
      bool isShared = other->getName() == op.getName() &&
                      (!function || isOfAll(function.getName()));
      if (isShared)
        continue;
      return program.emitError() << "the name " << name << " is that of a task "
                                 << "or state already";
    }
    Block *body = module.getBody();
    auto functions = body->getOps<func::FuncOp>();
    op.remove();
    if (function || functions.empty())
      body->push_back(&op);
    else
      body->getOperations().insert((*functions.begin())->getIterator(), &op);
  }
  return success();
}

/// The statistics of a batch are the mean of those of its parts if these have
/// as many samples each.
LogicalResult TaskBuilder::checkNorms(unsigned number) {
  pipe::StageOp stage = plan.model.stages[number];
  auto norms = stage.getBody().getOps<graph::BatchNormOp>();
  ArrayRef<int64_t> sizes = plan.shareSizes[number];
  if (!training || sizes.size() == 1 || norms.empty())
    return success();
  return (*norms.begin())->emitOpError()
         << "normalizes " << sizes[0] << " samples and " << sizes[1]
         << " at once in stage '" << stage.getName()
         << "'; expected parts of one size: a micro-batch that divides the "
            "mini-batch, and that the ranks of the stage divide";
}

LogicalResult TaskBuilder::addStage(unsigned number, int64_t samples) {
  pipe::StageOp stage = plan.model.stages[number];
  OwningOpRef<ModuleOp> model = ModuleOp::create(stage.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(model->getBody());
  func::FuncOp function = pipe::buildStageFunction(builder, stage);
  if (!plan.symbol.empty() &&
      failed(graph::bindSymbols(*model, {{plan.symbol, samples}})))
    return failure();
  if (!training)
    function.setName("predict");
  else if (failed(train(*model, number, samples)))
    return failure();
  return merge(*model, number, samples);
}

/// The target has the samples where the judged result has them, unless it lacks
/// the axis of the classes.
LogicalResult TaskBuilder::describeLoss() {
  auto stage = cast<pipe::StageOp>(loss.judged.getOwner());
  auto evaluate =
      module.lookupSymbol<func::FuncOp>((stage.getName() + ".evaluate").str());
  loss.loss = cast<RankedTensorType>(evaluate.getResultTypes().back());
  if (training->loss == differentiate::Loss::Result)
    return success();
  std::optional<graph::SampleAxis> samples = plan.samples.get(loss.judged);
  if (!samples)
    return program.emitError("graph-train: of: the result has no samples");
  if (!samples->isContiguous())
    return program.emitError("graph-train: of: an axis of the result merges "
                             "the samples with an axis before them");
  loss.samples = *samples;
  auto type = cast<RankedTensorType>(evaluate.getArgumentTypes().back());
  int64_t rank = cast<RankedTensorType>(loss.judged.getType()).getRank();
  if (type.getRank() < rank) {
    int64_t classAxis = training->classAxis == 0 ? 1 : training->classAxis;
    classAxis += classAxis < 0 ? rank : 0;
    if (classAxis == loss.samples.axis)
      return program.emitError("graph-train: class-axis: the axis has the "
                               "samples");
    loss.samples.axis -= classAxis < loss.samples.axis ? 1 : 0;
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[loss.samples.axis] =
      *loss.samples.rows.getConstant() * plan.getMiniBatch();
  loss.target = RankedTensorType::get(shape, type.getElementType());
  return success();
}

FailureOr<StageLoss> TaskBuilder::build() {
  if (failed(checkOptions()))
    return failure();
  for (unsigned number = 0; number < plan.model.stages.size(); ++number) {
    if (failed(checkNorms(number)))
      return failure();
    for (int64_t samples : plan.shareSizes[number])
      if (failed(addStage(number, samples)))
        return failure();
  }
  if (training && failed(describeLoss()))
    return failure();
  return loss;
}

FailureOr<StageLoss> tenon::parallelize::addStageTasks(
    const PlannedStages &plan, const differentiate::GraphTrainOptions *training,
    ModuleOp module) {
  return TaskBuilder(plan, training, module).build();
}
