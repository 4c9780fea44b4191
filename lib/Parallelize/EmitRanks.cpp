//===- EmitRanks.cpp - programs of all ranks ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankEmitter.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

static LogicalResult emitEntry(const PlannedStages &plan, const StageLoss &loss,
                               CalledEntry entry, StringRef name,
                               ModuleOp module, SymbolTable &tasks) {
  pipe::ProgramOp program = plan.program;
  if (tasks.lookup(name))
    return program.emitError()
           << "the name '" << name << "' is that of a task or state already";
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto ranks = program::RanksOp::create(builder, program.getLoc(), name);
  builder.setInsertionPointToEnd(&ranks.getBody().emplaceBlock());
  Type buffer = program::BufferType::get(builder.getContext());
  auto addInput = [&](StringRef name, RankedTensorType type) {
    program::InputOp::create(builder, program.getLoc(), buffer, name, type,
                             IntegerAttr());
  };
  auto addOutput = [&](StringRef name, RankedTensorType type) {
    program::OutputOp::create(builder, program.getLoc(), buffer, name, type,
                              StringAttr());
  };
  Block &body = program.getBody().front();
  int64_t samples = plan.getMiniBatch();
  for (auto [value, name] :
       llvm::zip_equal(body.getArguments(),
                       program.getInputNames().getAsValueRange<StringAttr>()))
    addInput(name, plan.bind(value.getType(), samples));
  if (entry != CalledEntry::Predict) {
    if (loss.target)
      addInput("target", loss.target);
    addOutput("loss", loss.loss);
  } else {
    for (auto [value, name] : llvm::zip_equal(
             body.getTerminator()->getOperands(),
             program.getOutputNames().getAsValueRange<StringAttr>()))
      addOutput(name, plan.bind(value.getType(), samples));
  }
  for (unsigned rank = 0; rank < plan.programs.size(); ++rank)
    if (failed(RankEmitter(plan, loss, entry, tasks, ranks, rank).emit()))
      return failure();
  return success();
}

LogicalResult tenon::parallelize::emitRanks(
    pipe::ProgramOp program, const differentiate::GraphTrainOptions *training) {
  auto module = dyn_cast_or_null<ModuleOp>(program->getParentOp());
  if (!module)
    return program.emitError("expected a module around it");
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<program::RanksOp, func::FuncOp, graph::StateOp>(op))
      op.erase();
  FailureOr<PlannedStages> plan = readPlannedStages(program);
  if (failed(plan))
    return failure();
  FailureOr<StageLoss> loss = addStageTasks(*plan, training, module);
  if (failed(loss))
    return failure();
  SymbolTable tasks(module);
  auto emit = [&](CalledEntry entry, StringRef name) {
    return emitEntry(*plan, *loss, entry, name, module, tasks);
  };
  if (!training)
    return emit(CalledEntry::Predict, program.getName());
  program.setTrain(differentiate::printTrainOptions(*training));
  return success(succeeded(emit(CalledEntry::Train, "train_step")) &&
                 succeeded(emit(CalledEntry::Evaluate, "evaluate")) &&
                 succeeded(emit(CalledEntry::Predict, "predict")));
}
