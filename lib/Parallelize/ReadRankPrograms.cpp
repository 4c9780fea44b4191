//===- ReadRankPrograms.cpp - programs of ranks from IR -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadRankPrograms.h"
#include "RankBuffers.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
class RankReader {
public:
  RankReader(const PipelineModel &model,
             const llvm::StringMap<unsigned> &stages)
      : model(model), stages(stages) {}

  LogicalResult read(program::TargetOp target);

  std::vector<Step> steps;
  RankOps ops;

private:
  LogicalResult readStep(Operation *op);
  LogicalResult readTask(program::TaskOp op);
  template <typename TransferOp>
  LogicalResult readTransfer(TransferOp op, bool isSend);
  LogicalResult readReduce(program::AllReduceOp op);
  LogicalResult readWait(program::WaitOp op);
  std::optional<unsigned> findStage(StringRef name) const;

  const PipelineModel &model;
  const llvm::StringMap<unsigned> &stages;
  /// The transfers, or the sum, that no one waits for yet.
  Step pending;
  SmallVector<Value> tokens;
};
} // namespace

std::optional<unsigned> RankReader::findStage(StringRef name) const {
  auto it = stages.find(name);
  return it == stages.end() ? std::nullopt : std::optional(it->second);
}

/// Reads the samples of a step; false if it states none.
static bool readSamples(std::optional<ArrayRef<int64_t>> samples,
                        int64_t &begin, int64_t &end) {
  if (!samples || samples->size() != 2)
    return false;
  begin = (*samples)[0];
  end = (*samples)[1];
  return 0 <= begin && begin < end;
}

LogicalResult RankReader::readTask(program::TaskOp op) {
  if (!tokens.empty())
    return op.emitOpError("expected a 'program.wait' before it");
  if (!op.getBody().front().empty())
    return op.getBody().front().front().emitOpError(
        "is in a task, of whose steps nothing is known here");
  std::optional<TaskKind> kind =
      llvm::StringSwitch<std::optional<TaskKind>>(op.getKind().value_or(""))
          .Case("forward", TaskKind::Forward)
          .Case("backward", TaskKind::Backward)
          .Case("backward_input", TaskKind::BackwardInput)
          .Case("backward_weight", TaskKind::BackwardWeight)
          .Default(std::nullopt);
  std::optional<unsigned> stage = findStage(op.getStage().value_or(""));
  Step step;
  if (!kind || !stage || !op.getMicroBatch() ||
      !readSamples(op.getSamples(), step.begin, step.end))
    return op.emitOpError(
        "expected the stage, kind, micro-batch and samples of "
        "a task of the pipeline");
  step.task = {*stage, *kind, static_cast<int64_t>(*op.getMicroBatch())};
  steps.push_back(std::move(step));
  return success();
}

template <typename TransferOp>
LogicalResult RankReader::readTransfer(TransferOp op, bool isSend) {
  if (!tokens.empty() && pending.kind != Step::Kind::Group)
    return op.emitOpError("expected a 'program.wait' before it");
  if (op.getRank() > INT32_MAX)
    return op.emitOpError() << "there is no rank " << op.getRank();
  Transfer transfer;
  transfer.isSend = isSend;
  transfer.peer = op.getRank();
  uint64_t tag = op.getTag();
  transfer.link = tag / 2;
  transfer.isGradient = tag % 2 == 1;
  if (tag / 2 >= model.channels.size())
    return op.emitOpError() << "has the tag " << tag << ", but there are "
                            << model.channels.size() << " channels";
  if (!readSamples(op.getSamples(), transfer.begin, transfer.end) ||
      transfer.end > model.pipeline.miniBatch)
    return op.emitOpError("expected samples of the mini-batch");
  RankedTensorType type = program::getTensorType(op.getBuffer());
  RankedTensorType piece = getPieceType(model.channels[transfer.link],
                                        transfer.end - transfer.begin);
  if (type != piece)
    return op.emitOpError()
           << "expected a buffer of " << piece << " for "
           << transfer.end - transfer.begin << " samples, but got " << type;
  pending.kind = Step::Kind::Group;
  pending.transfers.push_back(transfer);
  tokens.push_back(op.getToken());
  return success();
}

LogicalResult RankReader::readReduce(program::AllReduceOp op) {
  if (!tokens.empty())
    return op.emitOpError("expected a 'program.wait' before it");
  auto state = op.getBuffer().template getDefiningOp<program::StateOp>();
  StringRef name = state ? state.getName() : "";
  std::optional<unsigned> stage;
  if (name.consume_back(".gradients"))
    stage = findStage(name);
  if (!stage)
    return op.emitOpError("expected the gradients of a stage");
  const std::vector<unsigned> &lane =
      model.laneRanks[model.pipeline.stages[*stage].lane];
  std::vector<int64_t> ranks(lane.begin(), lane.end());
  if (op.getRanks() != ArrayRef<int64_t>(ranks))
    return op.emitOpError() << "expected the ranks of stage '" << name << "'";
  pending.kind = Step::Kind::ReduceGradients;
  pending.task.stage = *stage;
  tokens.push_back(op.getToken());
  return success();
}

LogicalResult RankReader::readWait(program::WaitOp op) {
  if (SmallVector<Value>(op.getTokens()) != tokens)
    return op.emitOpError("expected to wait for all that began before it, in "
                          "their order");
  steps.push_back(std::move(pending));
  pending = Step();
  tokens.clear();
  return success();
}

LogicalResult RankReader::readStep(Operation *op) {
  if (auto task = dyn_cast<program::TaskOp>(op))
    return readTask(task);
  if (auto send = dyn_cast<program::SendOp>(op))
    return readTransfer(send, true);
  if (auto receive = dyn_cast<program::ReceiveOp>(op))
    return readTransfer(receive, false);
  if (auto reduce = dyn_cast<program::AllReduceOp>(op))
    return readReduce(reduce);
  if (auto wait = dyn_cast<program::WaitOp>(op))
    return readWait(wait);
  return op->emitOpError("is no step of a pipeline");
}

LogicalResult RankReader::read(program::TargetOp target) {
  ops.target = target;
  for (Operation &op : target.getBody().front())
    if (!isa<program::ParameterOp, program::StateOp, program::ConstantOp,
             program::EntryOp>(op))
      return op.emitOpError("is no part of a program of a pipeline");
  auto entries = target.getBody().getOps<program::EntryOp>();
  if (!llvm::hasSingleElement(entries))
    return target.emitOpError("expected one entry");
  ops.entry = *entries.begin();
  for (Operation &op : ops.entry.getBody().front())
    if (!isa<program::ArenaOp, program::RunOp>(op))
      return op.emitOpError("is no part of a program of a pipeline");
  if (ops.entry.getScratch())
    return ops.entry.emitOpError("expected no scratch memory");
  for (Operation &op : ops.entry.getRun().getBody().front()) {
    size_t numSteps = steps.size();
    ops.ops.push_back(&op);
    if (failed(readStep(&op)))
      return failure();
    // A step is read at its last op.
    if (steps.size() > numSteps)
      ops.places.push_back(static_cast<int64_t>(ops.ops.size()) -
                           getNumOps(steps.back()));
  }
  if (!tokens.empty())
    return target.emitOpError("expected a 'program.wait' at its end");
  return success();
}

/// The targets of a module, by rank.
static FailureOr<std::vector<program::TargetOp>>
findTargets(pipe::ProgramOp program) {
  std::vector<program::TargetOp> targets(program.getRanks());
  auto module = program->getParentOfType<ModuleOp>();
  for (auto target : module.getOps<program::TargetOp>()) {
    std::optional<int64_t> rank = target.getRank();
    if (!rank || *rank < 0 || *rank >= static_cast<int64_t>(targets.size()))
      return target.emitOpError()
             << "expected a rank from 0 to " << targets.size() - 1;
    if (targets[*rank])
      return target.emitOpError() << "is another program of rank " << *rank;
    targets[*rank] = target;
  }
  for (auto [rank, target] : llvm::enumerate(targets))
    if (!target)
      return program.emitError()
             << "rank " << rank
             << " has no program, which --pipe-to-program makes";
  return targets;
}

FailureOr<ReadPrograms>
tenon::parallelize::readRankPrograms(pipe::ProgramOp program,
                                     const PipelineModel &model) {
  FailureOr<std::vector<program::TargetOp>> targets = findTargets(program);
  if (failed(targets))
    return failure();
  llvm::StringMap<unsigned> stages;
  for (unsigned number = 0; number < model.stages.size(); ++number)
    stages[pipe::StageOp(model.stages[number]).getName()] = number;
  ReadPrograms read;
  for (program::TargetOp target : *targets) {
    RankReader reader(model, stages);
    if (failed(reader.read(target)))
      return failure();
    read.programs.push_back(std::move(reader.steps));
    read.ops.push_back(std::move(reader.ops));
  }
  return std::move(read);
}
