//===- ArenaPlan.cpp - offsets of buffers in one arena -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tenon::emit;

ArenaPlan tenon::emit::planArena(llvm::ArrayRef<ArenaInterval> intervals) {
  ArenaPlan plan;
  plan.offsets.assign(intervals.size(), 0);
  llvm::SmallVector<unsigned> order(intervals.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return intervals[a].bytes > intervals[b].bytes;
  });
  // Already placed intervals, by rising offset.
  llvm::SmallVector<unsigned> placed;
  for (unsigned current : order) {
    const ArenaInterval &interval = intervals[current];
    if (interval.bytes == 0)
      continue;
    int64_t offset = 0;
    for (unsigned other : placed) {
      if (intervals[other].lastStep < interval.firstStep ||
          intervals[other].firstStep > interval.lastStep)
        continue;
      if (plan.offsets[other] >= offset + interval.bytes)
        break;
      int64_t end = plan.offsets[other] + intervals[other].bytes;
      offset = std::max<int64_t>(offset, llvm::alignTo(end, arenaAlignment));
    }
    plan.offsets[current] = offset;
    plan.bytes = std::max(plan.bytes, offset + interval.bytes);
    placed.insert(llvm::upper_bound(placed, current,
                                    [&](unsigned a, unsigned b) {
                                      return plan.offsets[a] < plan.offsets[b];
                                    }),
                  current);
  }
  plan.bytes = llvm::alignTo(plan.bytes, arenaAlignment);
  return plan;
}
