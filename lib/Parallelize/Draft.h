//===- Draft.h - plans without devices --------------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_DRAFT_H
#define TENON_LIB_PARALLELIZE_DRAFT_H

#include "StageTimes.h"
#include "tenon/Parallelize/Planner.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tenon::parallelize {

struct DraftStage : StageMode {
  const OperatorSet *set = nullptr;
  unsigned numDevices = 1;
  /// Stages choose their devices in this order, and among equals in their own.
  unsigned turn = 0;
  /// How many stages each device has, of all stages or of none. If it is more
  /// than 1, stage s of a draft has the devices of stage s mod p, where p is
  /// the number of stages that have devices of their own.
  unsigned perDevice = 1;
};

/// In ascending order of their operators.
using Draft = std::vector<DraftStage>;

void sortStages(Draft &draft);

/// The devices that the draft has, of which stages may have the same.
unsigned countDevices(const Draft &draft);

/// Gives the first `count` devices to the stages, the fastest and largest ones
/// first, so that neighbours are likely to be in one node. A stage that fits
/// into a node is in one, if there is one. Returns nothing if there are too few
/// devices.
std::optional<Plan> assignDevices(const Draft &draft, const Cluster &cluster,
                                  unsigned count);

/// Likewise, but only as far as costs go.
std::optional<std::vector<StageView>>
placeStages(const Draft &draft, const Cluster &cluster, unsigned count);

/// Drafts are taken to be the same if these 64 bits are.
uint64_t getHash(const Draft &draft);

/// Whether the options allow a stage.
bool isAllowed(const DraftStage &stage, const PlannerOptions &options);

/// Visits drafts with at most so many devices that differ from this one by a
/// change of one stage or of two that are linked, or by the same change of all
/// stages or of those that are alike, until `visit` returns false.
void visitNeighbours(const OperatorGraph &graph, OperatorSets &sets,
                     const Draft &draft, unsigned mostDevices,
                     const PlannerOptions &options,
                     llvm::function_ref<bool(Draft)> visit);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_DRAFT_H
