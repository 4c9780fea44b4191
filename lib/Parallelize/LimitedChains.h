//===- LimitedChains.h - chains of stages that need few bytes ---*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_LIMITEDCHAINS_H
#define TENON_LIB_PARALLELIZE_LIMITEDCHAINS_H

#include "Draft.h"
#include "tenon/Parallelize/Planner.h"

#include <map>

namespace tenon::parallelize {

/// Cuts the operators, in their order, into stages of one device each with the
/// least micro-batch, so that each stage fits into a limit and the slowest one
/// is as fast as possible. A stage with more stages after it has more
/// micro-batches in flight, which cuts by equal bytes do not know: so these are
/// where the search begins if memory is scarce.
///
/// Dynamic programming over the first operator of a stage and the stages from
/// there, as in PipeDream (Narayanan et al., SOSP 2019, section 3.1), for one
/// limit and all numbers of devices at once.
class LimitedChains {
public:
  LimitedChains(const OperatorGraph &graph, unsigned numDevices,
                const PlannerOptions &options, OperatorSets &sets);

  /// A chain of at most `count` stages; nothing if none fits.
  std::optional<Draft> get(unsigned count, int64_t limit);

private:
  struct Entry {
    double seconds;
    unsigned end = 0;
    bool recompute = false;
  };
  /// [operator * (mostStages + 1) + stages]
  using Table = std::vector<Entry>;

  Table build(int64_t limit) const;

  const OperatorGraph &graph;
  const PlannerOptions options;
  OperatorSets &sets;
  size_t mostStages = 0;
  int64_t microBatch = 1;
  std::map<int64_t, Table> tables;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_LIMITEDCHAINS_H
