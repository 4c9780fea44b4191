//===- StageTimes.h - seconds and bytes of a planned stage ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_STAGETIMES_H
#define TENON_LIB_PARALLELIZE_STAGETIMES_H

#include "tenon/Parallelize/Plan.h"

namespace tenon::parallelize {

/// Numbers of one iteration that a planned stage has whatever the others are.
/// The lane is left to the caller.
Stage getStageTimes(const OperatorGraph &graph, const Cluster &cluster,
                    const TrainingOptions &options,
                    const PlannedStage &planned);

/// Bytes of operators that are together in a stage (Operator).
struct OperatorBytes {
  int64_t weights = 0, largestWeight = 0, saved = 0;
  BytesBySamples packed = {};
  int64_t forwardWork = 0, backwardWork = 0, gradient = 0;
  /// Parameters of several operators, each of which `weights` has once.
  llvm::SmallVector<unsigned, 0> shared;

  OperatorBytes() = default;
  OperatorBytes(const OperatorGraph &graph, llvm::ArrayRef<unsigned> operators);
  void add(const Operator &other);
};

/// The bytes that each device of a stage holds at any time: inputs and outputs,
/// parameters and copies of them, gradients and states, their sums over
/// devices, and what a task works on.
int64_t getLastingBytes(const TrainingOptions &options,
                        const PlannedStage &planned,
                        const OperatorBytes &bytes);

/// The bytes that each device of a stage holds while `inFlight` of its samples
/// are in flight. `inputBytes`: what it reads of other stages, for a sample.
int64_t getStageBytes(const TrainingOptions &options,
                      const PlannedStage &planned, const OperatorBytes &bytes,
                      int64_t inFlight, int64_t inputBytes);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_STAGETIMES_H
