//===- Pipelines.h - pipelines of tests -------------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_PARALLELIZE_PIPELINES_H
#define TENON_TEST_UNIT_PARALLELIZE_PIPELINES_H

#include "tenon/Parallelize/Pipeline.h"

namespace tenon::parallelize {

/// Adds a stage with a lane of its own: a second per sample forward, and one
/// for each of its gradients.
inline unsigned addStage(Pipeline &pipeline, int64_t microBatch) {
  unsigned number = pipeline.stages.size();
  double seconds = static_cast<double>(microBatch);
  pipeline.stages.push_back({microBatch, seconds, seconds, seconds, number});
  return number;
}

/// Stages in a row, with links that take no time.
inline Pipeline makeChain(const std::vector<int64_t> &microBatches,
                          int64_t miniBatch) {
  Pipeline pipeline;
  pipeline.miniBatch = miniBatch;
  for (int64_t microBatch : microBatches) {
    unsigned stage = addStage(pipeline, microBatch);
    if (stage > 0)
      pipeline.links.push_back({stage - 1, stage});
  }
  return pipeline;
}

} // namespace tenon::parallelize

#endif // TENON_TEST_UNIT_PARALLELIZE_PIPELINES_H
