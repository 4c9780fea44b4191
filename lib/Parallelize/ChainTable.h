//===- ChainTable.h - the best cuts into chains of stages -------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_CHAINTABLE_H
#define TENON_LIB_PARALLELIZE_CHAINTABLE_H

#include "tenon/Parallelize/Planner.h"

#include "llvm/ADT/BitVector.h"

namespace tenon::parallelize {

struct ChainOptions {
  int64_t microBatch = 1;
  /// Whether stages may have several devices.
  bool mayReplicate = true;
  /// Whether all orders of the operators are tried, instead of their own.
  bool allOrders = false;
  /// Devices are given out in units.
  unsigned unit = 1;
  /// A bound that the slowest stage must stay below, in seconds for a sample.
  double bound = 0;
};

struct ChainCut {
  /// The seconds for a sample of the slowest stage or link.
  double seconds = 0;
  /// Operators and devices of the stages, in the order of the chain.
  std::vector<std::pair<std::vector<unsigned>, unsigned>> stages;
};

/// Dynamic programming over what may run before a stage (downsets), the
/// devices left, and the stages after it, which say how many micro-batches are
/// in flight. Takes at most `budget` steps from it; returns nothing if these
/// are spent (budget is 0 then), or no cut is below the bound and fits.
std::optional<ChainCut> cutIntoChain(const OperatorGraph &graph,
                                     const Cluster &cluster,
                                     const TrainingOptions &training,
                                     const ChainOptions &options,
                                     uint64_t &budget);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_CHAINTABLE_H
