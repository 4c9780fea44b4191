//===- PipelinePasses.cpp - passes on pipelines ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/Baselines.h"
#include "tenon/Parallelize/CheckRanks.h"
#include "tenon/Parallelize/Passes.h"
#include "tenon/Parallelize/PipeProgram.h"
#include "tenon/Parallelize/Schedules.h"

#include "llvm/ADT/StringExtras.h"

namespace tenon::parallelize {
#define GEN_PASS_DEF_PIPEPARTITION
#define GEN_PASS_DEF_PIPESCHEDULE
#define GEN_PASS_DEF_PIPETOPROGRAM
#define GEN_PASS_DEF_PIPECHECK
#include "tenon/Parallelize/Passes.h.inc"
} // namespace tenon::parallelize

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

/// The program of a module; fails with an error unless there is one.
static FailureOr<pipe::ProgramOp> getProgram(ModuleOp module) {
  auto programs = module.getOps<pipe::ProgramOp>();
  if (llvm::hasSingleElement(programs))
    return *programs.begin();
  module.emitError("expected one 'pipe.program' in the module");
  return failure();
}

//===----------------------------------------------------------------------===//
// --pipe-partition
//===----------------------------------------------------------------------===//

namespace {
struct PipePartitionPass
    : tenon::parallelize::impl::PipePartitionBase<PipePartitionPass> {
  using PipePartitionBase::PipePartitionBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  FailureOr<ClusterDescription> getCluster();
  std::optional<Evaluation> plan(const OperatorGraph &graph,
                                 const Cluster &cluster,
                                 const PlannerOptions &options,
                                 std::string &reason);
};
} // namespace

FailureOr<ClusterDescription> PipePartitionPass::getCluster() {
  if (devices < 1 || devices > 65536)
    return getOperation().emitError("devices: expected 1 to 65536");
  if (cluster.empty())
    return getDefaultCluster(devices);
  llvm::Expected<ClusterDescription> read = readCluster(cluster, devices);
  if (!read)
    return getOperation().emitError() << llvm::toString(read.takeError());
  return std::move(*read);
}

std::optional<Evaluation> PipePartitionPass::plan(const OperatorGraph &graph,
                                                  const Cluster &cluster,
                                                  const PlannerOptions &options,
                                                  std::string &reason) {
  if (planner == "graph")
    return planGraph(graph, cluster, options, reason);
  if (planner == "sequential")
    return planSequential(graph, cluster, options, reason);
  if (planner == "pipedream")
    return planPipeDream(graph, cluster, options, reason);
  if (planner == "piper")
    return planPiper(graph, cluster, options, reason);
  reason =
      "planner: expected graph, sequential, pipedream or piper, but got '" +
      planner.getValue() + "'";
  return std::nullopt;
}

LogicalResult PipePartitionPass::run() {
  ModuleOp module = getOperation();
  auto model = module.lookupSymbol<func::FuncOp>("main");
  if (!model)
    return module.emitError("expected a function 'main'");
  if (miniBatch < 1 || miniBatch > int64_t(1) << 40)
    return module.emitError("mini-batch: expected 1 to 2^40 samples");
  if (operators < 1)
    return module.emitError("operators: expected at least 1");
  if (!batchNorm.empty() && batchNorm != "per-micro-batch")
    return module.emitError("batch-norm: expected per-micro-batch");
  FailureOr<ClusterDescription> description = getCluster();
  if (failed(description))
    return failure();
  ModelOptions options;
  options.device = description->device;
  options.miniBatch = miniBatch;
  options.leastShare = 1.0 / operators;
  options.batch.isTraining = !forwardOnly;
  options.batch.batchNormPerMicroBatch = !batchNorm.empty();
  FailureOr<ModelGraph> graph = buildModelGraph(model, options);
  if (failed(graph))
    return failure();
  PlannerOptions plannerOptions;
  plannerOptions.training.miniBatch = miniBatch;
  plannerOptions.training.forwardOnly = forwardOnly;
  plannerOptions.evenParts = graph->hasBatchStatistics;
  std::string reason;
  std::optional<Evaluation> found =
      plan(graph->graph, description->cluster, plannerOptions, reason);
  if (!found)
    return model.emitError() << reason;
  FailureOr<pipe::ProgramOp> program = buildPipeProgram(
      model, *graph, *found, description->cluster, plannerOptions.training);
  if (failed(program))
    return failure();
  model.erase();
  FailureOr<PipelineModel> pipeline = readPipeline(*program);
  if (failed(pipeline))
    return failure();
  writeSchedule(*program, *pipeline, found->schedule);
  return success();
}

//===----------------------------------------------------------------------===//
// --pipe-schedule
//===----------------------------------------------------------------------===//

namespace {
struct PipeSchedulePass
    : tenon::parallelize::impl::PipeScheduleBase<PipeSchedulePass> {
  using PipeScheduleBase::PipeScheduleBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  std::optional<Schedule> make(const PipelineModel &model, StringRef name,
                               std::string &reason);
};
} // namespace

/// Whether each stage has a lane of its own.
static bool hasOwnLanes(const Pipeline &pipeline) {
  return pipeline.getNumLanes() == pipeline.stages.size();
}

std::optional<Schedule> PipeSchedulePass::make(const PipelineModel &model,
                                               StringRef name,
                                               std::string &reason) {
  const Pipeline &pipeline = model.pipeline;
  static constexpr StringRef kNames[] = {"gpipe",       "1f1b",        "kfkb",
                                         "interleaved", "zero-bubble", "list",
                                         "segments",    "forward"};
  if (!llvm::is_contained(kNames, name)) {
    reason = "expected " + llvm::join(ArrayRef(kNames), ", ") + ", but got '" +
             name.str() + "'";
    return std::nullopt;
  }
  if (model.isTraining != (name != "forward")) {
    reason = "'" + name.str() + "' is a schedule of " +
             (model.isTraining ? "inference" : "training");
    return std::nullopt;
  }
  if (name == "forward")
    return makeForwardSchedule(pipeline);
  if (name == "segments")
    return makeSegmentSchedule(pipeline);
  if (name == "interleaved")
    return makeInterleavedSchedule(pipeline, reason);
  if (!hasOwnLanes(pipeline)) {
    reason = "'" + name.str() + "' needs ranks of its own for each stage";
    return std::nullopt;
  }
  std::vector<int64_t> ks;
  std::vector<bool> eager;
  for (pipe::StageOp stage : model.stages) {
    bool usesK = name == "kfkb" || name == "list";
    ks.push_back(usesK ? stage.getK().value_or(1) : 1);
    eager.push_back(stage.getEager());
  }
  if (name == "gpipe")
    return makeGPipeSchedule(pipeline);
  if (name == "1f1b")
    return makeAlternatingSchedule(pipeline, ks, getInFlight(pipeline, ks));
  if (name == "kfkb")
    return makeAlternatingSchedule(pipeline, ks,
                                   getInFlight(pipeline, ks, eager));
  return makeListSchedule(
      pipeline,
      makeListOptions(getInFlight(pipeline, ks, eager), name == "zero-bubble"),
      reason);
}

LogicalResult PipeSchedulePass::run() {
  FailureOr<pipe::ProgramOp> program = getProgram(getOperation());
  if (failed(program))
    return failure();
  FailureOr<PipelineModel> model = readPipeline(*program);
  if (failed(model))
    return failure();
  StringRef name = schedule;
  if (name.empty())
    name = model->isTraining ? "kfkb" : "forward";
  std::string reason;
  std::optional<Schedule> made = make(*model, name, reason);
  if (!made)
    return program->emitError() << "schedule: " << reason;
  writeSchedule(*program, *model, *made);
  return success();
}

//===----------------------------------------------------------------------===//
// --pipe-to-program and --pipe-check
//===----------------------------------------------------------------------===//

namespace {
struct PipeToProgramPass
    : tenon::parallelize::impl::PipeToProgramBase<PipeToProgramPass> {
  using PipeToProgramBase::PipeToProgramBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    if (hasMeshes(getOperation()))
      return emitMeshRanks(getOperation());
    FailureOr<pipe::ProgramOp> program = getProgram(getOperation());
    if (failed(program))
      return failure();
    if (train.empty())
      return emitRanks(*program, nullptr);
    FailureOr<differentiate::GraphTrainOptions> training =
        differentiate::parseTrainOptions(train, program->getLoc());
    return success(succeeded(training) &&
                   succeeded(emitRanks(*program, &*training)));
  }
};

struct PipeCheckPass : tenon::parallelize::impl::PipeCheckBase<PipeCheckPass> {
  using PipeCheckBase::PipeCheckBase;

  void runOnOperation() override {
    FailureOr<pipe::ProgramOp> program = getProgram(getOperation());
    if (failed(program) || failed(checkRanks(*program)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
