//===- Cover.cpp - the cheapest cover of a graph by subgraphs -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Place/Cover.h"
#include "CoverCycles.h"
#include "CoverPart.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <queue>

using namespace tenon::place;

namespace {
/// The maximum number of items of the covers that are solved to break the
/// cycles of one group.
constexpr uint64_t kMostWork = 4000000;

/// Parts that are solved together, because the best cover of each forms a cycle
/// with those of others. Initially, every part is a separate group.
struct Group {
  std::vector<unsigned> parts; // ascending; none if joined to another group
  std::vector<Cover> covers;   // by part of the group
};

class CoverSolver {
public:
  CoverSolver(const CoverProblem &problem, const CoverLimits &limits);

  std::optional<Cover> run();

private:
  using Forbidden = std::set<unsigned>;
  struct Attempt {
    double cost;
    unsigned number; // breaks ties
    Forbidden forbidden;
    std::vector<Cover> covers; // by part of the group
    bool operator<(const Attempt &other) const {
      return std::tie(cost, number) > std::tie(other.cost, other.number);
    }
  };

  Group &join(const std::vector<unsigned> &tangle);
  std::optional<Attempt> start(const Group &group) const;
  bool solve(Group &group) const;
  bool solveGreedily(Group &group) const;
  double getSaving(unsigned option) const;

  std::optional<Cover> solvePart(unsigned part,
                                 const Forbidden &forbidden) const {
    return solveCoverPart(problem, parts[part], forbidden, limits.states);
  }

  const CoverProblem &problem;
  const CoverLimits &limits;
  std::vector<CoverPart> parts;
  std::vector<unsigned> partOf;  // by option
  std::vector<Group> groups;     // by their first part
  std::vector<unsigned> groupOf; // by part
  /// For each item, the cost of the cheapest option that covers only this item.
  std::vector<double> alone;
};
} // namespace

CoverSolver::CoverSolver(const CoverProblem &problem, const CoverLimits &limits)
    : problem(problem), limits(limits), parts(splitCover(problem)),
      partOf(problem.options.size()), groups(parts.size()),
      alone(problem.users.size(), std::numeric_limits<double>::infinity()) {
  for (auto [number, part] : llvm::enumerate(parts)) {
    groups[number].parts = {static_cast<unsigned>(number)};
    groupOf.push_back(number);
    for (unsigned option : part.options)
      partOf[option] = number;
  }
  for (const CoverOption &option : problem.options)
    if (option.items.size() == 1)
      alone[option.items.front()] =
          std::min(alone[option.items.front()], option.cost);
}

static std::vector<unsigned> listOptions(const std::vector<Cover> &covers) {
  std::vector<unsigned> options;
  for (const Cover &cover : covers)
    llvm::append_range(options, cover.options);
  llvm::sort(options);
  return options;
}

/// Joins the groups whose options depend on each other.
Group &CoverSolver::join(const std::vector<unsigned> &tangle) {
  std::set<unsigned> joined;
  for (unsigned option : tangle)
    joined.insert(groupOf[partOf[option]]);
  Group &first = groups[*joined.begin()];
  for (unsigned other : llvm::drop_begin(joined)) {
    llvm::append_range(first.parts, groups[other].parts);
    groups[other] = Group();
  }
  llvm::sort(first.parts);
  for (unsigned part : first.parts)
    groupOf[part] = *joined.begin();
  return first;
}

/// Computes the best covers of the parts, ignoring cycles.
std::optional<CoverSolver::Attempt>
CoverSolver::start(const Group &group) const {
  Attempt attempt{0, 0, {}, {}};
  for (unsigned part : group.parts) {
    std::optional<Cover> cover = solvePart(part, {});
    if (!cover)
      return std::nullopt;
    attempt.cost += cover->cost;
    attempt.covers.push_back(std::move(*cover));
  }
  return attempt;
}

/// Searches best-first over sets of forbidden options.
bool CoverSolver::solve(Group &group) const {
  std::optional<Attempt> first = start(group);
  if (!first)
    return false;
  std::priority_queue<Attempt> queue;
  queue.push(std::move(*first));
  unsigned attempts = 1;
  uint64_t work = 0;
  while (!queue.empty()) {
    Attempt best = queue.top();
    queue.pop();
    std::vector<unsigned> cycle = findCycle(problem, listOptions(best.covers));
    if (cycle.empty()) {
      group.covers = std::move(best.covers);
      return true;
    }
    for (unsigned option : cycle) {
      size_t place =
          llvm::lower_bound(group.parts, partOf[option]) - group.parts.begin();
      work += parts[partOf[option]].items.size();
      if (attempts == limits.attempts || work > kMostWork)
        return solveGreedily(group);
      Attempt next = best;
      next.number = attempts++;
      next.forbidden.insert(option);
      Cover &cover = next.covers[place];
      std::optional<Cover> other = solvePart(partOf[option], next.forbidden);
      if (!other)
        continue;
      next.cost += other->cost - cover.cost;
      cover = std::move(*other);
      queue.push(std::move(next));
    }
  }
  return false;
}

/// Returns the difference between the cost of an option's items one by one and
/// the cost of the option. Infinite if the items cannot be covered one by one,
/// or if there is only one item.
double CoverSolver::getSaving(unsigned option) const {
  const CoverOption &own = problem.options[option];
  if (own.items.size() == 1)
    return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (unsigned item : own.items)
    sum += alone[item];
  return sum - own.cost;
}

/// Solves the group without backtracking: in every round and for every tangle,
/// forbids the option of one cycle that saves least.
bool CoverSolver::solveGreedily(Group &group) const {
  std::optional<Attempt> attempt = start(group);
  if (!attempt)
    return false;
  for (;;) {
    std::vector<unsigned> options = listOptions(attempt->covers);
    std::vector<std::vector<unsigned>> tangles = findTangles(problem, options);
    if (tangles.empty())
      break;
    std::set<unsigned> changed; // positions of parts in the group
    for (const std::vector<unsigned> &tangle : tangles) {
      std::vector<unsigned> cycle = findCycle(problem, tangle);
      unsigned worst = *llvm::min_element(cycle, [&](unsigned a, unsigned b) {
        return getSaving(a) < getSaving(b);
      });
      if (getSaving(worst) == std::numeric_limits<double>::infinity())
        return false;
      attempt->forbidden.insert(worst);
      changed.insert(llvm::lower_bound(group.parts, partOf[worst]) -
                     group.parts.begin());
    }
    for (unsigned place : changed) {
      std::optional<Cover> other =
          solvePart(group.parts[place], attempt->forbidden);
      if (!other)
        return false;
      attempt->covers[place] = std::move(*other);
    }
  }
  group.covers = std::move(attempt->covers);
  for (Cover &cover : group.covers)
    cover.isOptimal = false;
  return true;
}

std::optional<Cover> CoverSolver::run() {
  for (Group &group : groups) {
    std::optional<Attempt> attempt = start(group);
    if (!attempt)
      return std::nullopt;
    group.covers = std::move(attempt->covers);
  }
  for (;;) {
    Cover whole;
    for (const Group &group : groups)
      for (const Cover &cover : group.covers) {
        whole.cost += cover.cost;
        whole.isOptimal &= cover.isOptimal;
        llvm::append_range(whole.options, cover.options);
      }
    llvm::sort(whole.options);
    std::vector<std::vector<unsigned>> tangles =
        findTangles(problem, whole.options);
    if (tangles.empty())
      return whole;
    // Groups that share a tangle are joined. Each is solved once.
    std::set<Group *> changed;
    for (const std::vector<unsigned> &tangle : tangles)
      changed.insert(&join(tangle));
    for (Group *group : changed)
      if (!group->parts.empty() && !solve(*group))
        return std::nullopt;
  }
}

std::optional<Cover> tenon::place::solveCover(const CoverProblem &problem,
                                              const CoverLimits &limits) {
  return CoverSolver(problem, limits).run();
}
