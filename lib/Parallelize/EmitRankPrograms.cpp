//===- EmitRankPrograms.cpp - programs of ranks as IR ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankBuffers.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
class RankEmitter {
public:
  RankEmitter(pipe::ProgramOp program, const PipelineModel &model,
              unsigned rank, const std::vector<Step> &steps)
      : program(program), model(model), rank(rank), steps(steps),
        builder(program.getContext()),
        bufferType(program::BufferType::get(program.getContext())),
        tokenType(program::TokenType::get(program.getContext())) {}

  void emit();

private:
  void declareWeights();
  void emitSaved(const RankLives &lives);
  void emitCompute(const Step &step);
  void emitGroup(const Step &step, int64_t place, const RankLives &lives);
  void emitReduce(const Step &step);
  Value createArena(RankedTensorType type, Life life);

  pipe::ProgramOp program;
  const PipelineModel &model;
  unsigned rank;
  const std::vector<Step> &steps;
  OpBuilder builder;
  Type bufferType, tokenType;
  /// Where buffers of the entry are declared, and where steps are added.
  OpBuilder::InsertPoint buffers, run;
  llvm::DenseMap<unsigned, Value> gradients;
};
} // namespace

/// Parameters, the gradients of each stage in one buffer, and the optimizer's
/// states.
void RankEmitter::declareWeights() {
  llvm::StringSet<> declared;
  for (unsigned number = 0; number < model.stages.size(); ++number) {
    pipe::StageOp stage = model.stages[number];
    if (!llvm::is_contained(stage.getRanks(), static_cast<int64_t>(rank)))
      continue;
    StageWeights weights = getStageWeights(stage);
    for (graph::ParameterOp op : weights.parameters)
      if (declared.insert(op.getName()).second)
        program::ParameterOp::create(builder, op.getLoc(), bufferType,
                                     op.getName(), op.getResult().getType());
    auto declareState = [&](std::string name, RankedTensorType type) {
      return program::StateOp::create(builder, stage.getLoc(), bufferType, name,
                                      type, ElementsAttr(), Value());
    };
    if (weights.gradients)
      gradients[number] =
          declareState(getGradientsName(stage), weights.gradients);
    if (weights.states)
      declareState(getStatesName(stage), weights.states);
  }
}

Value RankEmitter::createArena(RankedTensorType type, Life life) {
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(buffers);
  Value buffer = program::ArenaOp::create(builder, program.getLoc(), bufferType,
                                          type, life.first, life.last,
                                          IntegerAttr(), StringAttr());
  buffers = builder.saveInsertionPoint();
  return buffer;
}

void RankEmitter::emitSaved(const RankLives &lives) {
  for (const SavedBuffer &saved : lives.getSaved())
    createArena(RankedTensorType::get({saved.bytes}, builder.getI8Type()),
                saved.life);
}

void RankEmitter::emitCompute(const Step &step) {
  pipe::StageOp stage = model.stages[step.task.stage];
  std::string kind = getName(step.task.kind);
  auto task = program::TaskOp::create(
      builder, stage.getLoc(), (kind + " " + Twine(step.task.microBatch)).str(),
      builder.getStringAttr(stage.getName()), builder.getStringAttr(kind),
      builder.getI64IntegerAttr(step.task.microBatch),
      builder.getDenseI64ArrayAttr({step.begin, step.end}));
  task.getBody().emplaceBlock();
}

void RankEmitter::emitGroup(const Step &step, int64_t place,
                            const RankLives &lives) {
  SmallVector<Value> tokens;
  int64_t wait = place + static_cast<int64_t>(step.transfers.size());
  for (const Transfer &transfer : step.transfers) {
    pipe::ChannelOp channel = model.channels[transfer.link];
    Value buffer =
        createArena(getPieceType(channel, transfer.end - transfer.begin),
                    lives.get(transfer, place + tokens.size(), wait));
    auto samples = builder.getDenseI64ArrayAttr({transfer.begin, transfer.end});
    uint64_t tag = 2 * uint64_t(transfer.link) + transfer.isGradient;
    Location loc = channel.getLoc();
    tokens.push_back(
        transfer.isSend
            ? program::SendOp::create(builder, loc, tokenType, buffer,
                                      transfer.peer, tag, samples)
                  .getToken()
            : program::ReceiveOp::create(builder, loc, tokenType, buffer,
                                         transfer.peer, tag, samples)
                  .getToken());
  }
  program::WaitOp::create(builder, program.getLoc(), tokens);
}

void RankEmitter::emitReduce(const Step &step) {
  unsigned stage = step.task.stage;
  const std::vector<unsigned> &lane =
      model.laneRanks[model.pipeline.stages[stage].lane];
  SmallVector<int64_t> ranks(lane.begin(), lane.end());
  Value buffer = gradients.lookup(stage);
  pipe::StageOp op = model.stages[stage];
  Location loc = op.getLoc();
  Value token =
      program::AllReduceOp::create(builder, loc, tokenType, buffer, ranks)
          .getToken();
  program::WaitOp::create(builder, loc, token);
}

void RankEmitter::emit() {
  std::vector<int64_t> places;
  int64_t next = 0;
  for (const Step &step : steps) {
    places.push_back(next);
    next += getNumOps(step);
  }
  RankLives lives(model, steps, places);
  auto module = program->getParentOfType<ModuleOp>();
  builder.setInsertionPointToEnd(module.getBody());
  auto target = program::TargetOp::create(
      builder, program.getLoc(), tenon::Device::Cpu,
      /*images=*/ArrayAttr(), builder.getI64IntegerAttr(rank),
      /*pipeline=*/StringAttr(), /*host=*/kernel::CpuAttr());
  builder.setInsertionPointToEnd(&target.getBody().emplaceBlock());
  declareWeights();
  auto entry =
      program::EntryOp::create(builder, program.getLoc(), program.getSymName(),
                               builder.getStrArrayAttr({}), graph::DimsAttr(),
                               /*task=*/false);
  Block &body = entry.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  auto runOp = program::RunOp::create(builder, program.getLoc());
  builder.setInsertionPoint(runOp);
  buffers = builder.saveInsertionPoint();
  builder.setInsertionPointToEnd(&runOp.getBody().emplaceBlock());
  emitSaved(lives);
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (step.kind == Step::Kind::Compute)
      emitCompute(step);
    else if (step.kind == Step::Kind::Group)
      emitGroup(step, places[number], lives);
    else
      emitReduce(step);
  }
}

LogicalResult tenon::parallelize::emitRankPrograms(pipe::ProgramOp program) {
  auto module = dyn_cast_or_null<ModuleOp>(program->getParentOp());
  if (!module)
    return program.emitError("expected a module around it");
  FailureOr<PipelineModel> model = readPipeline(program);
  if (failed(model))
    return failure();
  FailureOr<Schedule> schedule = readSchedule(program, *model);
  if (failed(schedule))
    return failure();
  std::string reason;
  std::optional<Simulation> simulation =
      simulate(model->pipeline, *schedule, reason);
  if (!simulation)
    return program.emitError() << reason;
  RankPrograms programs = makeRankPrograms(model->pipeline, *schedule,
                                           *simulation, model->laneRanks);
  for (auto target :
       llvm::make_early_inc_range(module.getOps<program::TargetOp>()))
    target.erase();
  for (auto [rank, steps] : llvm::enumerate(programs))
    RankEmitter(program, *model, rank, steps).emit();
  return success();
}
