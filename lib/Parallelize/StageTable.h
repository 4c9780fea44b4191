//===- StageTable.h - the best cuts of series-parallel graphs ---*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_STAGETABLE_H
#define TENON_LIB_PARALLELIZE_STAGETABLE_H

#include "tenon/Parallelize/SeriesParallel.h"

#include <map>
#include <memory>

namespace tenon::parallelize {

/// A stage of a plan without its devices: their number.
struct StageCut {
  std::vector<unsigned> operators;
  unsigned numDevices = 1;
};

/// For all numbers of devices and depths of a pipeline, the cut of a graph
/// whose slowest stage takes the least time for a sample, for one micro-batch
/// size. Devices of a stage are a power of two, and at most one for each sample
/// of the micro-batch. Links are taken to need no time.
class StageTable {
public:
  /// Devices are given out in units of `unit`, of which there are `numUnits`.
  StageTable(const OperatorGraph &graph, const SeriesParallel &root,
             int64_t microBatch, unsigned numUnits, unsigned unit,
             unsigned maxDepth);
  ~StageTable();

  /// The seconds for a sample of the slowest stage, with at most so many units
  /// and at most `depth` stages in a row; infinite if there is no cut.
  double getSeconds(unsigned numUnits, unsigned depth) const;
  std::vector<StageCut> getCut(unsigned numUnits, unsigned depth) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_STAGETABLE_H
