//===- SingleRun.h - a program without a mini-batch as a pipeline ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_SINGLERUN_H
#define TENON_LIB_PARALLELIZE_SINGLERUN_H

#include "tenon/Parallelize/PipeProgram.h"

namespace tenon::parallelize {

/// A pipeline of one sample, whose tensors are passed on as a whole: each stage
/// runs once, forward, in the order of the program.
struct SingleRun {
  PipelineModel model;
  RankPrograms programs;
  /// The operand at which each link ends.
  llvm::SmallVector<mlir::OpOperand *> links;
};

/// Makes the programs of the ranks, and checks them. Fails with an error if a
/// size is not a number, if several ranks share a stage, or if a rank has none.
mlir::FailureOr<SingleRun> readSingleRun(pipe::ProgramOp program);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_SINGLERUN_H
