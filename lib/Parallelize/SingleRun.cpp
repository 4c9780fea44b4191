//===- SingleRun.cpp - a program without a mini-batch as a pipeline -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SingleRun.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"

#include "llvm/ADT/StringMap.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

/// Checks that all sizes of a tensor are numbers.
static LogicalResult checkSizes(Location loc, const std::string &owner,
                                Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return success();
  for (auto [axis, size] : llvm::enumerate(graph::getShape(tensor))) {
    if (size.getConstant())
      continue;
    std::string symbol = "SYMBOL";
    size.visitSymbols([&](StringRef name) { symbol = name.str(); });
    return emitError(loc) << owner << ": axis " << axis << " has the size "
                          << size.str()
                          << ", but a program without mini_batch has numbers "
                             "only; expected --bind "
                          << symbol << "=N, or mini_batch";
  }
  return success();
}

static LogicalResult checkStage(pipe::StageOp stage) {
  if (stage.getRanks().size() != 1)
    return stage.emitError()
           << "stage '" << stage.getName()
           << "': expected one rank, because without mini_batch there are no "
              "samples that "
           << stage.getRanks().size()
           << " ranks could share; state mini_batch, or one rank";
  llvm::StringMap<unsigned> read;
  for (Value operand : stage.getOperands())
    if (std::string name = pipe::getValueName(operand); ++read[name] > 1)
      return stage.emitError() << "stage '" << stage.getName()
                               << "': expected each value once as an operand, "
                                  "but got '"
                               << name << "' twice";
  for (Value result : stage.getResults())
    if (failed(checkSizes(stage.getLoc(),
                          "value '" + pipe::getValueName(result) + "'",
                          result.getType())))
      return failure();
  for (Operation &op : stage.getBody().front())
    for (Type type : op.getResultTypes())
      if (failed(checkSizes(op.getLoc(),
                            "stage '" + stage.getName().str() + "'", type)))
        return failure();
  return success();
}

static LogicalResult check(pipe::ProgramOp program) {
  for (BlockArgument argument : program.getBody().getArguments())
    if (failed(checkSizes(program.getLoc(),
                          "value '" + pipe::getValueName(argument) + "'",
                          argument.getType())))
      return failure();
  std::set<int64_t> ranks; // any number may be one
  for (auto stage : program.getBody().getOps<pipe::StageOp>()) {
    if (failed(checkStage(stage)))
      return failure();
    ranks.insert(stage.getRanks().front());
  }
  if (ranks.size() != program.getRanks())
    return program.emitError()
           << "expected a stage on each of " << program.getRanks()
           << " ranks, but got stages on " << ranks.size();
  return success();
}

/// Passes the value of a link on. A value is sent when it is there and before
/// the next stage begins, so that all ranks have one order of messages.
static void addTransfer(SingleRun &run, unsigned link) {
  const Link &ends = run.model.pipeline.links[link];
  unsigned from = run.model.pipeline.stages[ends.from].lane;
  unsigned to = run.model.pipeline.stages[ends.to].lane;
  for (bool isSend : {true, false}) {
    Step step;
    step.kind = Step::Kind::Group;
    step.transfers.push_back({isSend, isSend ? to : from, link,
                              /*isGradient=*/false, /*begin=*/0, /*end=*/1});
    run.programs[isSend ? from : to].push_back(std::move(step));
  }
}

FailureOr<SingleRun>
tenon::parallelize::readSingleRun(pipe::ProgramOp program) {
  if (failed(check(program)))
    return failure();
  SingleRun run;
  PipelineModel &model = run.model;
  Pipeline &pipeline = model.pipeline;
  run.programs.resize(program.getRanks());
  for (unsigned rank = 0; rank < program.getRanks(); ++rank)
    model.laneRanks.push_back({rank});
  llvm::DenseMap<Operation *, unsigned> numberOf;
  std::vector<SmallVector<unsigned>> linksOf;
  for (auto stage : program.getBody().getOps<pipe::StageOp>()) {
    unsigned number = model.stages.size();
    for (OpOperand &operand : stage->getOpOperands()) {
      auto giver = operand.get().getDefiningOp<pipe::StageOp>();
      if (!giver || giver.getRanks() == stage.getRanks())
        continue;
      unsigned from = numberOf.lookup(giver);
      linksOf[from].push_back(run.links.size());
      run.links.push_back(&operand);
      pipeline.links.push_back({from, number});
    }
    numberOf[stage] = number;
    linksOf.emplace_back();
    model.stages.push_back(stage);
    pipeline.stages.emplace_back().lane = stage.getRanks().front();
    if (std::optional<ArrayRef<double>> seconds = stage.getSeconds())
      pipeline.stages.back().forward = seconds->front();
  }
  for (unsigned number = 0; number < model.stages.size(); ++number) {
    Step step;
    step.task.stage = number;
    step.end = 1;
    run.programs[pipeline.stages[number].lane].push_back(std::move(step));
    for (unsigned link : linksOf[number])
      addTransfer(run, link);
  }
  return std::move(run);
}
