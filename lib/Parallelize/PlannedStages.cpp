//===- PlannedStages.cpp - a program's steps, as numbers ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedStages.h"
#include "SingleRun.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

SmallVector<Reader> tenon::parallelize::getReaders(Value result) {
  SmallVector<Reader> readers;
  auto add = [&](Value value) {
    for (OpOperand &use : value.getUses())
      if (auto stage = dyn_cast<pipe::StageOp>(use.getOwner()))
        readers.push_back({stage, use.getOperandNumber()});
  };
  add(result);
  for (Operation *user : result.getUsers())
    if (auto channel = dyn_cast<pipe::ChannelOp>(user))
      add(channel.getResult());
  llvm::sort(readers, [](const Reader &a, const Reader &b) {
    if (a.stage != b.stage)
      return pipe::StageOp(a.stage)->isBeforeInBlock(b.stage);
    return a.operand < b.operand;
  });
  return readers;
}

std::vector<int64_t> tenon::parallelize::getShareSizes(pipe::StageOp stage) {
  auto program = cast<pipe::ProgramOp>(stage->getParentOp());
  return getShareSizes(static_cast<int64_t>(program.getMiniBatch().value_or(1)),
                       static_cast<int64_t>(stage.getMicroBatch().value_or(1)),
                       program.getMiniBatch()
                           ? static_cast<int64_t>(stage.getRanks().size())
                           : 1);
}

std::string PlannedStages::getTaskName(unsigned stage, StringRef kind,
                                       int64_t samples) const {
  pipe::StageOp op = model.stages[stage];
  std::string name = (op.getName() + "." + kind).str();
  return samples == shareSizes[stage].front()
             ? name
             : name + "." + std::to_string(samples);
}

RankedTensorType PlannedStages::bind(Type type, int64_t samples) const {
  auto tensor = cast<RankedTensorType>(type);
  graph::Shape shape = graph::getShape(tensor);
  for (graph::SymInt &size : shape)
    size = size.substitute([&](StringRef name) -> std::optional<graph::SymInt> {
      if (name == symbol)
        return graph::SymInt(samples);
      return std::nullopt;
    });
  return cast<RankedTensorType>(
      graph::getTensorType(shape, tensor.getElementType()));
}

SmallVector<int64_t> PlannedStages::getRanks(ArrayRef<unsigned> stages) const {
  llvm::SetVector<int64_t> ranks;
  for (unsigned stage : stages) {
    pipe::StageOp op = model.stages[stage];
    ranks.insert(op.getRanks().begin(), op.getRanks().end());
  }
  SmallVector<int64_t> sorted = ranks.takeVector();
  llvm::sort(sorted);
  return sorted;
}

unsigned PlannedStages::getNumber(Operation *stage) const {
  return std::distance(model.stages.begin(), llvm::find(model.stages, stage));
}

int64_t PlannedStages::findLink(OpOperand &operand) const {
  const auto *link = llvm::find(links, &operand);
  return link == links.end() ? -1 : std::distance(links.begin(), link);
}

/// The axes of samples of all values of the program.
FailureOr<ProgramSamples>
tenon::parallelize::findProgramSamples(pipe::ProgramOp program) {
  ProgramSamples made;
  if (!program.getMiniBatch())
    return made;
  graph::BatchAxes &samples = made.axes;
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
  made.symbol = name->str();
  graph::BatchOptions options;
  options.isTraining = program.getTraining();
  // Who made the plan has allowed that.
  options.batchNormPerMicroBatch = true;
  auto copy = [&](Value from, Value to) {
    if (std::optional<graph::SampleAxis> axis = samples.get(from))
      samples.axes[to] = *axis;
  };
  auto checkIsPassed = [&](Operation *op) -> LogicalResult {
    for (auto [number, operand] : llvm::enumerate(op->getOperands()))
      if (samples.getPooling(operand))
        return op->emitOpError()
               << "can't be given operand #" << number
               << ", which is made of all samples of a micro-batch; expected "
                  "the ops that read it in the stage that computes it";
    return success();
  };
  for (Operation &op : body.without_terminator()) {
    if (failed(checkIsPassed(&op)))
      return failure();
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
             inner.getTerminator()->getOperands(), stage.getResults())) {
      copy(value, result);
      if (std::optional<graph::Pooling> pooling = samples.getPooling(value))
        samples.pooled[result] = *pooling;
    }
  }
  return made;
}

std::optional<unsigned> tenon::parallelize::findOutput(pipe::ProgramOp program,
                                                       StringRef nameOrNumber) {
  auto names = program.getOutputNames().getAsValueRange<StringAttr>();
  unsigned number = 0;
  for (StringRef name : names) {
    if (name == nameOrNumber)
      return number;
    ++number;
  }
  bool isNumber = !nameOrNumber.getAsInteger(10, number) &&
                  number < program.getOutputNames().size();
  return isNumber ? std::optional(number) : std::nullopt;
}

/// The steps of a pipeline's ranks.
static LogicalResult readSteps(PlannedStages &plan) {
  FailureOr<PipelineModel> model = readPipeline(plan.program);
  if (failed(model))
    return failure();
  FailureOr<Schedule> schedule = readSchedule(plan.program, *model);
  if (failed(schedule))
    return failure();
  std::string reason;
  std::optional<Simulation> simulation =
      simulate(model->pipeline, *schedule, reason);
  if (!simulation)
    return plan.program.emitError() << reason;
  plan.programs = makeRankPrograms(model->pipeline, *schedule, *simulation,
                                   model->laneRanks);
  plan.model = std::move(*model);
  for (pipe::ChannelOp channel : plan.model.channels)
    plan.links.push_back(&*channel.getResult().use_begin());
  FailureOr<ProgramSamples> samples = findProgramSamples(plan.program);
  if (failed(samples))
    return failure();
  plan.samples = std::move(samples->axes);
  plan.symbol = std::move(samples->symbol);
  return success();
}

FailureOr<PlannedStages>
tenon::parallelize::readPlannedStages(pipe::ProgramOp program) {
  PlannedStages plan;
  plan.program = program;
  if (program.getMiniBatch()) {
    if (failed(readSteps(plan)))
      return failure();
  } else {
    FailureOr<SingleRun> run = readSingleRun(program);
    if (failed(run))
      return failure();
    plan.model = std::move(run->model);
    plan.programs = std::move(run->programs);
    plan.links = std::move(run->links);
  }
  plan.splitsBackward.resize(plan.model.stages.size());
  for (const std::vector<Step> &steps : plan.programs)
    for (const Step &step : steps)
      if (step.kind == Step::Kind::Compute &&
          step.task.kind == TaskKind::BackwardInput)
        plan.splitsBackward[step.task.stage] = true;
  for (pipe::StageOp stage : plan.model.stages)
    plan.shareSizes.push_back(getShareSizes(stage));
  for (auto [number, stage] : llvm::enumerate(plan.model.stages))
    for (auto parameter : stage.getBody().getOps<graph::ParameterOp>()) {
      SmallVector<unsigned> &stages = plan.shared[parameter.getName()];
      if (!llvm::is_contained(stages, number))
        stages.push_back(number);
    }
  plan.shared.remove_if(
      [](const auto &entry) { return entry.second.size() == 1; });
  return std::move(plan);
}
