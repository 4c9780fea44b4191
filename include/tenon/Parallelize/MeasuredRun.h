//===- MeasuredRun.h - a run of a plan, and costs fitted to it --*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace says what ran (docs/formats.md): which operators each stage had, and
// how long its tasks took. Costs of a profile are scaled so that they give
// these times, by stage and kind of task; then plans with other stages or
// micro-batches are predicted from them.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_MEASUREDRUN_H
#define TENON_PARALLELIZE_MEASUREDRUN_H

#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Parallelize/ModelGraph.h"

#include "llvm/Support/Error.h"

namespace tenon::parallelize {

/// What a run is of.
struct RunPlan {
  /// ModelGraph::digest.
  std::string model;
  int64_t miniBatch = 1;
  bool forwardOnly = false;
  /// `isAfterPrevious` is not known; nor is `splitBackward`, but of the plan of
  /// a MeasuredRun.
  Plan stages;
};

RunPlan getRunPlan(const std::string &model, const TrainingOptions &options,
                   const Plan &plan);
/// Nothing if the program does not say what it is of.
std::optional<RunPlan> getRunPlan(pipe::ProgramOp program);
/// One line of JSON, which is the member `plan` of manifests and traces.
std::string printRunPlan(const RunPlan &plan);

/// The tasks of a kind of a stage that have as many samples.
struct RunTasks {
  unsigned stage = 0;
  /// "forward", "backward", "backward_input", "backward_weight", "sum",
  /// "norm" or "update".
  std::string kind;
  /// Of the device that has the most.
  int64_t samples = 0;
  size_t count = 0;
  /// The median.
  double seconds = 0;
};

struct MeasuredRun {
  RunPlan plan;
  std::vector<RunTasks> tasks;
  /// From the begin of the first to the end of the last task, and what ranks
  /// spent on neither tasks nor waiting, for each task.
  double seconds = 0, overheadSeconds = 0;
};

/// Reads a trace of tenon-run, or one of tenon-plan.
llvm::Expected<MeasuredRun> readMeasuredRun(llvm::StringRef trace);

/// Fails unless a run is of this model.
llvm::Error checkModel(const MeasuredRun &run, const ModelGraph &model,
                       bool forwardOnly);

/// The seconds of tasks of the run by the costs of operators; 0 for "sum" and
/// "norm".
double predictSeconds(const OperatorGraph &graph, const Cluster &cluster,
                      const MeasuredRun &run, const RunTasks &tasks);

/// Scales the costs of the operators of each stage by its measured seconds over
/// the predicted ones: forward, and backward of inputs and of weights apart
/// where they were measured apart. If its last micro-batch is shorter, tasks of
/// two sizes also say which part does not depend on the samples. What ranks
/// spend beside tasks counts to these. Updates of parameters get the seconds
/// that were measured, shared out by bytes. Sums of gradients and messages stay
/// as the cluster has them.
OperatorGraph fitCosts(OperatorGraph graph, const Cluster &cluster,
                       const MeasuredRun &run);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_MEASUREDRUN_H
