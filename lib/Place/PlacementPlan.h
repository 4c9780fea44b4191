//===- PlacementPlan.h - selection of candidates --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_PLACEMENTPLAN_H
#define TENON_LIB_PLACE_PLACEMENTPLAN_H

#include "Candidates.h"

namespace tenon::place {

struct PlacementPlan {
  /// Positions in the set's candidates, ascending. Together they cover every op
  /// once.
  std::vector<unsigned> options;
  /// The predicted cost in seconds.
  double cost = 0;
  bool isOptimal = true;
};

/// Chooses a plan. `kind` is
/// - "mixed": the cheapest plan;
/// - "all:B": the cheapest of the plans in which backend B runs as many roots
///   as it can;
/// - "unmeasured": a plan with as many subgraphs as possible whose cost is not
///   in the database, to be measured. Subgraphs that are predicted to be
///   several times costlier than others for the same ops do not count.
///
/// Fails if no plan covers all ops.
mlir::FailureOr<PlacementPlan> choosePlan(CandidateSet &candidates,
                                          llvm::StringRef kind);

/// Returns a hash of the kernels of a plan, independent of the model: plans
/// with the same kernels, in any order, have the same hash.
std::string hashKernels(const CandidateSet &candidates,
                        const PlacementPlan &plan, const cost::Sizes &sizes);

/// Moves every chosen subgraph into a kernel.call, with the attributes that
/// `explainPlan` attached.
void outlinePlan(const CandidateSet &candidates, const PlacementPlan &plan);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_PLACEMENTPLAN_H
