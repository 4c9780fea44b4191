//===- PlacedBuffers.h - buffers in an arena, by lifetime and offset ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the memory planners of compile time and run time: finds the buffers
// that already have an offset and are alive together with another one.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_PLACEDBUFFERS_H
#define TENON_ARTIFACT_PLACEDBUFFERS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace tenon::artifact {

/// The steps during which a buffer is alive, both inclusive.
struct Lifetime {
  int64_t first = 0, last = 0;
};

class PlacedBuffers {
public:
  explicit PlacedBuffers(std::vector<Lifetime> lifetimes);

  /// Assigns the bytes [offset, end) to a buffer.
  void place(size_t buffer, int64_t offset, int64_t end);

  /// Returns the placed buffers that are alive together with `buffer`, sorted
  /// by offset; buffers of equal offset are in the order of placement. The time
  /// depends on the number of these, not on the number of all buffers. Valid
  /// until the next call.
  const std::vector<size_t> &findAlive(size_t buffer);

  /// If so many buffers of a very large program are alive together with this
  /// one that searching for a gap between them would make planning quadratic,
  /// returns the end of the last of them. Otherwise returns nullopt.
  std::optional<int64_t> getEndIfCrowded(size_t buffer) const;

private:
  size_t countAlive(size_t buffer) const;
  int64_t getEnd(size_t node, int64_t low, int64_t high,
                 const Lifetime &life) const;

  std::vector<Lifetime> lifetimes;
  int64_t numSteps; // rounded up to a power of two
  std::vector<int64_t> offsets;
  std::vector<size_t> ranks; // order of placement, by buffer
  size_t numPlaced = 0;
  /// Fenwick trees: how many buffers begin, and how many end, up to a step.
  std::vector<size_t> begun, ended;
  std::set<std::pair<int64_t, size_t>> byBegin;
  /// A segment tree over steps. For each node: the buffers that are alive
  /// throughout it (and not throughout its parent), the largest end of those,
  /// and the largest end of all buffers that are alive somewhere in it.
  std::vector<std::vector<size_t>> throughout;
  std::vector<int64_t> endThroughout, endWithin;
  std::vector<size_t> alive;
};

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_PLACEDBUFFERS_H
