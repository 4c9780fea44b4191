//===- RunnersUp.cpp - the cost of a cover without an option --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One search serves all options of a part. Every cover is a path through its
// states, and crosses each item by one edge: the edge that covers the item. An
// option is only taken if its first item is the first uncovered item. Therefore
// the cheapest cover without the option crosses that item by another edge. Its
// cost is the cost up to that edge, plus the cost of the edge, plus the minimum
// cost after it. Such a path leaves the best path for only a few states, and
// only these are visited.
//
//===----------------------------------------------------------------------===//

#include "CoverPart.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <queue>

using namespace tenon::place;

namespace {
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr unsigned kNone = ~0u;
/// The fraction of a part's cost by which a path on the best path is preferred
/// to one of equal cost.
constexpr double kDetour = 1e-13;

/// Computes the runner-ups of one part's options.
class PartRunnersUp {
public:
  /// `chosen` are the options of the cover in this part.
  PartRunnersUp(const CoverProblem &problem, const CoverPart &part,
                const std::vector<unsigned> &chosen, CoverStates states);

  /// Returns the runner-up of each chosen option.
  std::vector<std::optional<RunnerUp>> run();

private:
  /// Maps the position of an item in the part to the option that covers it, if
  /// that differs from the option of the best path.
  using Detour = llvm::DenseMap<unsigned, unsigned>;

  void findBestPath();
  void findCosts();
  std::vector<unsigned> findCrossings();
  Detour follow(unsigned edge) const;
  RunnerUp compare(unsigned option, const Detour &detour) const;
  unsigned getPosition(unsigned item) const {
    return llvm::lower_bound(part.items, item) - part.items.begin();
  }
  double getCost(const CoverStates::Edge &edge) const {
    return problem.options[edge.option].cost;
  }
  /// Returns the first item of an option in search order.
  unsigned getFirst(unsigned option) const;

  const CoverProblem &problem;
  const CoverPart &part;
  const std::vector<unsigned> &chosen;
  CoverStates states;
  std::vector<unsigned> pathEdge; // by state on the best path, else kNone
  /// For each position, the option that covers it in the best path, and in the
  /// cover.
  std::vector<unsigned> best, own;
  /// For each state, the cost up to it and the edge to it, and the cost after
  /// it and the edge from it.
  std::vector<double> before, behind;
  std::vector<unsigned> into, outOf;
};
} // namespace

PartRunnersUp::PartRunnersUp(const CoverProblem &problem, const CoverPart &part,
                             const std::vector<unsigned> &chosen,
                             CoverStates states)
    : problem(problem), part(part), chosen(chosen), states(std::move(states)),
      best(part.items.size()), own(part.items.size()) {
  for (unsigned option : chosen)
    for (unsigned item : problem.options[option].items)
      own[getPosition(item)] = option;
}

void PartRunnersUp::findBestPath() {
  std::vector<bool> isOn(states.states.size(), false);
  for (unsigned state = states.last;; state = states.states[state].from) {
    isOn[state] = true;
    if (state == 0)
      break;
    unsigned option = states.states[state].option;
    for (unsigned item : problem.options[option].items)
      best[getPosition(item)] = option;
  }
  pathEdge.assign(states.states.size(), kNone);
  for (auto [number, edge] : llvm::enumerate(states.edges)) {
    const CoverStates::State &to = states.states[edge.to];
    if (isOn[edge.to] && to.from == edge.from && to.option == edge.option)
      pathEdge[edge.from] = number;
  }
}

void PartRunnersUp::findCosts() {
  size_t size = states.states.size();
  double detour = kDetour * states.states[states.last].cost;
  auto getCostOf = [&](size_t number) {
    const CoverStates::Edge &edge = states.edges[number];
    return getCost(edge) + (pathEdge[edge.from] == number ? 0 : detour);
  };
  before.assign(size, kInfinite);
  behind.assign(size, kInfinite);
  into.assign(size, kNone);
  outOf.assign(size, kNone);
  before[0] = behind[states.last] = 0;
  for (auto [number, edge] : llvm::enumerate(states.edges))
    if (double cost = before[edge.from] + getCostOf(number);
        cost < before[edge.to]) {
      before[edge.to] = cost;
      into[edge.to] = number;
    }
  for (size_t number = states.edges.size(); number-- > 0;) {
    const CoverStates::Edge &edge = states.edges[number];
    if (double cost = behind[edge.to] + getCostOf(number);
        cost < behind[edge.from]) {
      behind[edge.from] = cost;
      outOf[edge.from] = number;
    }
  }
}

unsigned PartRunnersUp::getFirst(unsigned option) const {
  unsigned first = kNone;
  for (unsigned item : problem.options[option].items)
    first = std::min(first, states.at[getPosition(item)]);
  return first;
}

/// Returns, for each chosen option, the edge at which the cheapest path without
/// it crosses the option's first item, or kNone if there is no such path.
std::vector<unsigned> PartRunnersUp::findCrossings() {
  using Crossing = std::pair<double, unsigned>;
  std::vector<unsigned> optionAt(states.numItems, kNone); // by first item
  for (auto [number, option] : llvm::enumerate(chosen))
    optionAt[getFirst(option)] = number;
  // Edges that left at an earlier item, the cheapest first.
  std::priority_queue<Crossing, std::vector<Crossing>, std::greater<>> open;
  std::vector<unsigned> found(chosen.size(), kNone);
  size_t next = 0;
  for (unsigned item = 0; item < states.numItems; ++item) {
    auto leavesHere = [&](const CoverStates::Edge &edge) {
      return states.states[edge.from].first == item;
    };
    size_t begin = next;
    while (next < states.edges.size() && leavesHere(states.edges[next]))
      ++next;
    auto getSum = [&](size_t number) {
      const CoverStates::Edge &edge = states.edges[number];
      return before[edge.from] + getCost(edge) + behind[edge.to];
    };
    if (unsigned number = optionAt[item]; number != kNone) {
      while (!open.empty() &&
             states.states[states.edges[open.top().second].to].first <= item)
        open.pop();
      Crossing cheapest =
          open.empty() ? Crossing(kInfinite, kNone) : open.top();
      for (size_t edge = begin; edge < next; ++edge)
        if (states.edges[edge].option != chosen[number])
          cheapest = std::min(
              cheapest, Crossing(getSum(edge), static_cast<unsigned>(edge)));
      if (cheapest.first < kInfinite)
        found[number] = cheapest.second;
    }
    for (size_t edge = begin; edge < next; ++edge)
      if (states.states[states.edges[edge].to].first > item + 1)
        if (double sum = getSum(edge); sum < kInfinite)
          open.push({sum, static_cast<unsigned>(edge)});
  }
  return found;
}

/// Returns the cheapest path through an edge, where it differs from the best
/// path.
PartRunnersUp::Detour PartRunnersUp::follow(unsigned edge) const {
  Detour detour;
  auto take = [&](const CoverStates::Edge &taken) {
    for (unsigned item : problem.options[taken.option].items)
      detour[getPosition(item)] = taken.option;
  };
  const CoverStates::Edge &middle = states.edges[edge];
  take(middle);
  auto isOnPath = [&](unsigned state) {
    return state == states.last || pathEdge[state] != kNone;
  };
  for (unsigned state = middle.from; !isOnPath(state);
       state = states.edges[into[state]].from)
    take(states.edges[into[state]]);
  for (unsigned state = middle.to; !isOnPath(state);
       state = states.edges[outOf[state]].to)
    take(states.edges[outOf[state]]);
  return detour;
}

/// Returns the options that replace an option: all that share items with it,
/// and options that share items with those, until both sides cover the same
/// items.
RunnerUp PartRunnersUp::compare(unsigned option, const Detour &detour) const {
  RunnerUp result;
  std::set<unsigned> without = {option}, instead;
  std::vector<unsigned> work = {option};
  result.extra = -problem.options[option].cost;
  while (!work.empty()) {
    unsigned current = work.back();
    work.pop_back();
    bool isOwn = without.count(current);
    for (unsigned item : problem.options[current].items) {
      unsigned position = getPosition(item);
      unsigned other = own[position];
      if (isOwn) {
        auto it = detour.find(position);
        other = it == detour.end() ? best[position] : it->second;
      }
      if (!(isOwn ? instead : without).insert(other).second)
        continue;
      work.push_back(other);
      result.extra +=
          isOwn ? problem.options[other].cost : -problem.options[other].cost;
    }
  }
  result.options.assign(instead.begin(), instead.end());
  return result;
}

std::vector<std::optional<RunnerUp>> PartRunnersUp::run() {
  findBestPath();
  findCosts();
  std::vector<std::optional<RunnerUp>> found(chosen.size());
  for (auto [number, edge] : llvm::enumerate(findCrossings())) {
    if (edge == kNone)
      continue;
    // The best path may itself not contain the option.
    unsigned option = chosen[number];
    bool isBest =
        best[getPosition(problem.options[option].items.front())] == option;
    found[number] = compare(option, isBest ? follow(edge) : Detour());
  }
  return found;
}

std::vector<std::optional<RunnerUp>>
tenon::place::findRunnersUp(const CoverProblem &problem, const Cover &cover,
                            const CoverLimits &limits) {
  std::vector<CoverPart> parts = splitCover(problem);
  std::vector<unsigned> partOf(problem.options.size());
  for (auto [number, part] : llvm::enumerate(parts))
    for (unsigned option : part.options)
      partOf[option] = number;
  // For each part, the positions of its options in the cover.
  std::vector<std::vector<unsigned>> places(parts.size());
  for (auto [place, option] : llvm::enumerate(cover.options))
    places[partOf[option]].push_back(place);
  std::vector<std::optional<RunnerUp>> found(cover.options.size());
  for (auto [number, part] : llvm::enumerate(parts)) {
    std::vector<unsigned> chosen;
    for (unsigned place : places[number])
      chosen.push_back(cover.options[place]);
    CoverStates states;
    if (!solveCoverPart(problem, part, {}, limits.states, &states))
      continue;
    PartRunnersUp search(problem, part, chosen, std::move(states));
    for (auto [place, other] : llvm::zip(places[number], search.run()))
      found[place] = std::move(other);
  }
  return found;
}
