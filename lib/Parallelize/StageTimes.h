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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <unordered_map>

namespace tenon::parallelize {

/// Bytes of operators that are together in a stage (Operator).
struct OperatorBytes {
  /// `allWeights`: those that several operators have for each of them.
  int64_t weights = 0, allWeights = 0, largestWeight = 0, saved = 0;
  BytesBySamples packed = {};
  int64_t forwardWork = 0, backwardWork = 0, gradient = 0;
  /// Parameters of several operators, each of which `weights` has once.
  llvm::SmallVector<unsigned, 0> shared;

  void add(const Operator &other);
};

/// Operators that are together in a stage, and numbers of them.
struct OperatorSet {
  /// In ascending order.
  std::vector<unsigned> operators;
  OperatorBytes bytes;
  /// Of all operators (Operator::updateSeconds).
  double updateSeconds = 0;
  /// Seconds of a device of the profile, by its samples.
  mutable llvm::DenseMap<int64_t, TaskSeconds> seconds;
};

/// The nodes of some devices, and the least of each of their numbers.
struct Place {
  unsigned firstNode = ~0u, lastNode = 0;
  Cluster::Device least;
};

Place getPlace(const Cluster &cluster, llvm::ArrayRef<unsigned> devices);

/// How a stage runs, as in PlannedStage.
struct StageMode {
  int64_t microBatch = 1, k = 1;
  bool recompute = false, offload = false, eager = false, splitBackward = false,
       isAfterPrevious = false;
};

/// A stage as far as its costs go.
struct StageView : StageMode {
  const OperatorSet *set = nullptr;
  size_t numDevices = 1;
  Place place;
  /// Stages of equal lanes have the same devices.
  unsigned lane = 0;
};

/// The sets of operators that plans were made of: most plans of a search have
/// most of their stages in common.
class OperatorSets {
public:
  OperatorSets(const OperatorGraph &graph) : graph(graph) {}

  /// The same object for the same operators, for as long as this lives.
  const OperatorSet *get(std::vector<unsigned> operators);

private:
  struct Hash {
    size_t operator()(const std::vector<unsigned> &operators) const {
      return llvm::hash_combine_range(operators.begin(), operators.end());
    }
  };

  const OperatorGraph &graph;
  std::unordered_map<std::vector<unsigned>, std::unique_ptr<OperatorSet>, Hash>
      sets;
};

/// Numbers of one iteration that a stage has whatever the others are.
Stage getStageTimes(const OperatorGraph &graph, const Cluster &cluster,
                    const TrainingOptions &options, const StageView &view);

/// The bytes that each device of a stage holds at any time: inputs and outputs,
/// parameters and copies of them, gradients and states, their sums over
/// devices, and what a task works on.
int64_t getLastingBytes(const TrainingOptions &options, const StageView &view);

/// The bytes that each device of a stage holds while `inFlight` of its samples
/// are in flight. `inputBytes`: what it reads of other stages, for a sample.
int64_t getStageBytes(const TrainingOptions &options, const StageView &view,
                      int64_t inFlight, int64_t inputBytes);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_STAGETIMES_H
