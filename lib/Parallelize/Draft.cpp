//===- Draft.cpp - plans without devices ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draft.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace tenon::parallelize;

unsigned tenon::parallelize::countDevices(const Draft &draft) {
  unsigned devices = 0;
  for (const DraftStage &stage :
       llvm::ArrayRef(draft).take_front(draft.size() / draft[0].perDevice))
    devices += stage.numDevices;
  return devices;
}

/// The first devices of a cluster, those that are alike one after the other.
static std::vector<unsigned> getFreeDevices(const Cluster &cluster,
                                            unsigned count) {
  std::vector<unsigned> free(std::min(count, cluster.count));
  std::iota(free.begin(), free.end(), 0);
  if (!cluster.devices.empty())
    std::stable_sort(free.begin(), free.end(), [&](unsigned a, unsigned b) {
      Cluster::Device one = cluster.getDevice(a), two = cluster.getDevice(b);
      return std::make_tuple(one.speed, one.memoryBytes, one.linkSpeed) >
             std::make_tuple(two.speed, two.memoryBytes, two.linkSpeed);
    });
  return free;
}

/// Calls `give` with the devices of each stage that has devices of its own.
/// Returns false if there are too few.
static bool
giveDevices(const Draft &draft, const Cluster &cluster, unsigned count,
            llvm::function_ref<void(unsigned, llvm::ArrayRef<unsigned>)> give) {
  std::vector<unsigned> free = getFreeDevices(cluster, count);
  llvm::SmallVector<unsigned, 32> order(draft.size() / draft[0].perDevice);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return draft[a].turn < draft[b].turn;
  });
  for (unsigned number : order) {
    unsigned wanted = draft[number].numDevices;
    if (free.size() < wanted)
      return false;
    // The first of the free devices, or the first of one node that are alike.
    auto begin = free.begin();
    for (auto first = free.begin();
         static_cast<size_t>(free.end() - first) >= wanted; ++first)
      if (*first / cluster.perNode == first[wanted - 1] / cluster.perNode &&
          (cluster.devices.empty() ||
           cluster.devices[*first] == cluster.devices[first[wanted - 1]])) {
        begin = first;
        break;
      }
    give(number, llvm::ArrayRef(&*begin, wanted));
    free.erase(begin, begin + wanted);
  }
  return true;
}

std::optional<Plan> tenon::parallelize::assignDevices(const Draft &draft,
                                                      const Cluster &cluster,
                                                      unsigned count) {
  Plan plan;
  for (const DraftStage &stage : draft) {
    PlannedStage planned;
    planned.operators = stage.set->operators;
    planned.microBatch = stage.microBatch;
    planned.k = stage.k;
    planned.recompute = stage.recompute;
    planned.offload = stage.offload;
    planned.eager = stage.eager;
    planned.splitBackward = stage.splitBackward;
    plan.push_back(std::move(planned));
  }
  size_t numLanes = draft.size() / draft[0].perDevice;
  if (!giveDevices(draft, cluster, count,
                   [&](unsigned number, llvm::ArrayRef<unsigned> devices) {
                     for (size_t stage = number; stage < plan.size();
                          stage += numLanes)
                       plan[stage].devices = devices.vec();
                   }))
    return std::nullopt;
  return plan;
}

std::optional<std::vector<StageView>>
tenon::parallelize::placeStages(const Draft &draft, const Cluster &cluster,
                                unsigned count) {
  std::vector<StageView> views(draft.size());
  size_t numLanes = draft.size() / draft[0].perDevice;
  for (size_t number = 0; number < draft.size(); ++number) {
    const DraftStage &stage = draft[number];
    StageView &view = views[number];
    view.set = stage.set;
    view.numDevices = stage.numDevices;
    view.lane = number % numLanes;
    static_cast<StageMode &>(view) = stage;
  }
  if (!giveDevices(draft, cluster, count,
                   [&](unsigned number, llvm::ArrayRef<unsigned> devices) {
                     Place place = getPlace(cluster, devices);
                     for (size_t stage = number; stage < views.size();
                          stage += numLanes)
                       views[stage].place = place;
                   }))
    return std::nullopt;
  return views;
}

void tenon::parallelize::sortStages(Draft &draft) {
  llvm::sort(draft, [](const DraftStage &a, const DraftStage &b) {
    return a.set->operators < b.set->operators;
  });
}

uint64_t tenon::parallelize::getHash(const Draft &draft) {
  uint64_t hash = draft.size();
  for (const DraftStage &stage : draft)
    hash = llvm::hash_combine(hash, stage.set, stage.numDevices, stage.turn,
                              stage.perDevice, stage.microBatch, stage.k,
                              stage.recompute, stage.offload, stage.eager,
                              stage.splitBackward);
  return hash;
}

bool tenon::parallelize::isAllowed(const DraftStage &stage,
                                   const PlannerOptions &options) {
  const TrainingOptions &training = options.training;
  if (stage.set->operators.empty() || stage.numDevices < 1 || stage.k < 1 ||
      stage.k > options.mostK || stage.microBatch < options.leastMicroBatch ||
      stage.microBatch > options.mostMicroBatch ||
      stage.microBatch < stage.numDevices ||
      stage.microBatch > training.miniBatch)
    return false;
  bool isEven = stage.microBatch % stage.numDevices == 0 &&
                training.miniBatch % stage.microBatch == 0;
  if (options.evenParts && !isEven)
    return false;
  if (training.forwardOnly)
    return stage.k == 1 && !stage.eager && !stage.recompute && !stage.offload &&
           !stage.splitBackward && stage.perDevice == 1;
  return (!stage.eager || options.mayBeEager) &&
         (!stage.splitBackward || options.maySplitBackward) &&
         (stage.perDevice == 1 || options.mayInterleave) &&
         (!stage.recompute || options.mayRecompute) &&
         (!stage.offload || options.mayOffload);
}
