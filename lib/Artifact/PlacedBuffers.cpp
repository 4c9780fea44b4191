//===- PlacedBuffers.cpp - buffers in an arena, by lifetime and offset ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/PlacedBuffers.h"

#include <algorithm>

namespace tenon::artifact {

/// Programs with fewer buffers are planned without a limit.
static constexpr size_t kManyBuffers = 16384;
/// In a larger program, the limit on simultaneously alive buffers that are
/// examined.
static constexpr size_t kMostAlive = 1024;

PlacedBuffers::PlacedBuffers(std::vector<Lifetime> given)
    : lifetimes(std::move(given)), numSteps(1) {
  for (const Lifetime &life : lifetimes)
    while (numSteps <= life.last)
      numSteps *= 2;
  offsets.assign(lifetimes.size(), 0);
  ranks.assign(lifetimes.size(), 0);
  begun.assign(numSteps + 1, 0);
  ended.assign(numSteps + 1, 0);
  throughout.resize(2 * numSteps);
  endThroughout.assign(2 * numSteps, 0);
  endWithin.assign(2 * numSteps, 0);
}

static void addAt(std::vector<size_t> &counts, int64_t step) {
  for (size_t node = step + 1; node < counts.size(); node += node & -node)
    ++counts[node];
}

/// Returns the sum over the steps [0, step].
static size_t countUpTo(const std::vector<size_t> &counts, int64_t step) {
  size_t sum = 0;
  for (size_t node = step + 1; node > 0; node -= node & -node)
    sum += counts[node];
  return sum;
}

void PlacedBuffers::place(size_t buffer, int64_t offset, int64_t end) {
  const Lifetime &life = lifetimes[buffer];
  offsets[buffer] = offset;
  ranks[buffer] = numPlaced++;
  addAt(begun, life.first);
  addAt(ended, life.last);
  byBegin.insert({life.first, buffer});
  auto live = [&](size_t node) {
    throughout[node].push_back(buffer);
    endThroughout[node] = std::max(endThroughout[node], end);
    for (; node > 0; node /= 2)
      endWithin[node] = std::max(endWithin[node], end);
  };
  size_t low = life.first + numSteps, high = life.last + numSteps + 1;
  for (; low < high; low /= 2, high /= 2) {
    if (low % 2)
      live(low++);
    if (high % 2)
      live(--high);
  }
}

size_t PlacedBuffers::countAlive(size_t buffer) const {
  const Lifetime &life = lifetimes[buffer];
  return countUpTo(begun, life.last) -
         (life.first > 0 ? countUpTo(ended, life.first - 1) : 0);
}

const std::vector<size_t> &PlacedBuffers::findAlive(size_t buffer) {
  const Lifetime &life = lifetimes[buffer];
  alive.clear();
  // First the buffers that are alive when it begins, then those that begin
  // later.
  for (size_t node = life.first + numSteps; node > 0; node /= 2)
    alive.insert(alive.end(), throughout[node].begin(), throughout[node].end());
  for (auto it = byBegin.lower_bound({life.first + 1, 0});
       it != byBegin.end() && it->first <= life.last; ++it)
    alive.push_back(it->second);
  std::sort(alive.begin(), alive.end(), [&](size_t a, size_t b) {
    return offsets[a] != offsets[b] ? offsets[a] < offsets[b]
                                    : ranks[a] < ranks[b];
  });
  return alive;
}

/// Returns the largest end of the buffers that are alive somewhere in the
/// intersection of `life` and [low, high).
int64_t PlacedBuffers::getEnd(size_t node, int64_t low, int64_t high,
                              const Lifetime &life) const {
  if (high <= life.first || life.last < low)
    return 0;
  if (life.first <= low && high <= life.last + 1)
    return endWithin[node];
  int64_t middle = (low + high) / 2;
  return std::max({endThroughout[node], getEnd(2 * node, low, middle, life),
                   getEnd(2 * node + 1, middle, high, life)});
}

std::optional<int64_t> PlacedBuffers::getEndIfCrowded(size_t buffer) const {
  if (lifetimes.size() < kManyBuffers || countAlive(buffer) <= kMostAlive)
    return std::nullopt;
  return getEnd(1, 0, numSteps, lifetimes[buffer]);
}

} // namespace tenon::artifact
