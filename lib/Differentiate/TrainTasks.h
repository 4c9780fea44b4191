//===- TrainTasks.h - training of a stage, task by task -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline trains a stage by forward tasks and backward tasks, each for a
// part of the mini-batch, and one update at the end. Zero-bubble schedules have
// two backward tasks, of which only the first gives what other stages wait for
// (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, section 2).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_TRAINTASKS_H
#define TENON_LIB_DIFFERENTIATE_TRAINTASKS_H

#include "TrainStep.h"

namespace tenon::differentiate {

/// Replaces `joint`, a stage whose last result is its loss if
/// `options.judged`, by the functions of its tasks (--graph-train with
/// `tasks`). Trained parameters and the statistics of batch norms are reads of
/// states. Fails, with a diagnostic, where addTrainStep does, at a dropout, and
/// if numbers of results or arguments are wrong.
mlir::LogicalResult
addTrainTasks(mlir::func::FuncOp joint, const Trained &trained,
              const GraphTrainOptions &options,
              llvm::function_ref<bool(llvm::StringRef)> hasDecay);

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_TRAINTASKS_H
