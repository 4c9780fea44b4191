//===- PlacedBuffers.h - buffers in an arena, by lifetime and offset ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the memory plans of compile time and run time share: which buffers that
// have an offset already are alive together with another one.
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

/// Steps between which a buffer lives, both included.
struct Lifetime {
  int64_t first = 0, last = 0;
};

class PlacedBuffers {
public:
  explicit PlacedBuffers(std::vector<Lifetime> lifetimes);

  /// Gives a buffer its bytes [offset, end).
  void place(size_t buffer, int64_t offset, int64_t end);

  /// Buffers that were placed and are alive together with `buffer`, by offset;
  /// of one offset, in the order in which they were placed. Takes time in their
  /// number, not in that of all buffers. Valid until the next call.
  const std::vector<size_t> &findAlive(size_t buffer);

  /// Where so many buffers of a very large program are alive with this one that
  /// looking for a gap between them would make planning quadratic: the end of
  /// the last. None: look at them.
  std::optional<int64_t> getEndIfCrowded(size_t buffer) const;

private:
  size_t countAlive(size_t buffer) const;
  int64_t getEnd(size_t node, int64_t low, int64_t high,
                 const Lifetime &life) const;

  std::vector<Lifetime> lifetimes;
  int64_t numSteps; // a power of two
  std::vector<int64_t> offsets;
  std::vector<size_t> ranks; // by buffer, when it was placed
  size_t numPlaced = 0;
  /// Buffers that begin, and that end, up to a step: Fenwick trees.
  std::vector<size_t> begun, ended;
  std::set<std::pair<int64_t, size_t>> byBegin;
  /// A segment tree over steps. By node: buffers that live throughout it (and
  /// not throughout its parent), the largest end of those, and the largest end
  /// of all that live somewhere in it.
  std::vector<std::vector<size_t>> throughout;
  std::vector<int64_t> endThroughout, endWithin;
  std::vector<size_t> alive;
};

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_PLACEDBUFFERS_H
