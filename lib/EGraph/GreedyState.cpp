//===- GreedyState.cpp - a choice that moves modify -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GreedyState.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace tenon::egraph;

/// The maximum number of nodes that the estimate of a node's cost visits.
static constexpr unsigned maxEstimated = 512;
/// The maximum number of cycles of a move that are repaired.
static constexpr unsigned maxCycles = 16;

GreedyState::GreedyState(const ExtractionIndex &index,
                         llvm::ArrayRef<int> fallback)
    : index(index), fallback(fallback), need(index.givers.size()),
      use(index.inputs.size()), provider(index.givers.size(), -1),
      preferred(index.givers.size(), -1), changed(index.givers.size()),
      seenClass(index.givers.size()), seenNode(index.inputs.size()),
      doneNode(index.inputs.size()) {}

int &GreedyState::at(Field field, unsigned i) {
  switch (field) {
  case Field::Need:
    return need[i];
  case Field::Use:
    return use[i];
  case Field::Provider:
    return provider[i];
  case Field::Preferred:
    break;
  }
  return preferred[i];
}

void GreedyState::set(Field field, unsigned i, int value) {
  ++steps;
  int &place = at(field, i);
  log.push_back({field, i, place});
  place = value;
}

void GreedyState::rollback(Mark mark) {
  for (; log.size() > mark.log; log.pop_back())
    at(log.back().field, log.back().at) = log.back().old;
  cost = mark.cost;
  numNeeded = mark.numNeeded;
}

void GreedyState::reset(llvm::ArrayRef<int> start) {
  llvm::fill(need, 0);
  llvm::fill(use, 0);
  llvm::fill(provider, -1);
  preferred.assign(start.begin(), start.end());
  cost = 0;
  numNeeded = 0;
  for (unsigned c : index.roots) {
    if (need[c]++ > 0)
      continue;
    ++numNeeded;
    provider[c] = pick(c);
    acquire(provider[c]);
  }
  llvm::fill(preferred, -1);
  log.clear();
}

void GreedyState::acquire(unsigned first) {
  llvm::SmallVector<unsigned> stack = {first};
  while (!stack.empty()) {
    unsigned n = stack.pop_back_val();
    set(Field::Use, n, use[n] + 1);
    if (use[n] > 1)
      continue;
    cost += index.costs[n];
    for (unsigned c : index.inputs[n]) {
      set(Field::Need, c, need[c] + 1);
      if (need[c] > 1)
        continue;
      ++numNeeded;
      set(Field::Provider, c, pick(c));
      stack.push_back(provider[c]);
    }
  }
}

void GreedyState::release(unsigned first) {
  llvm::SmallVector<unsigned> stack = {first};
  while (!stack.empty()) {
    unsigned n = stack.pop_back_val();
    set(Field::Use, n, use[n] - 1);
    if (use[n] > 0)
      continue;
    cost -= index.costs[n];
    for (unsigned c : index.inputs[n]) {
      set(Field::Need, c, need[c] - 1);
      if (need[c] > 0)
        continue;
      --numNeeded;
      stack.push_back(provider[c]);
      set(Field::Provider, c, -1);
    }
  }
}

void GreedyState::assign(unsigned c, unsigned n) {
  int old = provider[c];
  if (old == int(n))
    return;
  set(Field::Provider, c, n);
  // Acquire the new node first, so that nodes that both need are not changed.
  acquire(n);
  release(old);
}

void GreedyState::prefer(unsigned c, unsigned n) {
  set(Field::Preferred, c, n);
}

unsigned GreedyState::pick(unsigned c) {
  if (preferred[c] != -1)
    return preferred[c];
  unsigned best = fallback[c];
  const ExtractionIndex::List &givers = index.givers[c];
  if (givers.size() == 1)
    return best;
  double bound = getMarginalCost(best, c, std::numeric_limits<double>::max());
  for (unsigned n : givers) {
    double estimate = getMarginalCost(n, c, bound);
    if (estimate < bound) {
      bound = estimate;
      best = n;
    }
  }
  return best;
}

double GreedyState::getMarginalCost(unsigned first, unsigned target,
                                    double bound) {
  // Test this before any marks: many nodes are already chosen, or too expensive
  // by themselves.
  if (use[first] > 0)
    return 0;
  if (index.costs[first] >= bound)
    return bound;
  startSearch();
  double total = 0;
  unsigned estimated = 0;
  open.assign(1, first);
  seenNode[first] = epoch;
  while (!open.empty() && estimated++ < maxEstimated) {
    unsigned n = open.back();
    open.pop_back();
    if (use[n] > 0)
      continue;
    total += index.costs[n];
    if (total >= bound)
      return bound;
    steps += index.inputs[n].size();
    for (unsigned c : index.inputs[n]) {
      if (c == target)
        return bound;
      if (need[c] > 0 || seenClass[c] == epoch)
        continue;
      seenClass[c] = epoch;
      unsigned giver = preferred[c] != -1 ? preferred[c] : fallback[c];
      if (seenNode[giver] == epoch)
        continue;
      seenNode[giver] = epoch;
      open.push_back(giver);
    }
  }
  return total;
}

llvm::SmallVector<unsigned> GreedyState::findCycle() {
  // A node on the path, the class through which it was entered, and the number
  // of its inputs that are done.
  struct Frame {
    unsigned node, entry, next;
  };
  std::vector<Frame> stack;
  llvm::SmallVector<unsigned> cycle;
  startSearch();
  exactCost = 0;
  unsigned classes = 0;
  auto enter = [&](unsigned c) {
    ++steps;
    if (seenClass[c] != epoch) {
      seenClass[c] = epoch;
      ++classes;
    }
    unsigned n = provider[c];
    if (doneNode[n] == epoch)
      return true;
    if (seenNode[n] == epoch) {
      cycle.push_back(c);
      for (; stack.back().node != n; stack.pop_back())
        cycle.push_back(stack.back().entry);
      return false;
    }
    seenNode[n] = epoch;
    stack.push_back({n, c, 0});
    return true;
  };
  for (unsigned root : index.roots) {
    if (!enter(root))
      return cycle;
    while (!stack.empty()) {
      Frame &frame = stack.back();
      const ExtractionIndex::List &inputs = index.inputs[frame.node];
      if (frame.next < inputs.size()) {
        if (!enter(inputs[frame.next++]))
          return cycle;
        continue;
      }
      doneNode[frame.node] = epoch;
      exactCost += index.costs[frame.node];
      stack.pop_back();
    }
  }
  // Classes that only need each other are not reachable from a root. The counts
  // of such a choice are no longer correct.
  if (classes != numNeeded)
    exactCost = std::numeric_limits<double>::infinity();
  return {};
}

bool GreedyState::breakCycle(llvm::ArrayRef<unsigned> cycle) {
  for (unsigned c : cycle) {
    // The first change of its provider contains the value at the last commit.
    auto first = llvm::find_if(log, [&](const Change &change) {
      return change.field == Field::Provider && change.at == c;
    });
    if (first == log.end())
      continue;
    int before = first->old == -1 ? fallback[c] : first->old;
    if (provider[c] == before)
      continue;
    assign(c, before);
    return true;
  }
  return false;
}

bool GreedyState::settle() {
  for (unsigned i = 0; i < maxCycles; ++i) {
    llvm::SmallVector<unsigned> cycle = findCycle();
    if (cycle.empty())
      return exactCost != std::numeric_limits<double>::infinity();
    if (!breakCycle(cycle))
      return false;
  }
  return false;
}

bool GreedyState::commitBelow(double bound) {
  if (!settle() || exactCost >= bound)
    return false;
  ++commits;
  for (const Change &change : log) {
    if (change.field == Field::Preferred)
      preferred[change.at] = -1;
    else if (change.field != Field::Use)
      changed[change.at] = commits;
  }
  log.clear();
  cost = exactCost;
  return true;
}
