//===- RankChannels.h - which steps of ranks meet ---------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tags: messages of two ranks meet by their tags, and begin when their steps
// are reached. Ordered: they meet by the order of their groups, and a group
// begins when all of its steps are reached and the group before it has ended,
// as in NCCL.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RANKS_RANKCHANNELS_H
#define TENON_TEST_UNIT_RANKS_RANKCHANNELS_H

#include "tenon/Dialect/Program/IR/Program.h"

#include <string>
#include <vector>

namespace tenon::ranks {

enum class Channels { Tags, Ordered };

/// Whether the step begins a message or a sum.
bool isTransfer(mlir::Operation *step);
/// The rank of a step.
unsigned getRank(mlir::Operation *step);

/// What is fixed before a run.
class RankChannels {
public:
  RankChannels(program::RanksOp ranks, Channels channels);

  /// What is wrong under any timing; empty: nothing.
  const std::string &getError() const { return error; }

  /// The steps of other ranks that a message or a sum meets. Has a null for
  /// each that does not exist.
  llvm::ArrayRef<mlir::Operation *> getPartners(mlir::Operation *step) const;

  /// Ordered only: the groups of a rank, in order.
  struct Group {
    int64_t number;
    /// The group begins once so many steps of the rank were reached.
    size_t numSteps = 0;
    llvm::SmallVector<mlir::Operation *> members;
  };
  llvm::ArrayRef<Group> getGroups(unsigned rank) const { return groups[rank]; }

private:
  using Steps = std::vector<mlir::Operation *>;
  void collect(program::RanksOp ranks);
  void match();
  void meet(mlir::Operation *one, mlir::Operation *other);
  void checkGroups();

  Channels channels;
  std::string error;
  /// By rank, in the order in which they begin.
  std::vector<Steps> transfers;
  std::vector<std::vector<Group>> groups;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      partners;
};

} // namespace tenon::ranks

#endif // TENON_TEST_UNIT_RANKS_RANKCHANNELS_H
