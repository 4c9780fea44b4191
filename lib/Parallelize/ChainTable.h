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
  /// Whether chains of fewer devices are cut, too.
  bool fewerDevices = false;
  /// Devices are given out in units.
  unsigned unit = 1;
  /// A bound that the slowest stage must stay below, in seconds for a sample.
  double bound = 0;
};

struct ChainCut {
  /// How many devices there are for it.
  unsigned numDevices = 0;
  /// The seconds for a sample of the slowest stage or link.
  double seconds = 0;
  /// Operators and devices of the stages, in the order of the chain.
  std::vector<std::pair<std::vector<unsigned>, unsigned>> stages;
};

/// Dynamic programming over what may run before a stage (downsets), the
/// devices left, and the stages after it, which say how many micro-batches are
/// in flight. Takes at most `budget` steps from it; if these are spent (budget
/// is 0 then), returns those of fewer devices. Leaves out what is not below the
/// bound, what does not fit, and what is the same as with one device less.
std::vector<ChainCut> cutIntoChains(const OperatorGraph &graph,
                                    const Cluster &cluster,
                                    const TrainingOptions &training,
                                    const ChainOptions &options,
                                    uint64_t &budget);

struct Chains {
  /// The fastest ones by their ratings, of all micro-batch sizes.
  std::vector<Plan> plans;
  /// Why not all were tried.
  std::string missing;
};

/// Cuts chains within `options.downsetBudget` steps for all micro-batch
/// sizes together.
/// The size and the unit of `chain` are chosen here.
Chains planChains(const OperatorGraph &graph, const Cluster &cluster,
                  const PlannerOptions &options, ChainOptions chain);

/// How the planners of Baselines.h cut.
ChainOptions getSequential();
ChainOptions getPipeDream();
ChainOptions getPiper();

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_CHAINTABLE_H
