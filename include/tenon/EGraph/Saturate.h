//===- Saturate.h - applies rules to an e-graph ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EGRAPH_SATURATE_H
#define TENON_EGRAPH_SATURATE_H

#include "tenon/EGraph/EGraph.h"

namespace tenon::egraph {

/// Budgets are counts, so that results are the same everywhere.
struct SaturateOptions {
  unsigned iterations = 10;
  /// E-nodes beyond those of the model: no rule is applied once there are more.
  unsigned newNodes = 10000;
  /// Matches of one rule that an iteration may apply, by what the rule does to
  /// the work of ops: less, as much, more; the last wait until nothing else
  /// applies. A rule that reaches its limit pauses, for longer each time (as
  /// the back-off of egg, POPL 2021).
  unsigned reducing = 400, neutral = 100, growing = 40;
  /// Which rules may fire (rule::FloatClass).
  unsigned floatClass = 0;
};

struct RuleCount {
  unsigned fired = 0;
  /// Matches whose conditions were not known to hold, or whose target is not
  /// valid there.
  unsigned refused = 0;
  /// Matches that a limit left out, at least.
  unsigned leftOut = 0;
};

struct Saturation {
  unsigned iterations = 0;
  /// "saturated", "iterations", "nodes".
  std::string stopped;
  /// By pattern.
  std::vector<RuleCount> rules;
};

/// Applies the rules until nothing changes or a budget is used up.
///
/// Rules with several results that join siblings (TASO's merges) would give a
/// node for every subset of the siblings; here a sibling is joined once per
/// rule, with the one whose readers look most like its own, and the results of
/// joining are siblings of the next round. That leaves subsets out, which the
/// counts do not show.
Saturation saturate(EGraph &graph, llvm::ArrayRef<rule::RulePattern> patterns,
                    const SaturateOptions &options);

} // namespace tenon::egraph

#endif // TENON_EGRAPH_SATURATE_H
