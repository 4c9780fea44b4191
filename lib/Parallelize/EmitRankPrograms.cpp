//===- EmitRankPrograms.cpp - programs of ranks as IR ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Parallelize/PipeProgram.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
/// When a buffer lives: from one step to another.
struct Life {
  int64_t first = 0, last = 0;
};

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
  void placeSteps();
  void declareWeights();
  void emitSaved();
  void emitCompute(const Step &step);
  void emitGroup(const Step &step, int64_t place);
  void emitReduce(const Step &step);
  Value createArena(RankedTensorType type, Life life);
  RankedTensorType getBytesType(int64_t bytes) {
    return RankedTensorType::get({bytes}, builder.getI8Type());
  }
  /// The life of what a transfer sends or receives; `place`: of its group.
  Life getLife(const Transfer &transfer, int64_t place, int64_t wait) const;

  pipe::ProgramOp program;
  const PipelineModel &model;
  unsigned rank;
  const std::vector<Step> &steps;
  OpBuilder builder;
  Type bufferType, tokenType;
  /// The number of the first op of each step, among those of the run.
  std::vector<int64_t> places;
  /// Where buffers of the entry are declared, and where steps are added.
  OpBuilder::InsertPoint buffers, run;
  llvm::DenseMap<unsigned, Value> gradients;
};
} // namespace

static StringRef getKindName(TaskKind kind) {
  switch (kind) {
  case TaskKind::Forward:
    return "forward";
  case TaskKind::Backward:
    return "backward";
  case TaskKind::BackwardInput:
    return "backward_input";
  case TaskKind::BackwardWeight:
    return "backward_weight";
  }
  llvm_unreachable("unknown kind of task");
}

void RankEmitter::placeSteps() {
  int64_t next = 0;
  for (const Step &step : steps) {
    places.push_back(next);
    next += step.kind == Step::Kind::Compute ? 1
            : step.kind == Step::Kind::Group
                ? static_cast<int64_t>(step.transfers.size()) + 1
                : 2;
  }
}

/// Parameters, the gradients of each stage in one buffer, and the optimizer's
/// states.
void RankEmitter::declareWeights() {
  llvm::SetVector<StringRef> declared;
  for (unsigned number = 0; number < model.stages.size(); ++number) {
    pipe::StageOp stage = model.stages[number];
    if (!llvm::is_contained(model.laneRanks[model.pipeline.stages[number].lane],
                            rank))
      continue;
    int64_t numbers = 0, bytes = 0;
    stage.walk([&](graph::ParameterOp op) {
      auto type = cast<RankedTensorType>(op.getResult().getType());
      if (!declared.insert(op.getName()))
        return;
      program::ParameterOp::create(builder, op.getLoc(), bufferType,
                                   op.getName(), type);
      if (!isa<FloatType>(type.getElementType()))
        return;
      numbers += type.getNumElements();
      bytes += type.getNumElements() * (type.getElementTypeBitWidth() / 8);
    });
    if (!model.isTraining)
      continue;
    // A stage without parameters has a sum, too, so that all are treated alike.
    numbers = std::max<int64_t>(numbers, 1);
    gradients[number] = program::StateOp::create(
        builder, stage.getLoc(), bufferType, getGradientsName(stage),
        RankedTensorType::get({numbers}, builder.getF32Type()), ElementsAttr(),
        Value());
    double factor = program.getStateFactor()
                        ? program.getStateFactor()->convertToDouble()
                        : 1;
    auto rest =
        static_cast<int64_t>(static_cast<double>(bytes) * factor) - 4 * numbers;
    if (rest > 0)
      program::StateOp::create(builder, stage.getLoc(), bufferType,
                               (stage.getName() + ".states").str(),
                               getBytesType(rest), ElementsAttr(), Value());
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

Life RankEmitter::getLife(const Transfer &transfer, int64_t place,
                          int64_t wait) const {
  const Link &link = model.pipeline.links[transfer.link];
  // Who computes what is sent, and who reads what is received.
  unsigned stage = transfer.isSend == transfer.isGradient ? link.to : link.from;
  Life life = {place, wait};
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (step.kind != Step::Kind::Compute || step.task.stage != stage ||
        step.end <= transfer.begin || step.begin >= transfer.end)
      continue;
    bool isForward = step.task.kind == TaskKind::Forward;
    if (transfer.isSend) {
      bool gives = transfer.isGradient
                       ? step.task.kind == TaskKind::Backward ||
                             step.task.kind == TaskKind::BackwardInput
                       : isForward;
      if (gives)
        life.first = std::min(life.first, places[number]);
    } else if (!transfer.isGradient || !isForward) {
      life.last = std::max(life.last, places[number]);
    }
  }
  return life;
}

/// What forward tasks leave for backward tasks.
void RankEmitter::emitSaved() {
  for (unsigned number = 0; number < model.stages.size(); ++number) {
    pipe::StageOp stage = model.stages[number];
    int64_t perSample = stage.getSavedBytes().value_or(0);
    if (!model.isTraining || perSample == 0)
      continue;
    for (auto [from, step] : llvm::enumerate(steps)) {
      if (step.kind != Step::Kind::Compute || step.task.stage != number ||
          step.task.kind != TaskKind::Forward)
        continue;
      int64_t first = -1, last = -1;
      for (auto [other, later] : llvm::enumerate(steps))
        if (later.kind == Step::Kind::Compute && later.task.stage == number &&
            later.task.kind != TaskKind::Forward &&
            later.task.microBatch == step.task.microBatch) {
          first = first < 0 ? places[other] : first;
          last = places[other];
        }
      RankedTensorType type = getBytesType(perSample * (step.end - step.begin));
      bool isKept = !stage.getRecompute() && !stage.getOffload();
      if (isKept) {
        createArena(type, {places[from], last});
        continue;
      }
      createArena(type, {places[from], places[from]});
      createArena(type, {first, last});
    }
  }
}

void RankEmitter::emitCompute(const Step &step) {
  pipe::StageOp stage = model.stages[step.task.stage];
  StringRef kind = getKindName(step.task.kind);
  auto task = program::TaskOp::create(
      builder, stage.getLoc(), (kind + " " + Twine(step.task.microBatch)).str(),
      builder.getStringAttr(stage.getName()), builder.getStringAttr(kind),
      builder.getI64IntegerAttr(step.task.microBatch),
      builder.getDenseI64ArrayAttr({step.begin, step.end}));
  task.getBody().emplaceBlock();
}

void RankEmitter::emitGroup(const Step &step, int64_t place) {
  SmallVector<Value> tokens;
  int64_t wait = place + static_cast<int64_t>(step.transfers.size());
  for (const Transfer &transfer : step.transfers) {
    pipe::ChannelOp channel = model.channels[transfer.link];
    Value buffer =
        createArena(getPieceType(channel, transfer.end - transfer.begin),
                    getLife(transfer, place + tokens.size(), wait));
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
  placeSteps();
  auto module = program->getParentOfType<ModuleOp>();
  builder.setInsertionPointToEnd(module.getBody());
  auto target =
      program::TargetOp::create(builder, program.getLoc(), tenon::Device::Cpu,
                                ArrayAttr(), builder.getI64IntegerAttr(rank));
  builder.setInsertionPointToEnd(&target.getBody().emplaceBlock());
  declareWeights();
  auto entry =
      program::EntryOp::create(builder, program.getLoc(), program.getSymName(),
                               builder.getStrArrayAttr({}), graph::DimsAttr());
  Block &body = entry.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  auto runOp = program::RunOp::create(builder, program.getLoc());
  builder.setInsertionPoint(runOp);
  buffers = builder.saveInsertionPoint();
  builder.setInsertionPointToEnd(&runOp.getBody().emplaceBlock());
  emitSaved();
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (step.kind == Step::Kind::Compute)
      emitCompute(step);
    else if (step.kind == Step::Kind::Group)
      emitGroup(step, places[number]);
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
