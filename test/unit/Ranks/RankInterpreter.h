//===- RankInterpreter.h - runs programs of ranks ---------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a `program.ranks` by what include/tenon/Dialect/Program/IR/RankOps.td
// says of its ops. It shares no code with lib/Parallelize, which shows that
// such programs are right, nor with lib/Runtime, which runs them.
//
// A seed decides which rank does the next step, and when a message reads and
// writes its buffers. What the ops rule out is an error, even if the numbers
// happen to be right: a read of what was not written, an access to what a
// message or a sum uses, or a lasting state that changes before the barrier.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RANKS_RANKINTERPRETER_H
#define TENON_TEST_UNIT_RANKS_RANKINTERPRETER_H

#include "RankChannels.h"
#include "TaskFunctions.h"

namespace tenon::ranks {

struct RankRun {
  /// Why the program is wrong; empty if it has ended.
  std::string error;
  std::vector<Tensor> outputs;
  std::vector<States> states; // by rank
};

/// Runs the program on its inputs, in their order. Each rank begins with a copy
/// of `states`.
RankRun runRanks(program::RanksOp ranks, llvm::ArrayRef<Tensor> inputs,
                 const States &states, Channels channels, uint64_t seed,
                 TaskFunctions &functions);

} // namespace tenon::ranks

#endif // TENON_TEST_UNIT_RANKS_RANKINTERPRETER_H
