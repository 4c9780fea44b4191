//===- PlannedStages.h - a program's steps, as numbers ----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_PLANNEDSTAGES_H
#define TENON_LIB_PARALLELIZE_PLANNEDSTAGES_H

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Parallelize/PipeProgram.h"

#include "llvm/ADT/MapVector.h"

namespace tenon::parallelize {

/// A stage's operand that reads a result of another stage.
struct Reader {
  pipe::StageOp stage;
  unsigned operand = 0;
};

/// In the order of the stages and their operands.
llvm::SmallVector<Reader> getReaders(mlir::Value result);

/// The numbers of samples that the ranks of a stage may have of a micro-batch;
/// 1 in a program without a mini-batch.
std::vector<int64_t> getShareSizes(pipe::StageOp stage);

/// Where the samples are in the values of a program and its stages.
struct ProgramSamples {
  graph::BatchAxes axes;
  /// The symbol of the number of samples; empty: values have no samples.
  std::string symbol;
};

/// Fails, with a diagnostic, if an op couples samples. Without a mini-batch, no
/// value has samples.
mlir::FailureOr<ProgramSamples> findProgramSamples(pipe::ProgramOp program);

/// The number of the output of a program that has a name, or that a text
/// numbers; nothing if there is none.
std::optional<unsigned> findOutput(pipe::ProgramOp program,
                                   llvm::StringRef nameOrNumber);

/// A `pipe.program` with the steps of its ranks. Without a mini-batch, stages
/// run once, on one rank each, and all values are passed on as a whole.
struct PlannedStages {
  mutable pipe::ProgramOp program;
  PipelineModel model;
  RankPrograms programs;
  /// The operand at which each link ends.
  llvm::SmallVector<mlir::OpOperand *> links;
  /// Of the values of the program and its stages.
  graph::BatchAxes samples;
  /// The symbol of the number of samples; empty: values have no samples.
  std::string symbol;
  /// For each stage: the numbers of samples that a rank may have of a
  /// micro-batch (getShareSizes), and whether backward tasks for inputs and
  /// weights are two.
  std::vector<std::vector<int64_t>> shareSizes;
  /// The stages that have a parameter of a name, if there are several.
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<unsigned>> shared;
  std::vector<bool> splitsBackward;

  bool isShared(llvm::StringRef parameter) const {
    return shared.contains(parameter);
  }
  /// All ranks of some stages, in order.
  llvm::SmallVector<int64_t> getRanks(llvm::ArrayRef<unsigned> stages) const;
  bool isTraining() const { return model.isTraining; }
  /// Samples of an iteration; without a mini-batch, 1.
  int64_t getMiniBatch() const { return model.pipeline.miniBatch; }
  /// The name of the function of a task: of the first size, STAGE.KIND, of
  /// others, STAGE.KIND.SAMPLES.
  std::string getTaskName(unsigned stage, llvm::StringRef kind,
                          int64_t samples) const;
  /// The type of a value for a number of samples.
  mlir::RankedTensorType bind(mlir::Type type, int64_t samples) const;
  /// The number of a stage.
  unsigned getNumber(mlir::Operation *stage) const;
  /// The link that ends at an operand; -1: none, because a stage of the same
  /// rank gives it, or the caller.
  int64_t findLink(mlir::OpOperand &operand) const;
};

/// Orders the steps of the ranks as the simulation of the schedules begins
/// them. Fails, with a diagnostic, if the schedules can't be run to their end,
/// if an op couples samples, or, without a mini-batch, if a size is no number.
mlir::FailureOr<PlannedStages> readPlannedStages(pipe::ProgramOp program);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_PLANNEDSTAGES_H
