//===- RankBuffers.h - what a rank has in memory, and when ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which buffers the program of a rank needs, and from which step to which. What
// emits programs and what checks them both ask here, the latter for the buffers
// that a program must have at least.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_RANKBUFFERS_H
#define TENON_LIB_PARALLELIZE_RANKBUFFERS_H

#include "tenon/Parallelize/PipeProgram.h"

#include <map>

namespace tenon::parallelize {

/// From one op of a run to another.
struct Life {
  int64_t first = 0, last = 0;
};

/// When a rank runs the tasks of one micro-batch of a stage: the numbers of
/// ops, or -1 if there is no such task.
struct TaskPlaces {
  /// The task that gives gradients of the inputs is `gradient`.
  int64_t forward = -1, gradient = -1, firstBackward = -1, last = -1;
};

/// Bytes that a stage keeps for its backward tasks.
struct SavedBuffer {
  int64_t bytes = 0;
  Life life;
};

/// The lives of what a rank computes, sends and receives.
class RankLives {
public:
  /// `places`: for each step, the number of its first op among those of the
  /// run. Tasks are of the pipeline.
  RankLives(const PipelineModel &model, const std::vector<Step> &steps,
            llvm::ArrayRef<int64_t> places);

  /// The life of what a transfer of the rank sends or receives: from the task
  /// that computes it, or to the last task that reads it. `place` and `wait`:
  /// of the ops that begin and end the transfer.
  Life get(const Transfer &transfer, int64_t place, int64_t wait) const;

  /// What forward tasks leave for backward tasks, or these compute again.
  std::vector<SavedBuffer> getSaved() const;

private:
  const PipelineModel &model;
  /// By stage and micro-batch.
  std::map<std::pair<unsigned, int64_t>, TaskPlaces> tasks;
};

/// The tensors that belong to the parameters of a stage.
struct StageWeights {
  /// One op for each name.
  llvm::SmallVector<graph::ParameterOp> parameters;
  /// In training: the gradients of all of them, in one buffer, which a stage
  /// without parameters has, too, so that all are treated alike.
  mlir::RankedTensorType gradients;
  /// In training: the optimizer's states; null if it has none.
  mlir::RankedTensorType states;
};

StageWeights getStageWeights(pipe::StageOp stage);

/// The names of the states that hold them.
std::string getGradientsName(pipe::StageOp stage);
std::string getStatesName(pipe::StageOp stage);

/// The number of the ops that a step is written as.
int64_t getNumOps(const Step &step);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_RANKBUFFERS_H
