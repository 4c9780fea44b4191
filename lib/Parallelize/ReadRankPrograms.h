//===- ReadRankPrograms.h - programs of ranks from IR -----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_READRANKPROGRAMS_H
#define TENON_LIB_PARALLELIZE_READRANKPROGRAMS_H

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Parallelize/PipeProgram.h"

namespace tenon::parallelize {

/// Where the steps of a rank are in the IR.
struct RankOps {
  program::TargetOp target;
  program::EntryOp entry;
  /// The ops of the run.
  std::vector<mlir::Operation *> ops;
  /// For each step, the number of its first op. The n-th transfer of a group is
  /// the n-th op from there.
  std::vector<int64_t> places;
};

struct ReadPrograms {
  RankPrograms programs;
  /// By rank.
  std::vector<RankOps> ops;
};

/// Reads the programs of ranks that a module has. Fails with an error at what
/// is no step of a pipeline, or has another type than its channel.
mlir::FailureOr<ReadPrograms> readRankPrograms(pipe::ProgramOp program,
                                               const PipelineModel &model);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_READRANKPROGRAMS_H
