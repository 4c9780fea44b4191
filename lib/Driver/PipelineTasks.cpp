//===- PipelineTasks.cpp - the tasks of a pipeline as functions -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineTasks.h"
#include "ModelInput.h"
#include "PipelineDescription.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Differentiate/WeightRoles.h"
#include "tenon/Driver/CompileModule.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;

namespace {
class TaskBuilder {
public:
  TaskBuilder(pipe::ProgramOp program,
              const differentiate::GraphTrainOptions *training,
              const PipelineDescription &description)
      : program(program), training(training), description(description) {}

  LogicalResult build(PipelineTasks &tasks);

private:
  LogicalResult checkOptions();
  LogicalResult findLoss();
  LogicalResult addStage(unsigned number, ModuleOp tasks);
  LogicalResult train(ModuleOp model, unsigned number);
  void merge(ModuleOp model, StringRef stage, ModuleOp tasks);
  FailureOr<PipelineEntry> getLossEntry(StringRef name, PipelineTasks &tasks);
  PipelineEntry getModelEntry(StringRef name);

  pipe::ProgramOp program;
  const differentiate::GraphTrainOptions *training; // null: inference
  const PipelineDescription &description;
  /// The result of a stage that the loss judges.
  OpResult judged;
};
} // namespace

LogicalResult TaskBuilder::checkOptions() {
  if (program.getTraining() && !training)
    return program.emitError("is a pipeline that trains; expected "
                             "--train=LOSS");
  if (!program.getTraining() && training)
    return program.emitError("is a pipeline that does not train, so --train "
                             "can't be given");
  if (!training)
    return success();
  if (training->recompute != "none")
    return program.emitError("says which stages compute again what they do "
                             "not keep, so --recompute can't be given");
  if (std::string wrong = checkTrainOptions(*training); !wrong.empty())
    return program.emitError() << "graph-train: " << wrong;
  return success(succeeded(checkWeightPatterns(program, *training)) &&
                 succeeded(findLoss()));
}

LogicalResult TaskBuilder::findLoss() {
  Operation *end = program.getBody().front().getTerminator();
  auto names = program.getOutputNames().getAsValueRange<StringAttr>();
  auto found = llvm::find(names, StringRef(training->of));
  size_t number = std::distance(names.begin(), found);
  if (found == names.end() &&
      (StringRef(training->of).getAsInteger(10, number) ||
       number >= end->getNumOperands()))
    return program.emitError()
           << "graph-train: of: expected the name or number of an output, but "
              "got '"
           << training->of << "'";
  judged = dyn_cast<OpResult>(end->getOperand(number));
  if (training->loss == differentiate::Loss::Result)
    return program.emitError("graph-train: loss: a result that is the loss "
                             "can't be cut into samples; expected another "
                             "loss");
  return success();
}

LogicalResult TaskBuilder::train(ModuleOp model, unsigned number) {
  pipe::StageOp stage = description.stages[number];
  differentiate::GraphTrainOptions options = *training;
  options.function = "main";
  options.tasks = true;
  options.splitBackward = description.splitsBackward[number];
  options.recompute = stage.getRecompute() ? "sqrt" : "none";
  options.judged = judged.getOwner() == stage;
  options.of = options.judged
                   ? pipe::getResultName(stage, judged.getResultNumber())
                   : "0";
  options.share = static_cast<double>(description.parts[number]) /
                  static_cast<double>(description.miniBatch);
  for (Value result : stage.getResults())
    options.readers.push_back(static_cast<int64_t>(getReaders(result).size()));
  for (auto [operand, value] : llvm::enumerate(stage.getOperands()))
    if (!isa<BlockArgument>(value))
      options.gradients.push_back(static_cast<int64_t>(operand));
  PassManager passes(model->getName());
  passes.addPass(differentiate::createGraphTrain(options));
  return passes.run(model);
}

/// Moves what a stage's module holds, states first. All stages share the count
/// of steps.
void TaskBuilder::merge(ModuleOp model, StringRef stage, ModuleOp tasks) {
  auto states = OpBuilder::atBlockBegin(tasks.getBody());
  for (auto state : tasks.getOps<graph::StateOp>())
    states.setInsertionPointAfter(state);
  auto functions = OpBuilder::atBlockEnd(tasks.getBody());
  for (Operation &op : llvm::make_early_inc_range(*model.getBody())) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (function && function.getName() != "advance")
      function.setName((stage + "." + function.getName()).str());
    if (tasks.lookupSymbol(SymbolTable::getSymbolName(&op)))
      continue;
    op.remove();
    (function ? functions : states).insert(&op);
  }
}

LogicalResult TaskBuilder::addStage(unsigned number, ModuleOp tasks) {
  pipe::StageOp stage = description.stages[number];
  OwningOpRef<ModuleOp> model = ModuleOp::create(stage.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(model->getBody());
  func::FuncOp function = pipe::buildStageFunction(builder, stage);
  if (!description.symbol.empty() &&
      failed(bindSymbols(*model,
                         {{description.symbol, description.parts[number]}})))
    return failure();
  if (!training)
    function.setName("predict");
  else if (failed(train(*model, number)))
    return failure();
  merge(*model, stage.getName(), tasks);
  return success();
}

/// What callers of the model give and get.
PipelineEntry TaskBuilder::getModelEntry(StringRef name) {
  PipelineEntry entry;
  entry.name = name.str();
  int64_t size = description.miniBatch;
  Block &body = program.getBody().front();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(),
                       program.getInputNames().getAsValueRange<StringAttr>()))
    entry.inputs.emplace_back(input.str(),
                              description.bind(argument.getType(), size));
  for (auto [value, output] :
       llvm::zip_equal(body.getTerminator()->getOperands(),
                       program.getOutputNames().getAsValueRange<StringAttr>()))
    entry.outputs.emplace_back(output.str(),
                               description.bind(value.getType(), size));
  return entry;
}

/// The target has samples where the result has them that it is compared with.
FailureOr<PipelineEntry> TaskBuilder::getLossEntry(StringRef name,
                                                   PipelineTasks &tasks) {
  PipelineEntry entry = getModelEntry(name);
  artifact::Pipeline &pipeline = tasks.pipeline;
  auto stage = cast<pipe::StageOp>(judged.getOwner());
  pipeline.lossStage = std::distance(description.stages.begin(),
                                     llvm::find(description.stages, stage));
  pipeline.target = pipeline.stages[pipeline.lossStage]
                        .results[judged.getResultNumber()]
                        .samples;
  if (pipeline.target.axis < 0)
    return program.emitError("graph-train: of: the result has no samples");
  auto evaluate = tasks.module->lookupSymbol<func::FuncOp>(
      (stage.getName() + ".evaluate").str());
  unsigned target = evaluate.getNumArguments() - 1;
  auto type = cast<RankedTensorType>(evaluate.getArgumentTypes()[target]);
  int64_t rank = cast<RankedTensorType>(judged.getType()).getRank();
  if (type.getRank() < rank) {
    int64_t classAxis = training->classAxis == 0 ? 1 : training->classAxis;
    classAxis += classAxis < 0 ? rank : 0;
    if (classAxis == pipeline.target.axis)
      return program.emitError("graph-train: class-axis: the axis has the "
                               "samples");
    pipeline.target.axis -= classAxis < pipeline.target.axis ? 1 : 0;
  }
  SmallVector<int64_t> shape(type.getShape());
  shape[pipeline.target.axis] = pipeline.target.rows * pipeline.miniBatch;
  entry.inputs.emplace_back(
      "target", RankedTensorType::get(shape, type.getElementType()));
  entry.outputs = {{"loss", evaluate.getResultTypes().back()}};
  return entry;
}

LogicalResult TaskBuilder::build(PipelineTasks &tasks) {
  if (failed(checkOptions()))
    return failure();
  auto plan = program->getParentOfType<ModuleOp>();
  tasks.module = ModuleOp::create(plan.getLoc());
  tasks.module->setSymNameAttr(plan.getSymNameAttr());
  for (StringRef name :
       {StringRef("graph.params"), StringRef(kernel::kTargetAttrName)})
    if (Attribute attribute = plan->getAttr(name))
      (*tasks.module)->setAttr(name, attribute);
  for (unsigned number = 0; number < description.stages.size(); ++number)
    if (failed(addStage(number, *tasks.module)))
      return failure();
  if (failed(prepareModule(*tasks.module)))
    return failure();
  tasks.pipeline = description.getPipeline([&](const std::string &task) {
    return tasks.module->lookupSymbol(task) != nullptr;
  });
  if (!training) {
    tasks.entries.push_back(getModelEntry(program.getSymName()));
    return success();
  }
  for (StringRef name : {"train_step", "evaluate"}) {
    FailureOr<PipelineEntry> entry = getLossEntry(name, tasks);
    if (failed(entry))
      return failure();
    tasks.entries.push_back(std::move(*entry));
  }
  tasks.entries.push_back(getModelEntry("predict"));
  return success();
}

FailureOr<PipelineTasks>
tenon::buildPipelineTasks(pipe::ProgramOp program,
                          const differentiate::GraphTrainOptions *training) {
  program.getContext()
      ->loadDialect<func::FuncDialect, program::ProgramDialect>();
  PipelineDescription description;
  PipelineTasks tasks;
  if (failed(description.read(program)) ||
      failed(TaskBuilder(program, training, description).build(tasks)))
    return failure();
  return std::move(tasks);
}

void tenon::addPipelineEntries(ModuleOp lowered, const PipelineTasks &tasks) {
  for (auto target : lowered.getOps<program::TargetOp>()) {
    OpBuilder builder(lowered.getContext());
    target.setPipeline(tasks.pipeline.toJson());
    SmallVector<program::EntryOp> steps(
        target.getBody().getOps<program::EntryOp>());
    for (program::EntryOp task : steps)
      task.setTask(true);
    builder.setInsertionPoint(steps.front());
    for (const PipelineEntry &entry : tasks.entries) {
      OpBuilder::InsertionGuard guard(builder);
      auto made = program::EntryOp::create(builder, target.getLoc(), entry.name,
                                           builder.getStrArrayAttr({}),
                                           graph::DimsAttr(), /*task=*/false);
      builder.setInsertionPointToEnd(&made.getBody().emplaceBlock());
      auto type = program::BufferType::get(builder.getContext());
      for (const auto &[name, value] : entry.inputs)
        program::InputOp::create(builder, target.getLoc(), type,
                                 builder.getStringAttr(name),
                                 TypeAttr::get(value), IntegerAttr());
      for (const auto &[name, value] : entry.outputs)
        program::OutputOp::create(builder, target.getLoc(), type,
                                  builder.getStringAttr(name),
                                  TypeAttr::get(value), StringAttr());
      program::RunOp::create(builder, target.getLoc()).getBody().emplaceBlock();
    }
  }
}
