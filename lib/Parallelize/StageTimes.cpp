//===- StageTimes.cpp - seconds of a planned stage ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageTimes.h"

#include <algorithm>

using namespace tenon::parallelize;

static int64_t sum(const OperatorGraph &graph, const PlannedStage &planned,
                   int64_t Operator::*bytes) {
  int64_t total = 0;
  for (unsigned op : planned.operators)
    total += graph[op].*bytes;
  return total;
}

Stage tenon::parallelize::getStageTimes(const OperatorGraph &graph,
                                        const Cluster &cluster,
                                        const TrainingOptions &options,
                                        const PlannedStage &planned) {
  double samples = static_cast<double>(planned.microBatch) /
                   static_cast<double>(planned.devices.size());
  Stage stage;
  stage.microBatch = planned.microBatch;
  for (unsigned op : planned.operators) {
    stage.forward += graph[op].forward.getSeconds(samples);
    stage.backwardInput += graph[op].backwardInput.getSeconds(samples);
    stage.backwardWeight += graph[op].backwardWeight.getSeconds(samples);
  }
  if (options.forwardOnly) {
    stage.backwardInput = stage.backwardWeight = 0;
  } else if (planned.recompute) {
    stage.backwardInput += stage.forward;
  } else if (planned.offload) {
    double copy =
        samples *
        static_cast<double>(sum(graph, planned, &Operator::savedBytes)) /
        cluster.hostBytesPerSecond;
    stage.forward = std::max(stage.forward, copy);
    stage.backwardInput =
        std::max(stage.backwardInput, copy - stage.backwardWeight);
  }
  return stage;
}

int64_t tenon::parallelize::getStageBytes(const OperatorGraph &graph,
                                          const TrainingOptions &options,
                                          const PlannedStage &planned,
                                          int64_t inFlight,
                                          int64_t inputBytes) {
  return getStageBytes(
      options, planned, sum(graph, planned, &Operator::weightBytes),
      sum(graph, planned, &Operator::savedBytes), inFlight, inputBytes);
}

int64_t tenon::parallelize::getStageBytes(const TrainingOptions &options,
                                          const PlannedStage &planned,
                                          int64_t weightBytes,
                                          int64_t savedBytes, int64_t inFlight,
                                          int64_t inputBytes) {
  double saved = options.forwardOnly ? 0 : static_cast<double>(savedBytes);
  double inputs = static_cast<double>(inputBytes);
  double flying = static_cast<double>(inFlight);
  double micro = static_cast<double>(planned.microBatch);
  // What is read of other stages is kept where it came in.
  double kept = flying * (inputs + saved);
  // What one task works on, and what is copied meanwhile.
  if (planned.offload)
    kept = (inputs + saved) * std::min(flying, 2 * micro);
  if (planned.recompute)
    kept = flying * inputs + micro * saved;
  double states = options.forwardOnly ? 0 : options.stateFactor;
  return static_cast<int64_t>(static_cast<double>(weightBytes) * (1 + states) +
                              kept /
                                  static_cast<double>(planned.devices.size()));
}
