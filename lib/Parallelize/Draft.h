//===- Draft.h - plans without devices --------------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_DRAFT_H
#define TENON_LIB_PARALLELIZE_DRAFT_H

#include "tenon/Parallelize/Planner.h"

#include <optional>

namespace tenon::parallelize {

struct DraftStage {
  /// In ascending order.
  std::vector<unsigned> operators;
  unsigned numDevices = 1;
  int64_t microBatch = 1, k = 1;
  bool recompute = false, offload = false, eager = false;
};

/// In ascending order of their operators.
using Draft = std::vector<DraftStage>;

void sortStages(Draft &draft);

/// Without its devices.
PlannedStage makePlannedStage(const DraftStage &stage);

/// Gives devices to the stages in their order, so that neighbours are likely to
/// be in one node. A stage that fits into a node is in one, if there is one.
/// Returns nothing if there are too few devices.
std::optional<Plan> assignDevices(const Draft &draft, const Cluster &cluster);

/// Different drafts have different texts.
std::string getKey(const Draft &draft);

/// The tasks that were simulated.
int64_t getNumTasks(const Evaluation &evaluation);

/// Whether the options allow a stage.
bool isAllowed(const DraftStage &stage, const PlannerOptions &options);

/// Returns drafts with at most so many devices that differ from this one by a
/// change of one stage or of two that are linked, or by the same change of all
/// stages or of those that are alike.
std::vector<Draft> getNeighbours(const OperatorGraph &graph, const Draft &draft,
                                 unsigned mostDevices,
                                 const PlannerOptions &options);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_DRAFT_H
