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
// Deep Nets with Sublinear Memory Cost, 2016). Segments are chosen by dynamic
// programming over the places where a segment may begin. The result is optimal
// for chains, unless partial plans were pruned (RecomputePlan::isExact).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIFFERENTIATE_RECOMPUTEPLAN_H
#define TENON_DIFFERENTIATE_RECOMPUTEPLAN_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tenon::differentiate {

/// An indivisible part of the forward pass. Steps are in execution order.
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
/// computed again up to the last value that the backward pass reads and that is
/// not kept.
struct ForwardSegment {
  unsigned begin = 0, end = 0;
  bool again = false;
};

struct RecomputePlan {
  /// In order; they cover all steps.
  std::vector<ForwardSegment> segments;
  /// The most that is kept at once: at the end of the forward pass, or with the
  /// values of a segment while its backward pass runs, when those of later
  /// segments are gone.
  int64_t bytes = 0;
  /// The time of all recomputation, in the unit of ForwardStep::work.
  double work = 0;
  /// Whether the plan is known to be optimal. False if partial plans were
  /// pruned because there were too many.
  bool isExact = true;
};

/// Returns the plan that adds the least work and keeps at most `limit` bytes;
/// std::nullopt if there is none. A value that crosses the border between a
/// kept and a recomputed segment is counted once. A value that crosses several
/// segments is counted at each border, so that `bytes` is an upper bound for
/// graphs that are not chains.
std::optional<RecomputePlan> planRecompute(llvm::ArrayRef<ForwardStep> steps,
                                           int64_t limit);

/// Returns the least number of bytes for which there is a plan.
int64_t findLeastBytes(llvm::ArrayRef<ForwardStep> steps);

} // namespace tenon::differentiate

#endif // TENON_DIFFERENTIATE_RECOMPUTEPLAN_H
