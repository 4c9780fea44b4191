//===- ReadRankPrograms.cpp - programs of ranks from IR -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Parallelize/CheckPrograms.h"
#include "tenon/Parallelize/PipeProgram.h"

#include "llvm/ADT/StringSwitch.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
class RankReader {
public:
  explicit RankReader(const PipelineModel &model) : model(model) {}

  FailureOr<std::vector<Step>> read(program::TargetOp target);

private:
  LogicalResult readTask(program::TaskOp op);
  template <typename TransferOp>
  LogicalResult readTransfer(TransferOp op, bool isSend);
  LogicalResult readReduce(program::AllReduceOp op);
  LogicalResult readWait(program::WaitOp op);
  std::optional<unsigned> findStage(StringRef name) const;

  const PipelineModel &model;
  std::vector<Step> steps;
  /// The transfers, or the sum, that no one waits for yet.
  Step pending;
  SmallVector<Value> tokens;
};
} // namespace

std::optional<unsigned> RankReader::findStage(StringRef name) const {
  for (unsigned number = 0; number < model.stages.size(); ++number)
    if (pipe::StageOp(model.stages[number]).getName() == name)
      return number;
  return std::nullopt;
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

FailureOr<std::vector<Step>> RankReader::read(program::TargetOp target) {
  auto entries = target.getBody().getOps<program::EntryOp>();
  if (!llvm::hasSingleElement(entries))
    return target.emitOpError("expected one entry");
  for (Operation &op : (*entries.begin()).getRun().getBody().front()) {
    LogicalResult read = success();
    if (auto task = dyn_cast<program::TaskOp>(op))
      read = readTask(task);
    else if (auto send = dyn_cast<program::SendOp>(op))
      read = readTransfer(send, true);
    else if (auto receive = dyn_cast<program::ReceiveOp>(op))
      read = readTransfer(receive, false);
    else if (auto reduce = dyn_cast<program::AllReduceOp>(op))
      read = readReduce(reduce);
    else if (auto wait = dyn_cast<program::WaitOp>(op))
      read = readWait(wait);
    else
      read = op.emitOpError("is no step of a pipeline");
    if (failed(read))
      return failure();
  }
  if (!tokens.empty())
    return target.emitOpError("expected a 'program.wait' at its end");
  return std::move(steps);
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

FailureOr<RankPrograms>
tenon::parallelize::readRankPrograms(pipe::ProgramOp program,
                                     const PipelineModel &model) {
  FailureOr<std::vector<program::TargetOp>> targets = findTargets(program);
  if (failed(targets))
    return failure();
  RankPrograms programs;
  for (program::TargetOp target : *targets) {
    FailureOr<std::vector<Step>> steps = RankReader(model).read(target);
    if (failed(steps))
      return failure();
    programs.push_back(std::move(*steps));
  }
  return programs;
}

/// Bytes of a buffer whose size is a number.
static int64_t getBytes(Value buffer) {
  return program::countBytes(program::getTensorType(buffer))
      .getConstant()
      .value_or(0);
}

/// A rank does one step after the other, so what is live at each of them does
/// not depend on the timing.
static LogicalResult checkMemory(program::TargetOp target, int64_t limit) {
  int64_t always = 0;
  for (Operation &op : target.getBody().front())
    if (isa<program::ParameterOp, program::StateOp, program::ConstantOp,
            program::PreparedOp>(op))
      always += getBytes(op.getResult(0));
  program::EntryOp entry = *target.getBody().getOps<program::EntryOp>().begin();
  // By step: what begins to live, less what has ended before.
  std::map<int64_t, int64_t> changes;
  for (auto arena : entry.getBody().getOps<program::ArenaOp>()) {
    int64_t bytes = getBytes(arena.getBuffer());
    changes[static_cast<int64_t>(arena.getFirst())] += bytes;
    changes[static_cast<int64_t>(arena.getLast()) + 1] -= bytes;
  }
  int64_t live = always;
  changes[0];
  for (auto [step, change] : changes) {
    live += change;
    if (live <= limit)
      continue;
    Block &steps = entry.getRun().getBody().front();
    auto op = steps.begin();
    std::advance(op, std::min<int64_t>(step, steps.getOperations().size()));
    InFlightDiagnostic error =
        (op == steps.end() ? target.getOperation() : &*op)->emitError();
    error << "rank " << *target.getRank() << " has " << live
          << " bytes at step " << step << ", of which " << always
          << " are parameters and states, but its device has " << limit;
    return error;
  }
  return success();
}

LogicalResult tenon::parallelize::checkRankPrograms(pipe::ProgramOp program) {
  FailureOr<PipelineModel> model = readPipeline(program);
  if (failed(model))
    return failure();
  FailureOr<RankPrograms> programs = readRankPrograms(program, *model);
  if (failed(programs))
    return failure();
  std::string reason;
  if (!checkPrograms(model->pipeline, model->laneRanks, *programs, reason))
    return program.emitError() << reason;
  int64_t limit =
      program.getMesh()->getAs<IntegerAttr>("memory_bytes").getInt();
  FailureOr<std::vector<program::TargetOp>> targets = findTargets(program);
  for (program::TargetOp target : *targets)
    if (failed(checkMemory(target, limit)))
      return failure();
  return success();
}
