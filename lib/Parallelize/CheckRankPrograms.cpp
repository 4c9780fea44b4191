//===- CheckRankPrograms.cpp - what the IR of ranks must hold -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankBuffers.h"
#include "ReadRankPrograms.h"
#include "tenon/Parallelize/CheckPrograms.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <tuple>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
/// Checks the buffers of one rank, whose steps checkPrograms has accepted.
class BufferChecker {
public:
  BufferChecker(const PipelineModel &model, const std::vector<Step> &steps,
                const RankOps &ops)
      : model(model), steps(steps), ops(ops), lives(model, steps, ops.places) {}

  LogicalResult checkWeights();
  LogicalResult checkTransfers();
  LogicalResult checkSaved();
  /// A rank does one step after the other, so what is live at each of them does
  /// not depend on the timing.
  LogicalResult checkMemory(uint64_t limit);

private:
  int64_t getRank() const { return *program::TargetOp(ops.target).getRank(); }
  auto getArenas() const {
    return program::EntryOp(ops.entry).getBody().getOps<program::ArenaOp>();
  }

  const PipelineModel &model;
  const std::vector<Step> &steps;
  const RankOps &ops;
  RankLives lives;
  /// Those that hold what transfers send or receive.
  llvm::DenseSet<Operation *> messages;
};
} // namespace

/// The bytes of a buffer; fails with an error if they are no number.
static FailureOr<uint64_t> getBytes(Value buffer) {
  RankedTensorType type = program::getTensorType(buffer);
  if (std::optional<int64_t> bytes = program::countBytes(type).getConstant())
    return static_cast<uint64_t>(*bytes);
  return buffer.getDefiningOp()->emitOpError()
         << "expected a size that is a number, but got " << type;
}

static Life getLife(program::ArenaOp arena) {
  return {static_cast<int64_t>(arena.getFirst()),
          static_cast<int64_t>(arena.getLast())};
}

static bool covers(const Life &outer, const Life &inner) {
  return outer.first <= inner.first && inner.last <= outer.last;
}

/// Ranks add up gradients of one type, and hold all that their stages need.
LogicalResult BufferChecker::checkWeights() {
  llvm::StringMap<Type> parameters, states;
  program::TargetOp target = ops.target;
  for (Operation &op : target.getBody().front()) {
    if (auto parameter = dyn_cast<program::ParameterOp>(op))
      parameters[parameter.getName()] = parameter.getType();
    else if (auto state = dyn_cast<program::StateOp>(op))
      states[state.getName()] = state.getType();
  }
  auto check = [&](const llvm::StringMap<Type> &held, StringRef kind,
                   StringRef name, Type type) -> LogicalResult {
    if (held.lookup(name) == type)
      return success();
    return target.emitOpError()
           << "expected a " << kind << " '" << name << "' of type " << type;
  };
  for (pipe::StageOp stage : model.stages) {
    if (!llvm::is_contained(stage.getRanks(), getRank()))
      continue;
    StageWeights weights = getStageWeights(stage);
    for (graph::ParameterOp parameter : weights.parameters)
      if (failed(check(parameters, "parameter", parameter.getName(),
                       parameter.getResult().getType())))
        return failure();
    if (weights.gradients &&
        failed(
            check(states, "state", getGradientsName(stage), weights.gradients)))
      return failure();
    if (weights.states &&
        failed(check(states, "state", getStatesName(stage), weights.states)))
      return failure();
  }
  return success();
}

/// A message has a buffer of its own, so that nothing overwrites it.
LogicalResult BufferChecker::checkTransfers() {
  for (auto [number, step] : llvm::enumerate(steps)) {
    int64_t place = ops.places[number];
    int64_t wait = place + static_cast<int64_t>(step.transfers.size());
    for (const Transfer &transfer : step.transfers) {
      Operation *op = ops.ops[place];
      Life needed = lives.get(transfer, place++, wait);
      auto arena = op->getOperand(0).getDefiningOp<program::ArenaOp>();
      if (!arena || !messages.insert(arena).second)
        return op->emitOpError("expected a buffer of the arena that no other "
                               "transfer has");
      Life life = getLife(arena);
      if (covers(life, needed))
        continue;
      InFlightDiagnostic error = arena.emitOpError()
                                 << "is live from step " << life.first << " to "
                                 << life.last << ", but is needed from "
                                 << needed.first << " to " << needed.last;
      error.attachNote(op->getLoc()) << "for this transfer";
      return error;
    }
  }
  return success();
}

/// What is kept has a buffer that is not one of messages. The smallest that
/// fits is taken, so that only programs with lives that nothing here writes may
/// be refused although they have enough.
LogicalResult BufferChecker::checkSaved() {
  // By bytes, first and last step.
  std::map<std::tuple<int64_t, int64_t, int64_t>, unsigned> free;
  for (program::ArenaOp arena : getArenas()) {
    if (messages.contains(arena))
      continue;
    FailureOr<uint64_t> bytes = getBytes(arena.getBuffer());
    if (failed(bytes))
      return failure();
    Life life = getLife(arena);
    ++free[{static_cast<int64_t>(*bytes), life.first, life.last}];
  }
  for (const SavedBuffer &saved : lives.getSaved()) {
    auto fits = [&](const auto &entry) {
      auto [bytes, first, last] = entry.first;
      return bytes >= saved.bytes && covers({first, last}, saved.life);
    };
    auto found = free.find({saved.bytes, saved.life.first, saved.life.last});
    if (found == free.end())
      found =
          std::find_if(free.lower_bound({saved.bytes, 0, 0}), free.end(), fits);
    if (found == free.end())
      return ops.ops[saved.life.first]->emitOpError()
             << "expected a buffer of " << saved.bytes
             << " bytes that is live from step " << saved.life.first << " to "
             << saved.life.last << ", for what the stage keeps";
    if (--found->second == 0)
      free.erase(found);
  }
  return success();
}

LogicalResult BufferChecker::checkMemory(uint64_t limit) {
  uint64_t always = 0;
  program::TargetOp target = ops.target;
  for (Operation &op : target.getBody().front()) {
    if (op.getNumResults() == 0)
      continue;
    FailureOr<uint64_t> bytes = getBytes(op.getResult(0));
    if (failed(bytes))
      return failure();
    always = llvm::SaturatingAdd(always, *bytes);
  }
  // By step: the bytes that end to be live before it, and that begin to be.
  std::map<int64_t, std::pair<uint64_t, uint64_t>> changes;
  changes[0];
  for (program::ArenaOp arena : getArenas()) {
    FailureOr<uint64_t> bytes = getBytes(arena.getBuffer());
    if (failed(bytes))
      return failure();
    Life life = getLife(arena);
    uint64_t &begun = changes[life.first].second;
    begun = llvm::SaturatingAdd(begun, *bytes);
    uint64_t &ended = changes[life.last + 1].first;
    ended = llvm::SaturatingAdd(ended, *bytes);
    uint64_t end =
        llvm::SaturatingAdd<uint64_t>(arena.getOffset().value_or(0), *bytes);
    if (arena.getOffset() && llvm::SaturatingAdd(always, end) > limit)
      return arena.emitOpError()
             << "ends at byte " << end << " of the arena, beside " << always
             << " bytes of parameters and states, but the device of rank "
             << getRank() << " has " << limit;
  }
  uint64_t live = always;
  for (auto [step, change] : changes) {
    live = llvm::SaturatingAdd(live - change.first, change.second);
    if (live <= limit)
      continue;
    bool isStep = step < static_cast<int64_t>(ops.ops.size());
    InFlightDiagnostic error =
        (isStep ? ops.ops[step] : target.getOperation())->emitError();
    error << "rank " << getRank() << " has " << live << " bytes at step "
          << step << ", of which " << always
          << " are parameters and states, but its device has " << limit;
    return error;
  }
  return success();
}

/// The op of a step, or the target for the whole program.
static Operation *getOp(const ReadPrograms &read, const StepRef &step) {
  const RankOps &ops = read.ops[step.first];
  return step.second < ops.places.size()
             ? ops.ops[ops.places[step.second]]
             : program::TargetOp(ops.target).getOperation();
}

/// checkPrograms takes programs with backward tasks for those of training.
static LogicalResult checkTraining(pipe::ProgramOp program,
                                   const ReadPrograms &read) {
  for (auto [steps, ops] : llvm::zip(read.programs, read.ops))
    for (auto [step, place] : llvm::zip(steps, ops.places)) {
      if (step.kind != Step::Kind::Compute ||
          step.task.kind == TaskKind::Forward)
        continue;
      if (program.getTraining())
        return success();
      return ops.ops[place]->emitOpError(
          "expected forward tasks only, as there is no training");
    }
  if (program.getTraining())
    return program.emitError(
        "expected backward tasks for training, but no rank has any");
  return success();
}

LogicalResult tenon::parallelize::checkRankPrograms(pipe::ProgramOp program) {
  FailureOr<PipelineModel> model = readPipeline(program);
  if (failed(model))
    return failure();
  FailureOr<ReadPrograms> read = readRankPrograms(program, *model);
  if (failed(read))
    return failure();
  if (failed(checkTraining(program, *read)))
    return failure();
  std::string reason;
  std::vector<StepRef> where;
  if (!checkPrograms(model->pipeline, model->laneRanks, read->programs, reason,
                     &where)) {
    Operation *op = where.empty() ? program : getOp(*read, where.front());
    InFlightDiagnostic error = op->emitError() << reason;
    // The error is at the first of the steps.
    for (size_t number = 1; number < where.size(); ++number) {
      const StepRef &step = where[number];
      Diagnostic &note = error.attachNote(getOp(*read, step)->getLoc());
      note << "rank " << step.first;
      if (step.second < read->programs[step.first].size())
        note << ", step " << step.second;
    }
    return error;
  }
  uint64_t limit =
      program.getMesh()->getAs<IntegerAttr>("memory_bytes").getInt();
  for (auto [steps, ops] : llvm::zip(read->programs, read->ops)) {
    BufferChecker checker(*model, steps, ops);
    if (failed(checker.checkWeights()) || failed(checker.checkTransfers()) ||
        failed(checker.checkSaved()) || failed(checker.checkMemory(limit)))
      return failure();
  }
  return success();
}

FailureOr<RankPrograms>
tenon::parallelize::getCheckedPrograms(pipe::ProgramOp program,
                                       const PipelineModel &model) {
  auto module = program->getParentOfType<ModuleOp>();
  if (module.getOps<program::TargetOp>().empty() &&
      failed(emitRankPrograms(program)))
    return failure();
  if (failed(checkRankPrograms(program)))
    return failure();
  FailureOr<ReadPrograms> read = readRankPrograms(program, model);
  if (failed(read))
    return failure();
  return std::move(read->programs);
}
