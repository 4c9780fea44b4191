//===- VerifyPipeline.cpp - what holds of a pipeline ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyPipeline.h"
#include "tenon/Dialect/Pipe/IR/ScheduleText.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::pipe;

using Kind = ScheduledTask::Kind;

static LogicalResult verifyMesh(ProgramOp program) {
  std::optional<MeshAttr> mesh = program.getMesh();
  std::optional<ArrayRef<int64_t>> devices = program.getDevices();
  if (!mesh && devices)
    return program.emitOpError("has 'devices', but no mesh");
  if (!mesh)
    return success();
  if (mesh->getMemoryBytes().empty() || mesh->getLinkSeconds().empty())
    return program.emitOpError(
        "expected a mesh with 'memory_bytes', 'link_seconds' and "
        "'link_bytes_per_second'");
  auto ranks = static_cast<int64_t>(program.getRanks());
  int64_t positions = mesh->getNumPositions();
  if (ranks > positions)
    return program.emitOpError() << "expected a mesh of at least " << ranks
                                 << " positions, but got " << positions;
  llvm::SmallDenseSet<int64_t> seen;
  if (devices && (static_cast<int64_t>(devices->size()) != ranks ||
                  llvm::any_of(*devices, [&](int64_t device) {
                    return device < 0 || device >= positions ||
                           !seen.insert(device).second;
                  })))
    return program.emitOpError("expected 'devices' that are positions of the "
                               "mesh, a different one for each rank");
  return success();
}

/// More than any optimizer has.
static constexpr int kMostStateFactor = 1024;

/// Checks that what a stage of a pipeline reads of other ranks comes through
/// channels.
static LogicalResult verifyOperands(StageOp stage) {
  for (Value operand : stage.getOperands())
    if (auto giver = operand.getDefiningOp<StageOp>())
      if (giver.getRanks() != stage.getRanks())
        return stage.emitOpError()
               << "expected a channel from stage '" << giver.getName() << "'";
  return success();
}

/// Checks that parameters of one name are the same in all stages, and that no
/// two stages change the same statistics of batch norms.
static LogicalResult verifyParameters(ProgramOp program) {
  llvm::StringMap<graph::ParameterOp> known;
  llvm::StringMap<StageOp> normalizers;
  for (auto stage : program.getBody().getOps<StageOp>()) {
    for (auto op : stage.getBody().getOps<graph::ParameterOp>()) {
      graph::ParameterOp other =
          known.try_emplace(op.getName(), op).first->second;
      if (op.getType() != other.getType() ||
          op->getAttrDictionary() != other->getAttrDictionary())
        return op.emitOpError()
               << "differs from that of its name in stage '"
               << other->getParentOfType<StageOp>().getName() << "'";
    }
    for (auto norm : stage.getBody().getOps<graph::BatchNormOp>())
      for (Value statistic : {norm.getMean(), norm.getVariance()})
        if (auto op = statistic.getDefiningOp<graph::ParameterOp>()) {
          StageOp other =
              normalizers.try_emplace(op.getName(), stage).first->second;
          if (other != stage)
            return op.emitOpError()
                   << "is a statistic of batch norms of stage '"
                   << other.getName() << "', too";
        }
  }
  return success();
}

static LogicalResult verifyStages(ProgramOp program) {
  std::optional<int64_t> miniBatch = program.getMiniBatch();
  if (miniBatch && *miniBatch < 1)
    return program.emitOpError()
           << "expected a mini-batch of at least 1, but got " << *miniBatch;
  if (program.getTraining() && !miniBatch)
    return program.emitOpError("expected a mini-batch for training");
  if (program.getStateFactor()) {
    double factor = program.getStateFactor()->convertToDouble();
    if (!(factor >= 0) || factor > kMostStateFactor)
      return program.emitOpError()
             << "expected a state factor from 0 to " << kMostStateFactor;
  }
  std::map<int64_t, StageOp> firstOf;
  for (auto stage : program.getBody().getOps<StageOp>()) {
    std::optional<int64_t> microBatch = stage.getMicroBatch();
    if (microBatch.has_value() != miniBatch.has_value())
      return stage.emitOpError()
             << "expected a micro-batch if and only if the program has a "
                "mini-batch";
    if (miniBatch && *microBatch > *miniBatch)
      return stage.emitOpError() << "expected a micro-batch of at most "
                                 << *miniBatch << ", but got " << *microBatch;
    for (int64_t rank : stage.getRanks()) {
      auto [place, isNew] = firstOf.try_emplace(rank, stage);
      if (!isNew && place->second.getRanks() != stage.getRanks())
        return stage.emitOpError()
               << "shares rank " << rank << " with '" << place->second.getName()
               << "', which has other ranks, too";
    }
    int64_t bytes = 0;
    if (miniBatch && llvm::MulOverflow<int64_t>(
                         stage.getSavedBytes().value_or(0), *miniBatch, bytes))
      return stage.emitOpError()
             << "expected saved bytes of less than 2^63 for " << *miniBatch
             << " samples";
    if (miniBatch && failed(verifyOperands(stage)))
      return failure();
  }
  return success();
}

/// Checks the tasks of one stage.
static LogicalResult verifyTasks(ScheduleOp schedule, StageOp stage,
                                 ArrayRef<ScheduledTask> tasks, bool isTraining,
                                 int64_t miniBatch) {
  int64_t count =
      (miniBatch - 1) / static_cast<int64_t>(*stage.getMicroBatch()) + 1;
  auto fail = [&](const ScheduledTask &task) {
    return schedule.emitOpError()
           << "stage '" << stage.getName() << "': '" << printTask(task) << "' ";
  };
  std::map<std::pair<Kind, int64_t>, bool> found;
  auto has = [&](Kind kind, int64_t number) {
    return found.count({kind, number}) != 0;
  };
  int64_t forward = 0, backward = 0;
  for (const ScheduledTask &task : tasks) {
    if (task.microBatch >= count)
      return fail(task) << "does not exist: it has " << count
                        << " micro-batches";
    if (!found.try_emplace({task.kind, task.microBatch}).second)
      return fail(task) << "occurs twice";
    if (task.kind == Kind::Forward) {
      ++forward;
      continue;
    }
    if (!isTraining)
      return fail(task) << "is a task of training";
    if (task.kind == Kind::Update) {
      if (backward != count)
        return fail(task) << "comes before a backward task";
      continue;
    }
    if (!has(Kind::Forward, task.microBatch))
      return fail(task) << "comes before its forward task";
    if (task.kind == Kind::BackwardWeight &&
        !has(Kind::BackwardInput, task.microBatch))
      return fail(task) << "comes before the gradients of the inputs";
    bool isWhole = task.kind == Kind::Backward;
    if (isWhole ? has(Kind::BackwardInput, task.microBatch)
                : has(Kind::Backward, task.microBatch))
      return fail(task) << "is a part of another task";
    backward += isWhole || task.kind == Kind::BackwardWeight;
  }
  if (forward != count || (isTraining && backward != count))
    return schedule.emitOpError()
           << "stage '" << stage.getName() << "': expected " << count
           << " forward" << (isTraining ? " and backward" : "")
           << " tasks, but got " << forward
           << (isTraining ? " and " + std::to_string(backward) : "");
  if (isTraining && !has(Kind::Update, 0))
    return schedule.emitOpError()
           << "stage '" << stage.getName() << "': expected a task 'U'";
  return success();
}

static LogicalResult verifySchedule(ProgramOp program, ScheduleOp schedule) {
  SmallVector<StageOp> stages;
  for (auto stage : program.getBody().getOps<StageOp>())
    if (stage.getRanks() == schedule.getRanks())
      stages.push_back(stage);
  if (stages.empty())
    return schedule.emitOpError("expected the ranks of a stage");
  if (!program.getMiniBatch())
    return schedule.emitOpError("expected a program with a mini-batch");
  StringRef wrong;
  std::optional<std::vector<ScheduledTask>> tasks =
      parseTasks(schedule.getTasks(), wrong);
  if (!tasks)
    return schedule.emitOpError() << "'" << wrong << "' is no task";
  std::vector<std::vector<ScheduledTask>> byStage(stages.size());
  for (const ScheduledTask &task : *tasks) {
    if (task.stage >= stages.size())
      return schedule.emitOpError()
             << "'" << printTask(task) << "': there are " << stages.size()
             << " stages on these ranks";
    byStage[task.stage].push_back(task);
  }
  for (auto [stage, own] : llvm::zip(stages, byStage))
    if (failed(verifyTasks(schedule, stage, own, program.getTraining(),
                           *program.getMiniBatch())))
      return failure();
  return success();
}

static LogicalResult verifySchedules(ProgramOp program) {
  std::map<int64_t, ScheduleOp> scheduleOf;
  for (auto schedule : program.getBody().getOps<ScheduleOp>()) {
    if (failed(verifySchedule(program, schedule)))
      return failure();
    if (!scheduleOf.try_emplace(schedule.getRanks().front(), schedule).second)
      return schedule.emitOpError("expected one schedule of these ranks");
  }
  if (scheduleOf.empty())
    return success();
  for (auto stage : program.getBody().getOps<StageOp>())
    if (!scheduleOf.count(stage.getRanks().front()))
      return stage.emitOpError("expected a schedule of its ranks");
  return success();
}

LogicalResult pipe::verifyPipeline(ProgramOp program) {
  if (failed(verifyStages(program)))
    return failure();
  if (failed(verifyMesh(program)))
    return failure();
  if (program.getTraining() && failed(verifyParameters(program)))
    return failure();
  return verifySchedules(program);
}

LogicalResult ChannelOp::verify() {
  auto program = cast<ProgramOp>((*this)->getParentOp());
  auto giver = getValue().getDefiningOp<StageOp>();
  if (!giver)
    return emitOpError("expected a result of a stage");
  if (!getResult().hasOneUse() || !isa<StageOp>(*getResult().user_begin()))
    return emitOpError("expected one stage that reads it");
  auto reader = cast<StageOp>(*getResult().user_begin());
  if (giver.getRanks() == reader.getRanks())
    return emitOpError("expected stages of different ranks");
  for (auto [stage, size] : {std::pair(giver, static_cast<int64_t>(getFrom())),
                             std::pair(reader, static_cast<int64_t>(getTo()))})
    if (stage.getMicroBatch() != size)
      return emitOpError() << "expected the micro-batch of stage '"
                           << stage.getName() << "', but got " << size;
  auto type = cast<RankedTensorType>(getValue().getType());
  auto axis = static_cast<int64_t>(getAxis()),
       rows = static_cast<int64_t>(getRows());
  if (axis < 0 || axis >= type.getRank())
    return emitOpError() << "expected an axis of " << type << ", but got "
                         << axis;
  if (rows < 1)
    return emitOpError() << "expected rows of at least 1, but got " << rows;
  if (!type.getElementType().isIntOrFloat())
    return emitOpError() << "expected integers or floats, but got " << type;
  std::optional<int64_t> miniBatch = program.getMiniBatch();
  int64_t allRows = 0;
  if (miniBatch && llvm::MulOverflow(*miniBatch, rows, allRows))
    return emitOpError() << "expected fewer than " << rows
                         << " rows for each of " << *miniBatch << " samples";
  if (miniBatch && !type.isDynamicDim(axis) && type.getDimSize(axis) != allRows)
    return emitOpError() << "expected axis " << axis << " of " << type
                         << " to have " << rows << " rows for each of "
                         << *miniBatch << " samples";
  return success();
}
