//===- ArenaPlan.h - placing buffers in one arena -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RUNTIME_ARENAPLAN_H
#define TENON_RUNTIME_ARENAPLAN_H

#include <cstdint>
#include <vector>

namespace tenon::runtime {

/// A buffer that is alive from `firstStep` to `lastStep`, both inclusive.
struct ArenaItem {
  int64_t bytes;
  int32_t firstStep;
  int32_t lastStep;
};

/// Alignment of every offset. A whole cache line avoids false sharing.
constexpr int64_t arenaAlignment = 64;

/// Writes an offset for every item, such that items alive at the same time do
/// not overlap, and returns the total bytes needed. Greedy: places items by
/// decreasing size, each into the smallest gap that fits. If thousands of items
/// are alive at the same time, an item is placed behind all others instead.
int64_t planArena(const std::vector<ArenaItem> &items,
                  std::vector<int64_t> &offsets);

/// Returns the largest sum of bytes alive at one step: a lower bound of every
/// plan.
int64_t arenaLowerBound(const std::vector<ArenaItem> &items);

} // namespace tenon::runtime

#endif // TENON_RUNTIME_ARENAPLAN_H
