//===- ArenaPlan.cpp - offsets of buffers in one arena -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaPlan.h"
#include "tenon/Artifact/PlacedBuffers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tenon;
using namespace tenon::lower;

ArenaPlan tenon::lower::planArena(llvm::ArrayRef<ArenaInterval> intervals) {
  ArenaPlan plan;
  plan.offsets.assign(intervals.size(), 0);
  llvm::SmallVector<unsigned> order(intervals.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return intervals[a].bytes > intervals[b].bytes;
  });
  std::vector<artifact::Lifetime> lifetimes;
  for (const ArenaInterval &interval : intervals)
    lifetimes.push_back({interval.firstStep, interval.lastStep});
  artifact::PlacedBuffers placed(std::move(lifetimes));
  for (unsigned current : order) {
    const ArenaInterval &interval = intervals[current];
    if (interval.bytes == 0)
      continue;
    int64_t offset = 0;
    if (std::optional<int64_t> behind = placed.getEndIfCrowded(current)) {
      offset = llvm::alignTo(*behind, arenaAlignment);
    } else {
      for (size_t other : placed.findAlive(current)) {
        if (plan.offsets[other] >= offset + interval.bytes)
          break;
        int64_t end = plan.offsets[other] + intervals[other].bytes;
        offset = std::max<int64_t>(offset, llvm::alignTo(end, arenaAlignment));
      }
    }
    plan.offsets[current] = offset;
    plan.bytes = std::max(plan.bytes, offset + interval.bytes);
    placed.place(current, offset, offset + interval.bytes);
  }
  plan.bytes = llvm::alignTo(plan.bytes, arenaAlignment);
  return plan;
}
