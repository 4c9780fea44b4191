//===- RecomputePlan.h - what to compute twice to save memory -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forward pass of a training step keeps values for the backward pass. A
// segment of it may instead keep what it starts from and what leaves it, and be
// computed again when the backward pass arrives there (Chen et al., Training
// Deep Nets with Sublinear Memory Cost, 2016). The choice of segments is made
// exactly, by dynamic programming over the places where a segment may begin.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIFFERENTIATE_RECOMPUTEPLAN_H
#define TENON_DIFFERENTIATE_RECOMPUTEPLAN_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tenon::differentiate {

/// A part of the forward pass that is not divided, in order of execution.
struct ForwardStep {
  /// The time of one execution, in any unit.
  double work = 0;
  /// Bytes of its values that the backward pass reads.
  int64_t saved = 0;
  /// Bytes of earlier values that this step or a later one reads.
  int64_t boundary = 0;
  /// Bytes that are in `boundary` and in `saved` of the step before.
  int64_t shared = 0;
};

/// Steps [begin, end). Without `again`, they keep what the backward pass reads.
/// With it, they keep `boundary` of the steps `begin` and `end`, and are
/// computed again up to the last value that the backward pass reads.
struct ForwardSegment {
  unsigned begin = 0, end = 0;
  bool again = false;
};

struct RecomputePlan {
  /// In order; together all steps.
  std::vector<ForwardSegment> segments;
  /// The most that is kept at once: at the end of the forward pass, or with the
  /// values of a segment while its backward pass runs, when those of later
  /// segments are gone.
  int64_t bytes = 0;
  /// The time that is added.
  double work = 0;
  /// Whether no plan within the limit adds less work. Otherwise some plans were
  /// left out, because there were too many.
  bool isExact = true;
};

/// Returns the plan that adds the least work and keeps at most `limit` bytes;
/// nothing if there is none. What a step at the border of two segments
/// that are kept differently shares with its neighbour is counted once;
/// a value that crosses several segments is counted in each that begins with
/// it, so that for other graphs than chains `bytes` is an upper bound.
std::optional<RecomputePlan> planRecompute(llvm::ArrayRef<ForwardStep> steps,
                                           int64_t limit);

/// Returns the least number of bytes for which there is a plan.
int64_t findLeastBytes(llvm::ArrayRef<ForwardStep> steps);

} // namespace tenon::differentiate

#endif // TENON_DIFFERENTIATE_RECOMPUTEPLAN_H
