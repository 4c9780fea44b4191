//===- ArenaPlan.cpp - placing buffers in one arena ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/ArenaPlan.h"

#include "tenon/Artifact/PlacedBuffers.h"

#include <algorithm>
#include <numeric>

namespace tenon::runtime {

static int64_t roundUp(int64_t bytes) {
  return (bytes + arenaAlignment - 1) / arenaAlignment * arenaAlignment;
}

int64_t planArena(const std::vector<ArenaItem> &items,
                  std::vector<int64_t> &offsets) {
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (items[a].bytes != items[b].bytes)
      return items[a].bytes > items[b].bytes;
    return a < b; // makes the plan deterministic
  });

  offsets.assign(items.size(), 0);
  std::vector<artifact::Lifetime> lifetimes;
  for (const ArenaItem &item : items)
    lifetimes.push_back({item.firstStep, item.lastStep});
  artifact::PlacedBuffers placed(std::move(lifetimes));
  int64_t total = 0;
  for (size_t item : order) {
    int64_t bytes = roundUp(items[item].bytes);
    if (bytes == 0)
      continue;
    if (std::optional<int64_t> behind = placed.getEndIfCrowded(item)) {
      offsets[item] = *behind;
    } else {
      int64_t best = -1, bestGap = INT64_MAX, end = 0;
      for (size_t other : placed.findAlive(item)) {
        int64_t gap = offsets[other] - end;
        if (gap >= bytes && gap < bestGap) {
          best = end;
          bestGap = gap;
        }
        end = std::max(end, offsets[other] + roundUp(items[other].bytes));
      }
      offsets[item] = best >= 0 ? best : end;
    }
    total = std::max(total, offsets[item] + bytes);
    placed.place(item, offsets[item], offsets[item] + bytes);
  }
  return total;
}

int64_t arenaLowerBound(const std::vector<ArenaItem> &items) {
  // The maximum is reached at a step where an item begins.
  int64_t most = 0;
  for (const ArenaItem &at : items) {
    int64_t sum = 0;
    for (const ArenaItem &item : items)
      if (item.firstStep <= at.firstStep && at.firstStep <= item.lastStep)
        sum += roundUp(item.bytes);
    most = std::max(most, sum);
  }
  return most;
}

} // namespace tenon::runtime
