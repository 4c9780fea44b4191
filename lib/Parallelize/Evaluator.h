//===- Evaluator.h - plans of one graph and what they cost ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_EVALUATOR_H
#define TENON_LIB_PARALLELIZE_EVALUATOR_H

#include "PipelineState.h"
#include "StageTimes.h"

namespace tenon::parallelize {

/// Evaluates plans, and keeps what they have in common.
class Evaluator {
public:
  /// The numbers of a plan that a search compares.
  struct Rating {
    double seconds = 0;
    /// Bytes of each stage; where devices have less memory than the first one,
    /// as much more of these, and where they have more, less. They are upper
    /// bounds if they are not above `mostLimit`.
    std::vector<int64_t> stageBytes;
    int64_t mostBytes = 0, mostLimit = 0;
    /// The tasks that were simulated.
    int64_t numTasks = 0;

    /// The bytes that stages need more than a limit.
    int64_t getOverflow(int64_t limit) const;
  };

  Evaluator(const OperatorGraph &graph, const Cluster &cluster,
            const TrainingOptions &options, OperatorSets &sets)
      : graph(graph), cluster(cluster), options(options), sets(sets) {}

  /// As the function (Plan.h).
  std::optional<Evaluation> evaluate(Plan plan, std::string &reason);

  /// Rates a plan that is valid but for cycles; nothing if it has one. An
  /// iteration of many periods of its schedule is not simulated as a whole:
  /// behind the warm-up, each is taken to add as much time, as it does once
  /// times are periodic (max-plus linear systems: Baccelli et al.,
  /// Synchronization and Linearity, 1992, theorem 3.23). Bytes that a bound
  /// shows not to be above `limit` are not counted.
  std::optional<Rating> rate(const std::vector<StageView> &views,
                             int64_t limit);
  /// Likewise, but simulates the whole iteration.
  std::optional<Rating> rateWhole(const std::vector<StageView> &views,
                                  int64_t limit) {
    return simulate(views, options.miniBatch, limit);
  }
  /// Whether a rated plan fits into the cluster, whose bytes are counted over
  /// the whole iteration if a bound does not show it: where messages pile up
  /// slowly, the end of a long one needs more than the periods that were rated.
  bool isFitting(const std::vector<StageView> &views, const Rating &rating);

  /// The bytes of a rating that fit into the cluster: the memory of the first
  /// device, which does not depend on how many others there are.
  int64_t getLimit() const { return cluster.getDevice(0).memoryBytes; }

  std::vector<StageView> getViews(const Plan &plan);

  /// Seconds that no plan of these stages is below: those of its lanes.
  double getBound(const std::vector<StageView> &views) const;

private:
  /// Periods that are simulated beside two for each stage, and how much longer
  /// than the longest group of micro-batches of a stage a period may be.
  static constexpr int64_t kWarmUp = 8, kMostPeriod = 32;
  /// The most tasks of an iteration that is counted as a whole.
  static constexpr int64_t kCountedTasks = 1 << 16;

  std::optional<Rating> simulate(const std::vector<StageView> &views,
                                 int64_t miniBatch,
                                 std::optional<int64_t> limit);

  const OperatorGraph &graph;
  const Cluster &cluster;
  const TrainingOptions options;
  OperatorSets &sets;
};

/// Returns false, with a reason, if a plan is not valid but for cycles
/// (evaluate).
bool isValid(const OperatorGraph &graph, const Cluster &cluster,
             const TrainingOptions &options, const Plan &plan,
             std::string &reason);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_EVALUATOR_H
