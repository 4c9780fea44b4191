//===- GreedyMoves.cpp - moves from one choice to others ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GreedyMoves.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::egraph;

/// The maximum number of nodes from the result of a merged kernel to a class: a
/// merge of merges of merges is sliced three times.
static constexpr unsigned maxDepth = 3;
/// The maximum number of classes that one group move visits.
static constexpr unsigned maxReached = 256;

bool GreedyMoves::apply(Kind kind, unsigned which, unsigned since) {
  switched.clear();
  if (since > state.getCommits())
    return false;
  switch (kind) {
  case Swap:
    return swap(which, since);
  case Group:
    return group(which, since);
  case Drop:
    break;
  }
  return drop(which, since);
}

bool GreedyMoves::hasChanged(llvm::ArrayRef<unsigned> classes,
                             unsigned since) const {
  return since == 0 || llvm::any_of(classes, [&](unsigned c) {
           return state.getChange(c) >= since;
         });
}

void GreedyMoves::switchTo(unsigned cls, unsigned node) {
  // An earlier switch of the same move may have made the class unneeded.
  if (!state.isNeeded(cls) || state.getProvider(cls) == int(node))
    return;
  switched.push_back({cls, unsigned(state.getProvider(cls))});
  state.assign(cls, node);
}

bool GreedyMoves::swap(unsigned node, unsigned since) {
  if (!hasChanged(index.outputs[node], since) &&
      !hasChanged(index.inputs[node], since))
    return false;
  for (unsigned c : index.outputs[node])
    switchTo(c, node);
  return !switched.empty();
}

void GreedyMoves::reachThrough(unsigned reader, unsigned level) {
  double before = 0;
  for (unsigned input : index.inputs[reader]) {
    const Way &way = ways[input];
    bool here = way.search == search && way.depth < level;
    // At a distance from the node, the other inputs of a reader must already be
    // needed, as those of slices of slices are.
    if (!here && level > 1 && !state.isNeeded(input))
      return;
    if (here)
      before = std::max(before, way.cost);
  }
  double cost = before + index.costs[reader];
  for (unsigned c : index.outputs[reader]) {
    Way &way = ways[c];
    bool again = way.search == search;
    if (again && (way.depth < level || way.cost <= cost))
      continue;
    // This is costlier than the class by itself, so there is nothing to gain.
    if (cost > bottomUp.reach[c])
      continue;
    if (!again) {
      if (reached.size() >= maxReached)
        return;
      reached.push_back(c);
    }
    way = {search, level, cost, reader};
  }
}

void GreedyMoves::reach(unsigned node) {
  ++search;
  reached.clear();
  for (unsigned c : index.outputs[node]) {
    reached.push_back(c);
    ways[c] = {search, 0, 0, node};
  }
  size_t begin = 0;
  for (unsigned level = 1; level <= maxDepth; ++level) {
    size_t end = reached.size();
    for (; begin < end; ++begin)
      for (unsigned reader : index.readers[reached[begin]])
        reachThrough(reader, level);
  }
}

bool GreedyMoves::group(unsigned node, unsigned since) {
  reach(node);
  if (!hasChanged(reached, since) && !hasChanged(index.inputs[node], since))
    return false;
  unsigned targets = 0, last = 0;
  for (unsigned c : reached)
    if (state.isNeeded(c) && state.getProvider(c) != int(ways[c].via)) {
      ++targets;
      last = c;
    }
  // Swap handles single classes, unless the node's result is an intermediate
  // class.
  if (targets == 0 ||
      (targets == 1 && (state.isChosen(node) || ways[last].via == node)))
    return false;
  for (unsigned c : reached)
    if (!state.isNeeded(c))
      state.prefer(c, ways[c].via);
  // Switch the distant classes first, so that the classes that they need are
  // needed.
  for (unsigned c : llvm::reverse(reached))
    switchTo(c, ways[c].via);
  return !switched.empty();
}

bool GreedyMoves::drop(unsigned cls, unsigned since) {
  if (!state.isNeeded(cls) || llvm::is_contained(index.roots, cls))
    return false;
  llvm::SmallVector<std::pair<unsigned, unsigned>> changes;
  bool news = since == 0;
  for (unsigned reader : index.readers[cls]) {
    if (!state.isChosen(reader))
      continue;
    for (unsigned c : index.outputs[reader]) {
      if (state.getProvider(c) != int(reader))
        continue;
      news |= state.getChange(c) >= since;
      // Find the cheapest node that does not need the class.
      const unsigned *best = nullptr;
      for (const unsigned &n : index.givers[c])
        if (!llvm::binary_search(index.inputs[n], cls) &&
            (!best || index.costs[n] < index.costs[*best]))
          best = &n;
      if (!best)
        return false;
      changes.push_back({c, *best});
    }
  }
  if (!news)
    return false;
  for (auto [c, n] : changes)
    switchTo(c, n);
  return !switched.empty();
}
