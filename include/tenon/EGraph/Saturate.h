//===- Saturate.h - application of rules to an e-graph --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EGRAPH_SATURATE_H
#define TENON_EGRAPH_SATURATE_H

#include "tenon/EGraph/EGraph.h"

#include <functional>

namespace tenon::egraph {

/// Budgets are counts rather than times, so that results are reproducible.
struct SaturateOptions {
  unsigned iterations = 10;
  /// The number of e-nodes in addition to those of the model after which no
  /// more rules are applied.
  unsigned newNodes = 10000;
  /// The number of matches of one rule that an iteration may apply, depending
  /// on whether the rule reduces, keeps or increases the work of ops. Rules of
  /// the last kind wait until no other rule applies. A rule that reaches its
  /// limit pauses, for longer each time (like the back-off of egg, POPL 2021).
  unsigned reducing = 400, neutral = 100, growing = 40;
  /// The floating-point class of rules that may fire (rule::FloatClass).
  unsigned floatClass = 0;
  /// For proofs of equality: rules that increase the work fire from the first
  /// iteration on, since others may need them, and two ops of a source may
  /// match one e-node.
  bool provesEquality = false;
  /// Whether the pattern of this number may fire. Null: all may.
  std::function<bool(unsigned)> mayFire;
  /// Asked after each iteration: true ends the saturation. Null: never.
  std::function<bool()> isDone;
};

struct RuleCount {
  unsigned fired = 0;
  /// Matches whose conditions were not known to hold, or whose target is not
  /// valid for their sizes.
  unsigned refused = 0;
  /// A lower bound for the number of matches that were skipped because of a
  /// limit.
  unsigned leftOut = 0;
};

struct Saturation {
  unsigned iterations = 0;
  /// One of "saturated", "iterations", "nodes", "done".
  std::string stopped;
  /// For each pattern.
  std::vector<RuleCount> rules;
};

/// Applies the rules until nothing changes or a budget is exhausted.
///
/// Rules with several results that join siblings (TASO's merges) would add a
/// node for every subset of the siblings. Here, each rule joins a sibling only
/// once, with the sibling whose readers are most similar, and the joined
/// results are siblings in the next round. This skips subsets, which the counts
/// do not include.
Saturation saturate(EGraph &graph, llvm::ArrayRef<rule::RulePattern> patterns,
                    const SaturateOptions &options);

} // namespace tenon::egraph

#endif // TENON_EGRAPH_SATURATE_H
