//===- RecomputePlan.cpp - what to compute twice to save memory -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Differentiate/RecomputePlan.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <tuple>

using namespace tenon::differentiate;
using llvm::ArrayRef;

namespace {
/// How the steps before a place are kept.
enum Before { Kept, Again };

/// A plan of the steps before a place.
struct Prefix {
  int64_t held = 0; // bytes, until the backward pass is back
  double work = 0;
  /// The segment that ends here, and the prefix before it.
  unsigned begin = 0, previous = 0;
  Before before = Kept; // of `begin`
};

/// All steps, and sums over them.
class Chain {
public:
  explicit Chain(ArrayRef<ForwardStep> steps) : steps(steps) {
    saved.push_back(0);
    for (const ForwardStep &step : steps)
      saved.push_back(saved.back() + step.saved);
  }

  unsigned size() const { return steps.size(); }
  int64_t getSaved(unsigned step) const { return steps[step].saved; }
  int64_t getBoundary(unsigned place) const {
    return place < size() ? steps[place].boundary : 0;
  }
  int64_t getShared(unsigned place) const {
    return place < size() ? steps[place].shared : 0;
  }
  double getWork(unsigned step) const { return steps[step].work; }

  /// What a segment that is computed again adds to the bytes that are held.
  int64_t getHeld(Before before, unsigned begin, unsigned end) const {
    // A segment before it that is computed again holds `boundary` already.
    int64_t in = before == Again ? 0 : getBoundary(begin) - getShared(begin);
    return in + getBoundary(end);
  }
  /// What it needs beside these while its backward pass runs.
  int64_t getInner(unsigned begin, unsigned end) const {
    return saved[end] - saved[begin] - getShared(end);
  }
  /// Whether step `end - 1` must be computed again in a segment that ends
  /// there.
  bool isLastNeeded(unsigned end) const {
    return getSaved(end - 1) > getShared(end);
  }

private:
  ArrayRef<ForwardStep> steps;
  std::vector<int64_t> saved; // of the steps before a place
};

/// The plans of the steps before each place that no other beats in bytes and
/// work.
class Search {
public:
  Search(const Chain &chain, int64_t limit)
      : chain(chain), limit(limit), prefixes(chain.size() + 1) {}

  std::optional<RecomputePlan> run();

private:
  /// The most plans of a place that are followed. Beyond, some that are similar
  /// are left out.
  static constexpr size_t kMost = 2000;

  std::vector<Prefix> &at(unsigned place, Before before) {
    return prefixes[place][before];
  }
  void keep(unsigned place, Before before);
  void compute(unsigned place, Before before);
  void prune(std::vector<Prefix> &list);

  const Chain &chain;
  int64_t limit;
  bool isExact = true;
  std::vector<std::array<std::vector<Prefix>, 2>> prefixes;
};
} // namespace

/// Drops what another plan beats.
void Search::prune(std::vector<Prefix> &list) {
  llvm::sort(list, [](const Prefix &a, const Prefix &b) {
    return std::tie(a.held, a.work, a.begin, a.before, a.previous) <
           std::tie(b.held, b.work, b.begin, b.before, b.previous);
  });
  std::vector<Prefix> best;
  for (const Prefix &prefix : list)
    if (best.empty() || prefix.work < best.back().work)
      best.push_back(prefix);
  list = std::move(best);
  if (list.size() <= kMost)
    return;
  isExact = false;
  // The first holds the least, so that a plan is found if there is one. The
  // last of those that hold about the same adds the least work.
  int64_t unit = limit / int64_t(kMost) + 1;
  std::vector<Prefix> thinned = {list.front()};
  for (size_t i = 1; i < list.size(); ++i)
    if (i + 1 == list.size() || list[i].held / unit != list[i + 1].held / unit)
      thinned.push_back(list[i]);
  list = std::move(thinned);
}

void Search::keep(unsigned place, Before before) {
  for (auto [number, prefix] : llvm::enumerate(at(place, before))) {
    int64_t held = prefix.held + chain.getSaved(place);
    if (held <= limit)
      at(place + 1, Kept)
          .push_back({held, prefix.work, place, unsigned(number), before});
  }
}

void Search::compute(unsigned place, Before before) {
  double work = 0, next = 0;
  for (unsigned end = place + 1; end <= chain.size(); ++end) {
    // `work` is that up to the last value that is needed, without the last
    // step; `next` that of all steps.
    next += chain.getWork(end - 1);
    double added = chain.isLastNeeded(end) ? next : work;
    int64_t held = chain.getHeld(before, place, end);
    int64_t inner = chain.getInner(place, end);
    for (auto [number, prefix] : llvm::enumerate(at(place, before)))
      if (prefix.held + held + inner <= limit)
        at(end, Again)
            .push_back({prefix.held + held, prefix.work + added, place,
                        unsigned(number), before});
    if (chain.getSaved(end - 1) > 0)
      work = next;
  }
}

std::optional<RecomputePlan> Search::run() {
  at(0, Kept).emplace_back();
  for (unsigned place = 0; place < chain.size(); ++place)
    for (Before before : {Kept, Again}) {
      prune(at(place, before));
      keep(place, before);
      compute(place, before);
    }
  const Prefix *best = nullptr;
  Before before = Kept;
  for (Before last : {Kept, Again})
    for (const Prefix &prefix : at(chain.size(), last))
      if (!best || prefix.work < best->work) {
        best = &prefix;
        before = last;
      }
  if (!best)
    return std::nullopt;
  RecomputePlan plan;
  plan.work = best->work;
  plan.isExact = isExact;
  for (unsigned place = chain.size(); place > 0;) {
    plan.segments.push_back({best->begin, place, before == Again});
    place = best->begin;
    before = best->before;
    best = &at(place, before)[best->previous];
  }
  std::reverse(plan.segments.begin(), plan.segments.end());
  return plan;
}

/// Sets the bytes of a plan, from its segments.
static void countBytes(const Chain &chain, RecomputePlan &plan) {
  int64_t held = 0;
  Before before = Kept;
  for (const ForwardSegment &segment : plan.segments) {
    if (!segment.again) {
      for (unsigned step = segment.begin; step < segment.end; ++step)
        held += chain.getSaved(step);
      before = Kept;
      plan.bytes = std::max(plan.bytes, held);
      continue;
    }
    held += chain.getHeld(before, segment.begin, segment.end);
    before = Again;
    plan.bytes =
        std::max(plan.bytes, held + chain.getInner(segment.begin, segment.end));
  }
}

std::optional<RecomputePlan>
tenon::differentiate::planRecompute(ArrayRef<ForwardStep> steps,
                                    int64_t limit) {
  Chain chain(steps);
  if (steps.empty())
    return RecomputePlan();
  std::optional<RecomputePlan> plan = Search(chain, limit).run();
  if (plan)
    countBytes(chain, *plan);
  return plan;
}

int64_t tenon::differentiate::findLeastBytes(ArrayRef<ForwardStep> steps) {
  Chain chain(steps);
  // The least that a plan of the steps before a place holds decides whether
  // there is one for the rest.
  auto isEnough = [&](int64_t limit) {
    constexpr int64_t none = INT64_MAX;
    std::vector<std::array<int64_t, 2>> least(chain.size() + 1, {none, none});
    least[0][Kept] = 0;
    for (unsigned place = 0; place < chain.size(); ++place)
      for (Before before : {Kept, Again}) {
        int64_t held = least[place][before];
        if (held == none)
          continue;
        auto offer = [&](unsigned end, Before kind, int64_t next) {
          least[end][kind] = std::min(least[end][kind], next);
        };
        if (int64_t next = held + chain.getSaved(place); next <= limit)
          offer(place + 1, Kept, next);
        for (unsigned end = place + 1; end <= chain.size(); ++end) {
          int64_t next = held + chain.getHeld(before, place, end);
          if (next + chain.getInner(place, end) <= limit)
            offer(end, Again, next);
        }
      }
    return least.back()[Kept] != none || least.back()[Again] != none;
  };
  int64_t most = 0;
  for (const ForwardStep &step : steps)
    most += step.saved;
  int64_t least = 0;
  while (least < most) {
    int64_t middle = least + (most - least) / 2;
    if (isEnough(middle))
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}
