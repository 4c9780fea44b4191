//===- PipeProgram.h - pipelines as pipe.program ----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the IR of a pipeline and the numbers that planners, schedules and the
// simulation work on.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_PIPEPROGRAM_H
#define TENON_PARALLELIZE_PIPEPROGRAM_H

#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Differentiate/Passes.h"
#include "tenon/Parallelize/ClusterFile.h"
#include "tenon/Parallelize/ModelGraph.h"
#include "tenon/Parallelize/RankPrograms.h"

namespace tenon::parallelize {

/// Builds, before the model, a pipe.program that computes the same in the
/// stages of a plan, with channels and schedules. Ops without samples are
/// copied into each stage that reads them. Fails with an error if the model
/// returns an argument.
mlir::FailureOr<pipe::ProgramOp>
buildPipeProgram(mlir::func::FuncOp model, const ModelGraph &graph,
                 const Evaluation &plan, const Cluster &cluster,
                 const TrainingOptions &options);

/// A pipe.program as numbers.
struct PipelineModel {
  /// Each channel is a link of its own.
  Pipeline pipeline;
  LaneRanks laneRanks;
  bool isTraining = false;
  /// The stages, in the order of the program, and the channels of the links.
  llvm::SmallVector<pipe::StageOp> stages;
  llvm::SmallVector<pipe::ChannelOp> channels;
};

/// Fails with an error if the program has no mini-batch, no mesh, stages
/// without seconds, sizes that are no numbers, more than 2^62 bytes in one
/// place, or more than 2^24 micro-batches in all of its stages.
mlir::FailureOr<PipelineModel> readPipeline(pipe::ProgramOp program);

/// The schedule that pipe.schedules state; fails with an error if there are
/// none.
mlir::FailureOr<Schedule> readSchedule(pipe::ProgramOp program,
                                       const PipelineModel &model);

/// Replaces the schedules of a program.
void writeSchedule(pipe::ProgramOp program, const PipelineModel &model,
                   const Schedule &schedule);

/// Adds to the module of the program what runs: the functions of the tasks, the
/// states, and a `program.ranks` for each entry of callers (the model, or in
/// training train_step, evaluate and predict), in place of those that there
/// are. Messages are planned; buffers have lives, but no places yet.
/// `training`: null for inference. Fails, with a diagnostic, if the schedules
/// can't be run to their end, or the model can't be trained so.
mlir::LogicalResult emitRanks(pipe::ProgramOp program,
                              const differentiate::GraphTrainOptions *training);

/// Whether functions of a module have a mesh.
bool hasMeshes(mlir::ModuleOp module);

/// Replaces functions with a mesh by what their ranks run: a `program.ranks` of
/// the same name, whose inputs and outputs have those of the ranks along a new
/// first axis, and the functions of its tasks. Buffers have lives, but no
/// places yet. Fails, with a diagnostic, if functions do not all have one mesh,
/// a size has no number, or an op no code for ranks.
mlir::LogicalResult emitMeshRanks(mlir::ModuleOp module);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_PIPEPROGRAM_H
