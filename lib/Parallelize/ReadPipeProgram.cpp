//===- ReadPipeProgram.cpp - pipe.program as numbers ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Pipe/IR/ScheduleText.h"
#include "tenon/Parallelize/PipeProgram.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

using pipe::ScheduledTask;

/// The bytes of a tensor whose axes but `samplesAxis` have numbers, or of its
/// part for one sample.
static double countBytes(RankedTensorType type, int64_t samplesAxis = -1,
                         double rows = 0) {
  double bytes = (type.getElementTypeBitWidth() + 7) / 8;
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    bytes *= static_cast<int64_t>(axis) == samplesAxis
                 ? rows
                 : static_cast<double>(size);
  return bytes;
}

/// The link of a channel: ranks send at the same time, each to those that have
/// its samples.
static Link readLink(pipe::ChannelOp channel, unsigned from, unsigned to,
                     ArrayRef<unsigned> senders, ArrayRef<unsigned> receivers,
                     pipe::MeshAttr mesh,
                     llvm::function_ref<int64_t(unsigned)> getDevice) {
  Link link;
  link.from = from;
  link.to = to;
  double slowest = 0;
  for (unsigned sender : senders)
    for (unsigned receiver : receivers) {
      pipe::MeshAttr::Link wire =
          *mesh.getLink(getDevice(sender), getDevice(receiver));
      link.latency = std::max(link.latency, wire.seconds);
      slowest = std::max(slowest, 1 / wire.bytesPerSecond);
    }
  auto type = cast<RankedTensorType>(channel.getValue().getType());
  double bytes = countBytes(type, static_cast<int64_t>(channel.getAxis()),
                            static_cast<double>(channel.getRows()));
  link.secondsPerSample =
      bytes * slowest /
      static_cast<double>(std::min(senders.size(), receivers.size()));
  return link;
}

/// Bytes that are added up in 64 bits.
static constexpr double kMostBytes = 0x1p62;

/// All tasks are in memory at once, as are their steps and times.
static constexpr int64_t kMostReadMicroBatches = int64_t(1) << 24;

/// Checks that what a stage or a channel has can be counted.
static LogicalResult checkSizes(pipe::ProgramOp program) {
  int64_t numMicroBatches = 0;
  double factor = program.getStateFactor()
                      ? program.getStateFactor()->convertToDouble()
                      : 1;
  for (auto stage : program.getBody().getOps<pipe::StageOp>()) {
    int64_t own = (static_cast<int64_t>(*program.getMiniBatch()) - 1) /
                      static_cast<int64_t>(*stage.getMicroBatch()) +
                  1;
    // `own` is checked first, so that the sum has a value.
    if (own > kMostReadMicroBatches ||
        (numMicroBatches += own) > kMostReadMicroBatches)
      return stage.emitError()
             << "expected at most " << kMostReadMicroBatches
             << " micro-batches in all stages, but this one has " << own;
    double bytes = 0;
    for (auto parameter : stage.getBody().getOps<graph::ParameterOp>())
      bytes +=
          countBytes(cast<RankedTensorType>(parameter.getResult().getType()));
    // The parameters, at least one gradient of 4 bytes, and the states.
    if (bytes * (5 + factor) > kMostBytes)
      return stage.emitError("expected parameters of at most 2^62 bytes with "
                             "their gradients and states");
  }
  for (auto channel : program.getBody().getOps<pipe::ChannelOp>()) {
    auto type = cast<RankedTensorType>(channel.getValue().getType());
    auto own = static_cast<int64_t>(channel.getAxis());
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (axis != own && type.isDynamicDim(axis))
        return channel.emitError()
               << "axis " << axis << " of " << type << " has no number";
    double rows = static_cast<double>(channel.getRows()) *
                  static_cast<double>(*program.getMiniBatch());
    if (countBytes(type, own, rows) > kMostBytes)
      return channel.emitError("expected at most 2^62 bytes");
  }
  return success();
}

FailureOr<PipelineModel>
tenon::parallelize::readPipeline(pipe::ProgramOp program) {
  if (!program.getMiniBatch() || !program.getMesh())
    return program.emitError("expected a mini-batch and a mesh");
  if (failed(checkSizes(program)))
    return failure();
  PipelineModel model;
  model.isTraining = program.getTraining();
  model.pipeline.miniBatch = *program.getMiniBatch();
  auto getDevice = [&](unsigned rank) { return program.getDevice(rank); };
  std::map<std::vector<int64_t>, unsigned> laneOf;
  llvm::DenseMap<Operation *, unsigned> numberOf;
  for (auto op : program.getBody().getOps<pipe::StageOp>()) {
    std::optional<ArrayRef<double>> seconds = op.getSeconds();
    if (!seconds)
      return op.emitError("expected a stage with seconds");
    Stage stage;
    stage.microBatch = *op.getMicroBatch();
    stage.forward = (*seconds)[0];
    stage.backwardInput = (*seconds)[1];
    stage.backwardWeight = (*seconds)[2];
    if (seconds->size() == 6)
      stage.last = TaskSeconds{(*seconds)[3], (*seconds)[4], (*seconds)[5]};
    auto [lane, isNew] =
        laneOf.try_emplace(op.getRanks().vec(), model.laneRanks.size());
    if (isNew)
      model.laneRanks.emplace_back(op.getRanks().begin(), op.getRanks().end());
    stage.lane = lane->second;
    numberOf[op] = model.stages.size();
    model.stages.push_back(op);
    model.pipeline.stages.push_back(stage);
  }
  size_t numRanks = 0;
  for (const std::vector<unsigned> &ranks : model.laneRanks)
    numRanks += ranks.size();
  if (numRanks != program.getRanks())
    return program.emitError()
           << "expected a stage on each of " << program.getRanks()
           << " ranks, but got stages on " << numRanks;
  for (auto channel : program.getBody().getOps<pipe::ChannelOp>()) {
    unsigned from = numberOf.lookup(channel.getValue().getDefiningOp());
    unsigned to = numberOf.lookup(*channel.getResult().user_begin());
    model.pipeline.links.push_back(readLink(
        channel, from, to, model.laneRanks[model.pipeline.stages[from].lane],
        model.laneRanks[model.pipeline.stages[to].lane], *program.getMesh(),
        getDevice));
    model.channels.push_back(channel);
  }
  // The verifier has refused those of other ranks.
  for (pipe::StageOp stage : model.stages)
    for (Value operand : stage.getOperands())
      if (auto giver = operand.getDefiningOp<pipe::StageOp>())
        return stage.emitError()
               << "reads a value of stage '" << giver.getName()
               << "' of the same ranks, which is not supported";
  std::string reason;
  if (!isValid(model.pipeline, reason))
    return program.emitError() << reason;
  return std::move(model);
}

static std::optional<TaskKind> getTaskKind(ScheduledTask::Kind kind) {
  switch (kind) {
  case ScheduledTask::Kind::Forward:
    return TaskKind::Forward;
  case ScheduledTask::Kind::Backward:
    return TaskKind::Backward;
  case ScheduledTask::Kind::BackwardInput:
    return TaskKind::BackwardInput;
  case ScheduledTask::Kind::BackwardWeight:
    return TaskKind::BackwardWeight;
  case ScheduledTask::Kind::Update:
    return std::nullopt;
  }
  llvm_unreachable("unknown kind of task");
}

static ScheduledTask::Kind getScheduledKind(TaskKind kind) {
  switch (kind) {
  case TaskKind::Forward:
    return ScheduledTask::Kind::Forward;
  case TaskKind::Backward:
    return ScheduledTask::Kind::Backward;
  case TaskKind::BackwardInput:
    return ScheduledTask::Kind::BackwardInput;
  case TaskKind::BackwardWeight:
    return ScheduledTask::Kind::BackwardWeight;
  }
  llvm_unreachable("unknown kind of task");
}

/// The stages of each lane.
static std::vector<std::vector<unsigned>>
getLaneStages(const PipelineModel &model) {
  std::vector<std::vector<unsigned>> stages(model.laneRanks.size());
  for (auto [number, stage] : llvm::enumerate(model.pipeline.stages))
    stages[stage.lane].push_back(number);
  return stages;
}

FailureOr<Schedule>
tenon::parallelize::readSchedule(pipe::ProgramOp program,
                                 const PipelineModel &model) {
  Schedule schedule;
  schedule.lanes.resize(model.laneRanks.size());
  std::vector<std::vector<unsigned>> stages = getLaneStages(model);
  bool hasAny = false;
  for (auto op : program.getBody().getOps<pipe::ScheduleOp>()) {
    hasAny = true;
    std::vector<unsigned> ranks(op.getRanks().begin(), op.getRanks().end());
    unsigned lane =
        llvm::find(model.laneRanks, ranks) - model.laneRanks.begin();
    StringRef wrong;
    // The verifier has read them, too.
    std::vector<ScheduledTask> tasks = *pipe::parseTasks(op.getTasks(), wrong);
    for (const ScheduledTask &task : tasks)
      if (std::optional<TaskKind> kind = getTaskKind(task.kind))
        schedule.lanes[lane].push_back(
            {stages[lane][task.stage], *kind, task.microBatch});
  }
  if (!hasAny)
    return program.emitError("expected schedules, which --pipe-schedule makes");
  return schedule;
}

void tenon::parallelize::writeSchedule(pipe::ProgramOp program,
                                       const PipelineModel &model,
                                       const Schedule &schedule) {
  for (auto op :
       llvm::make_early_inc_range(program.getBody().getOps<pipe::ScheduleOp>()))
    op.erase();
  std::vector<std::vector<unsigned>> stages = getLaneStages(model);
  OpBuilder builder(program.getBody().front().getTerminator());
  for (auto [lane, tasks] : llvm::enumerate(schedule.lanes)) {
    // An update follows the last gradient of its stage.
    std::vector<int64_t> left;
    for (unsigned stage : stages[lane])
      left.push_back(model.pipeline.getNumMicroBatches(stage));
    std::vector<ScheduledTask> written;
    for (const Task &task : tasks) {
      unsigned place =
          llvm::find(stages[lane], task.stage) - stages[lane].begin();
      written.push_back({getScheduledKind(task.kind), task.microBatch, place});
      bool isLastPart = task.kind == TaskKind::Backward ||
                        task.kind == TaskKind::BackwardWeight;
      if (isLastPart && --left[place] == 0)
        written.push_back({ScheduledTask::Kind::Update, 0, place});
    }
    SmallVector<int64_t> ranks(model.laneRanks[lane].begin(),
                               model.laneRanks[lane].end());
    pipe::ScheduleOp::create(builder, program.getLoc(), ranks,
                             pipe::printTasks(written));
  }
}
