//===- Plan.h - which candidates become kernels ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_PLAN_H
#define TENON_LIB_PLACE_PLAN_H

#include "Candidates.h"

namespace tenon::place {

struct Plan {
  /// Positions in the set's candidates, ascending; they cover every op once.
  std::vector<unsigned> options;
  /// Seconds, as predicted.
  double cost = 0;
  bool isOptimal = true;
};

/// `kind` is
/// - "mixed": the cheapest plan;
/// - "all:B": of plans in which backend B runs as many roots as it can, the
///   cheapest;
/// - "unmeasured": one with as many pieces as possible whose cost is not in the
///   database, to be measured. Pieces that are predicted to be several times
///   dearer than others for the same ops do not count.
/// Fails where no plan covers all ops.
mlir::FailureOr<Plan> choosePlan(CandidateSet &candidates,
                                 llvm::StringRef kind);

/// A number for the kernels of a plan, of whatever model: plans with the same
/// kernels, in any order, have the same.
std::string hashKernels(const CandidateSet &candidates, const Plan &plan,
                        const cost::Sizes &sizes);

/// Moves every chosen piece into a kernel.call, which takes over what
/// `explainPlan` wrote.
void outlinePlan(const CandidateSet &candidates, const Plan &plan);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_PLAN_H
