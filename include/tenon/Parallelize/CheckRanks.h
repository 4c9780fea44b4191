//===- CheckRanks.h - proofs about programs of ranks ------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proofs hold for any timing of the ranks, on channels that match
// messages by their tags, and on those that match them by their order and start
// groups one after the other, as NCCL does.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_CHECKRANKS_H
#define TENON_PARALLELIZE_CHECKRANKS_H

#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Dialect/Program/IR/Program.h"

namespace tenon::parallelize {

/// Shows that every message has another end of the same type, that sums are the
/// same on all their ranks, and that the programs end, if a message ends only
/// once both its ends have begun. Fails with an error at a step; that of a
/// cycle has a note for each step that waits.
mlir::LogicalResult checkRendezvous(program::RanksOp ranks);

/// Checks, of programs without a model to compare with, that what a rank reads
/// was written, that no step uses a buffer that a message or a sum writes, and
/// that outputs are written, by one rank each part. Fails with a diagnostic.
mlir::LogicalResult checkBuffers(program::RanksOp ranks);

/// Shows that the tasks and the `program.ranks` beside a program compute what
/// the model does: that each output is there, and in training, that each rank
/// changes its states as --graph-train of the whole model does for the whole
/// mini-batch; and that buffers are not read before they are written, nor
/// written while messages use them. Fails with an error at the step.
mlir::LogicalResult checkComputation(pipe::ProgramOp program);

/// Both, and that each rank's parameters, states and arena fit into the memory
/// of its device, as far as the program states it.
mlir::LogicalResult checkRanks(pipe::ProgramOp program);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_CHECKRANKS_H
