//===- StageTasks.h - functions of the tasks of stages ----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Task KIND of stage S is the function S.KIND, of the most samples that a rank
// has of a micro-batch, and S.KIND.N of N samples, where some have fewer:
//
//   predict                          the stage
//   evaluate                         the stage, and the loss
//   forward                          of training
//   backward                         of training, for inputs and weights, or
//   backward_input, backward_weight  in two tasks
//   norm                             with clipping, the squares of gradients
//   update                           the optimizer's step
//
// of the parameters that no other stage has; norm.PARAMETER and
// update.PARAMETER are of the others, and `advance` counts the optimizer's
// steps. Those with nothing to do are not there. What their arguments and
// results are is described by --graph-train with `tasks`; names connect them
// while programs of ranks are written, and mean nothing in these.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_STAGETASKS_H
#define TENON_LIB_PARALLELIZE_STAGETASKS_H

#include "PlannedStages.h"
#include "tenon/Differentiate/Passes.h"

namespace tenon::parallelize {

/// How the loss of a pipeline in training is computed.
struct StageLoss {
  /// The result of a stage that the loss judges.
  mlir::OpResult judged;
  /// How the losses of parts of the samples make that of all of them.
  graph::Pooling pooling = graph::Pooling::Mean;
  /// The type of the target for the mini-batch, and where its samples are; null
  /// if the result is the loss.
  mlir::RankedTensorType target;
  graph::SampleAxis samples;
  /// The type of the loss.
  mlir::RankedTensorType loss;
};

/// Adds the functions and states to `module`. `training`: null for inference.
/// Fails, with a diagnostic, if the options do not suit a pipeline, if the
/// result can't be judged, or as --graph-train does.
mlir::FailureOr<StageLoss>
addStageTasks(const PlannedStages &plan,
              const differentiate::GraphTrainOptions *training,
              mlir::ModuleOp module);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_STAGETASKS_H
