//===- ArenaPlan.h - offsets of buffers in one arena ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_ARENAPLAN_H
#define TENON_LIB_LOWER_ARENAPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tenon::lower {

/// A buffer that is in the arena from the first step to the last, both
/// included.
struct ArenaInterval {
  int64_t bytes = 0;
  unsigned firstStep = 0, lastStep = 0;
};

struct ArenaPlan {
  llvm::SmallVector<int64_t> offsets; // one per interval
  int64_t bytes = 0;                  // of the whole arena
};

/// The alignment of every buffer of an arena, in bytes.
constexpr int64_t arenaAlignment = 64;

/// Places intervals that are alive at the same time side by side: the largest
/// first, each at the lowest offset at which it fits. If thousands of them are
/// alive at once, an interval goes behind all others to bound the search.
ArenaPlan planArena(llvm::ArrayRef<ArenaInterval> intervals);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_ARENAPLAN_H
