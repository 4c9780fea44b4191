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

/// Alignment of every offset; a whole cache line also keeps threads apart.
constexpr int64_t arenaAlignment = 64;

/// Writes an offset for every item, such that items alive at the same time do
/// not overlap, and returns the bytes needed in all. Greedy by falling size,
/// each into the smallest gap that fits; in crowds of thousands behind all
/// others.
int64_t planArena(const std::vector<ArenaItem> &items,
                  std::vector<int64_t> &offsets);

/// The largest sum of bytes alive at one step: no plan needs less.
int64_t arenaLowerBound(const std::vector<ArenaItem> &items);

} // namespace tenon::runtime

#endif // TENON_RUNTIME_ARENAPLAN_H
