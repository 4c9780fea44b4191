//===- PipelineDescription.h - what the runtime is told of a pipeline -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_PIPELINEDESCRIPTION_H
#define TENON_LIB_DRIVER_PIPELINEDESCRIPTION_H

#include "tenon/Artifact/Pipeline.h"
#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Parallelize/PipeProgram.h"

namespace tenon {

/// A stage's operand that reads a result.
struct PipelineReader {
  pipe::StageOp stage;
  unsigned operand = 0;
};

/// In the order of the stages and their operands.
llvm::SmallVector<PipelineReader> getReaders(mlir::Value result);

class PipelineDescription {
public:
  /// Reads and checks the program and the programs of its ranks.
  mlir::LogicalResult read(pipe::ProgramOp program);

  /// `hasTask`: whether a task S.KIND has anything to do.
  artifact::Pipeline
  getPipeline(llvm::function_ref<bool(const std::string &)> hasTask) const;
  /// The type of a value for a number of samples.
  mlir::Type bind(mlir::Type type, int64_t samples) const;

  /// Samples of an iteration; without a mini-batch, 1.
  int64_t miniBatch = 1;
  llvm::SmallVector<pipe::StageOp> stages;
  /// The symbol of the number of samples.
  std::string symbol; // empty: values have no samples
  /// For each stage: the samples that a rank has of a micro-batch, and whether
  /// backward tasks for inputs and weights are two.
  std::vector<int64_t> parts;
  std::vector<bool> splitsBackward;

private:
  mlir::LogicalResult readPrograms();
  mlir::LogicalResult findSamples();
  void describe(mlir::Value value, const std::string &name,
                artifact::PipelineValue &made) const;
  artifact::PipelineStage getStage(pipe::StageOp stage) const;
  std::vector<artifact::PipelineStep>
  getSteps(const std::vector<parallelize::Step> &steps,
           llvm::function_ref<bool(const std::string &)> hasTask) const;

  pipe::ProgramOp program;
  parallelize::PipelineModel model;
  parallelize::RankPrograms programs;
  /// The operand at which each link ends.
  llvm::SmallVector<mlir::OpOperand *> links;
  graph::BatchAxes samples;
};

} // namespace tenon

#endif // TENON_LIB_DRIVER_PIPELINEDESCRIPTION_H
