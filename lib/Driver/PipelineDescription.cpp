//===- PipelineDescription.cpp - what the runtime is told of a pipeline ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineDescription.h"
#include "SingleRun.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Interpret/TensorConversion.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

SmallVector<PipelineReader> tenon::getReaders(Value result) {
  SmallVector<PipelineReader> readers;
  auto add = [&](Value value) {
    for (OpOperand &use : value.getUses())
      if (auto stage = dyn_cast<pipe::StageOp>(use.getOwner()))
        readers.push_back({stage, use.getOperandNumber()});
  };
  add(result);
  for (Operation *user : result.getUsers())
    if (auto channel = dyn_cast<pipe::ChannelOp>(user))
      add(channel.getResult());
  llvm::sort(readers, [](const PipelineReader &a, const PipelineReader &b) {
    if (a.stage != b.stage)
      return pipe::StageOp(a.stage)->isBeforeInBlock(b.stage);
    return a.operand < b.operand;
  });
  return readers;
}

Type PipelineDescription::bind(Type type, int64_t samples) const {
  auto tensor = cast<RankedTensorType>(type);
  graph::Shape shape = graph::getShape(tensor);
  for (graph::SymInt &size : shape)
    size = size.substitute([&](StringRef name) -> std::optional<graph::SymInt> {
      if (name == symbol)
        return graph::SymInt(samples);
      return std::nullopt;
    });
  return graph::getTensorType(shape, tensor.getElementType());
}

/// The axes of samples of all values of the program.
LogicalResult PipelineDescription::findSamples() {
  Block &body = program.getBody().front();
  FailureOr<graph::BatchAxes> found =
      graph::getArgumentBatchAxes(body, program.getLoc());
  if (failed(found))
    return failure();
  samples = std::move(*found);
  std::optional<StringRef> name = samples.size.getSymbol();
  if (!name)
    return program.emitError()
           << "expected a symbol as the number of samples, which tasks have "
              "fewer of than the mini-batch has, but got "
           << samples.size.str();
  symbol = name->str();
  graph::BatchOptions options;
  options.isTraining = model.isTraining;
  // Who made the plan has allowed that.
  options.batchNormPerMicroBatch = true;
  auto copy = [&](Value from, Value to) {
    if (std::optional<graph::SampleAxis> axis = samples.get(from))
      samples.axes[to] = *axis;
  };
  for (Operation &op : body.without_terminator()) {
    if (auto channel = dyn_cast<pipe::ChannelOp>(op))
      copy(channel.getValue(), channel.getResult());
    auto stage = dyn_cast<pipe::StageOp>(op);
    if (!stage)
      continue;
    Block &inner = stage.getBody().front();
    for (auto [operand, argument] :
         llvm::zip_equal(stage.getOperands(), inner.getArguments()))
      copy(operand, argument);
    if (failed(graph::findBatchAxes(inner, options, samples)))
      return failure();
    for (auto [value, result] : llvm::zip_equal(
             inner.getTerminator()->getOperands(), stage.getResults()))
      copy(value, result);
  }
  return success();
}

LogicalResult PipelineDescription::readPrograms() {
  if (!program.getMiniBatch()) {
    FailureOr<SingleRun> run = readSingleRun(program);
    if (failed(run))
      return failure();
    model = std::move(run->model);
    programs = std::move(run->programs);
    links = std::move(run->links);
    return success();
  }
  FailureOr<PipelineModel> readModel = readPipeline(program);
  if (failed(readModel))
    return failure();
  model = std::move(*readModel);
  FailureOr<RankPrograms> checked = getCheckedPrograms(program, model);
  if (failed(checked) || failed(findSamples()))
    return failure();
  programs = std::move(*checked);
  for (pipe::ChannelOp channel : model.channels)
    links.push_back(&*channel.getResult().use_begin());
  return success();
}

LogicalResult PipelineDescription::read(pipe::ProgramOp given) {
  program = given;
  if (failed(readPrograms()))
    return failure();
  miniBatch = model.pipeline.miniBatch;
  stages = model.stages;
  splitsBackward.resize(stages.size());
  for (const std::vector<Step> &steps : programs)
    for (const Step &step : steps)
      if (step.kind == Step::Kind::Compute &&
          step.task.kind == TaskKind::BackwardInput)
        splitsBackward[step.task.stage] = true;
  for (pipe::StageOp stage : stages)
    parts.push_back(static_cast<int64_t>(stage.getMicroBatch().value_or(1)) /
                    static_cast<int64_t>(stage.getRanks().size()));
  return success();
}

void PipelineDescription::describe(Value value, const std::string &name,
                                   artifact::PipelineValue &made) const {
  made.name = name;
  auto type = cast<RankedTensorType>(bind(value.getType(), 1));
  made.dtype = interpret::getDType(type.getElementType());
  made.shape.assign(type.getShape().begin(), type.getShape().end());
  // All sizes are known to be numbers.
  if (std::optional<graph::SampleAxis> axis = samples.get(value))
    made.samples = {axis->axis, axis->rows.getConstant().value_or(1)};
}

artifact::PipelineStage
PipelineDescription::getStage(pipe::StageOp stage) const {
  artifact::PipelineStage made;
  made.name = stage.getName().str();
  made.ranks.assign(stage.getRanks().begin(), stage.getRanks().end());
  if (std::optional<ArrayRef<double>> seconds = stage.getSeconds())
    made.seconds.assign(seconds->begin(), seconds->end());
  for (OpOperand &use : stage->getOpOperands()) {
    Value value = use.get();
    artifact::PipelineOperand operand;
    describe(value, pipe::getValueName(value), operand);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      operand.input = argument.getArgNumber();
    } else {
      if (auto *link = llvm::find(links, &use); link != links.end())
        operand.link = std::distance(links.begin(), link);
      if (auto channel = value.getDefiningOp<pipe::ChannelOp>())
        value = channel.getValue();
      auto result = cast<OpResult>(value);
      operand.stage =
          std::distance(stages.begin(), llvm::find(stages, result.getOwner()));
      operand.result = result.getResultNumber();
    }
    made.operands.push_back(std::move(operand));
  }
  Operation *end = stage->getBlock()->getTerminator();
  for (OpResult value : stage->getResults()) {
    artifact::PipelineResult result;
    describe(value, pipe::getResultName(stage, value.getResultNumber()),
             result);
    for (auto [number, output] : llvm::enumerate(end->getOperands()))
      if (output == value)
        result.outputs.push_back(static_cast<int64_t>(number));
    made.results.push_back(std::move(result));
  }
  return made;
}

std::vector<artifact::PipelineStep> PipelineDescription::getSteps(
    const std::vector<Step> &steps,
    llvm::function_ref<bool(const std::string &)> hasTask) const {
  std::vector<artifact::PipelineStep> made;
  auto addTask = [&](const Step &step, TaskKind kind) {
    artifact::PipelineStep task;
    task.kind = model.isTraining ? getName(kind) : "predict";
    task.stage = step.task.stage;
    task.begin = step.begin;
    task.end = step.end;
    pipe::StageOp stage = stages[step.task.stage];
    if (hasTask(stage.getName().str() + "." + task.kind))
      made.push_back(std::move(task));
  };
  for (const Step &step : steps) {
    if (step.kind == Step::Kind::Compute) {
      // Where some backward tasks are two, all are.
      if (step.task.kind == TaskKind::Backward &&
          splitsBackward[step.task.stage]) {
        addTask(step, TaskKind::BackwardInput);
        addTask(step, TaskKind::BackwardWeight);
      } else {
        addTask(step, step.task.kind);
      }
      continue;
    }
    artifact::PipelineStep other;
    other.kind = step.kind == Step::Kind::Group ? "transfer" : "reduce";
    other.stage = step.task.stage;
    for (const Transfer &transfer : step.transfers)
      other.transfers.push_back({transfer.isSend, transfer.peer, transfer.link,
                                 transfer.isGradient, transfer.begin,
                                 transfer.end});
    made.push_back(std::move(other));
  }
  return made;
}

artifact::Pipeline PipelineDescription::getPipeline(
    llvm::function_ref<bool(const std::string &)> hasTask) const {
  artifact::Pipeline pipeline;
  pipeline.miniBatch = miniBatch;
  pipeline.isTraining = model.isTraining;
  pipeline.numInputs =
      static_cast<int64_t>(pipe::ProgramOp(program).getInputNames().size());
  pipeline.numLinks = static_cast<int64_t>(links.size());
  for (pipe::StageOp stage : stages)
    pipeline.stages.push_back(getStage(stage));
  for (const std::vector<Step> &steps : programs)
    pipeline.ranks.push_back(getSteps(steps, hasTask));
  return pipeline;
}
