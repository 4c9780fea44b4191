//===- CoverPart.cpp - covers of the parts of a graph ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoverPart.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace tenon::place;

std::vector<CoverPart> tenon::place::splitCover(const CoverProblem &problem) {
  llvm::EquivalenceClasses<unsigned> classes;
  for (unsigned item = 0; item < problem.users.size(); ++item)
    classes.insert(item);
  for (const CoverOption &option : problem.options)
    for (unsigned item : option.items)
      classes.unionSets(option.items.front(), item);
  std::vector<CoverPart> parts;
  std::map<unsigned, unsigned> partOf; // by leader
  for (unsigned item = 0; item < problem.users.size(); ++item) {
    auto [it, inserted] =
        partOf.try_emplace(classes.getLeaderValue(item), parts.size());
    if (inserted)
      parts.emplace_back();
    parts[it->second].items.push_back(item);
  }
  for (auto [number, option] : llvm::enumerate(problem.options))
    parts[partOf[classes.getLeaderValue(option.items.front())]]
        .options.push_back(number);
  return parts;
}

namespace {
/// The number of sets that are kept at an item after a part has exceeded its
/// limit.
constexpr size_t kCheapest = 256;
/// If there are more sets than this at one item, another order of the items is
/// tried.
constexpr size_t kWide = 1024;

/// Dynamic programming over sets of covered items. The next item to cover is
/// the first one, in a given order, that is not covered.
class PartSearch {
public:
  /// `order` has the positions of the part's items.
  PartSearch(const CoverProblem &problem, const CoverPart &part,
             const std::set<unsigned> &forbidden,
             const std::vector<unsigned> &order);

  /// Gives up if there are more than `mostAtOnce` sets at one item. Beyond
  /// `mostStates` sets in total, only the cheapest are continued. Returns true
  /// if the search was completed.
  bool run(size_t mostAtOnce, unsigned mostStates, bool keepsEdges);

  /// Returns nullopt if there is no cover.
  std::optional<Cover> getCover();
  CoverStates states;

private:
  /// The covered items after the first one that is not covered, ascending.
  using Ahead = std::vector<unsigned>;
  using Layer = std::map<Ahead, unsigned>; // maps to states

  void keepCheapest(Layer &layer) const;
  void expand(unsigned first, const Layer &layer, bool keepsEdges);

  const CoverProblem &problem;
  const CoverPart &part;
  /// For each item, in search order, the options of the part whose first item
  /// it is.
  std::vector<std::vector<unsigned>> holders;
  std::vector<std::vector<unsigned>> itemsOf; // by option of the part
  std::vector<Layer> layers;                  // by first item
  bool isOptimal = true;
};
} // namespace

PartSearch::PartSearch(const CoverProblem &problem, const CoverPart &part,
                       const std::set<unsigned> &forbidden,
                       const std::vector<unsigned> &order)
    : problem(problem), part(part), holders(part.items.size()),
      itemsOf(part.options.size()) {
  states.numItems = part.items.size();
  states.at.resize(order.size());
  for (auto [number, position] : llvm::enumerate(order))
    states.at[position] = number;
  for (auto [number, option] : llvm::enumerate(part.options)) {
    if (forbidden.count(option))
      continue;
    std::vector<unsigned> &items = itemsOf[number];
    for (unsigned item : problem.options[option].items)
      items.push_back(
          states.at[llvm::lower_bound(part.items, item) - part.items.begin()]);
    llvm::sort(items);
    // An option is taken when its first item is the first that is not covered.
    holders[items.front()].push_back(number);
  }
}

void PartSearch::keepCheapest(Layer &layer) const {
  std::vector<double> costs;
  for (const auto &[ahead, state] : layer)
    costs.push_back(states.states[state].cost);
  std::nth_element(costs.begin(), costs.begin() + kCheapest - 1, costs.end());
  double most = costs[kCheapest - 1];
  size_t equal = kCheapest;
  for (double cost : costs)
    equal -= cost < most;
  for (auto it = layer.begin(); it != layer.end();) {
    double cost = states.states[it->second].cost;
    bool isKept = cost < most || (cost == most && equal > 0);
    equal -= isKept && cost == most;
    it = isKept ? std::next(it) : layer.erase(it);
  }
}

void PartSearch::expand(unsigned first, const Layer &layer, bool keepsEdges) {
  for (const auto &[ahead, state] : layer)
    for (unsigned number : holders[first]) {
      const std::vector<unsigned> &items = itemsOf[number];
      Ahead next;
      next.reserve(ahead.size() + items.size());
      std::set_union(ahead.begin(), ahead.end(), items.begin(), items.end(),
                     std::back_inserter(next));
      if (next.size() != ahead.size() + items.size())
        continue; // covered twice
      unsigned end = 0;
      while (end < next.size() && next[end] == first + end)
        ++end;
      next.erase(next.begin(), next.begin() + end);
      unsigned option = part.options[number];
      double cost = states.states[state].cost + problem.options[option].cost;
      auto [it, inserted] = layers[first + end].try_emplace(
          std::move(next), states.states.size());
      if (inserted)
        states.states.push_back({cost, first + end, option, state});
      else if (CoverStates::State &known = states.states[it->second];
               cost < known.cost)
        known = {cost, first + end, option, state};
      if (keepsEdges)
        states.edges.push_back({state, it->second, option});
    }
}

bool PartSearch::run(size_t mostAtOnce, unsigned mostStates, bool keepsEdges) {
  unsigned size = part.items.size(), seen = 0;
  layers.resize(size + 1);
  layers[0].try_emplace(Ahead(), 0);
  states.states.push_back({0, 0, 0, 0});
  for (unsigned first = 0; first < size; ++first) {
    // Earlier layers are still reachable through the states.
    Layer layer = std::move(layers[first]);
    seen += layer.size();
    if (layer.size() > mostAtOnce)
      return false;
    if (seen > mostStates && layer.size() > kCheapest) {
      keepCheapest(layer);
      isOptimal = false;
    }
    expand(first, layer, keepsEdges);
  }
  return true;
}

std::optional<Cover> PartSearch::getCover() {
  if (layers.back().empty())
    return std::nullopt;
  Cover cover;
  cover.isOptimal = isOptimal;
  states.last = layers.back().begin()->second;
  cover.cost = states.states[states.last].cost;
  for (unsigned state = states.last; state != 0;
       state = states.states[state].from)
    cover.options.push_back(states.states[state].option);
  return cover;
}

/// Returns the positions of the part's items, each directly after the items
/// that it depends on: the longest branch first, and items without dependencies
/// (such as a copy of a constant at the start of the graph) last. Few items are
/// then covered ahead, regardless of the order of branches in the graph.
static std::vector<unsigned> orderByNeed(const CoverProblem &problem,
                                         const CoverPart &part) {
  unsigned size = part.items.size();
  std::vector<std::vector<unsigned>> needs(size);
  std::vector<unsigned> depth(size, 0), ends;
  for (auto [position, item] : llvm::enumerate(part.items)) {
    // Dependencies come before their users.
    llvm::sort(needs[position], [&](unsigned a, unsigned b) {
      return std::pair(depth[b], a) < std::pair(depth[a], b);
    });
    if (!needs[position].empty())
      depth[position] = depth[needs[position].front()] + 1;
    bool isEnd = true;
    for (unsigned user : problem.users[item]) {
      auto it = llvm::lower_bound(part.items, user);
      if (it == part.items.end() || *it != user)
        continue;
      needs[it - part.items.begin()].push_back(position);
      isEnd = false;
    }
    if (isEnd)
      ends.push_back(position);
  }
  std::vector<unsigned> order;
  std::vector<bool> seen(size, false);
  std::vector<std::pair<unsigned, unsigned>> path; // also the next dependency
  for (unsigned end : ends) {
    path.push_back({end, 0});
    seen[end] = true;
    while (!path.empty()) {
      auto &[position, next] = path.back();
      if (next == needs[position].size()) {
        order.push_back(position);
        path.pop_back();
        continue;
      }
      unsigned need = needs[position][next++];
      if (!seen[need]) {
        seen[need] = true;
        path.push_back({need, 0});
      }
    }
  }
  return order;
}

std::optional<Cover>
tenon::place::solveCoverPart(const CoverProblem &problem, const CoverPart &part,
                             const std::set<unsigned> &forbidden,
                             unsigned mostStates, CoverStates *found) {
  std::vector<unsigned> order(part.items.size());
  for (unsigned position = 0; position < order.size(); ++position)
    order[position] = position;
  // Returns nullopt if the search gave up.
  auto attempt = [&](const std::vector<unsigned> &order,
                     size_t mostAtOnce) -> std::optional<std::optional<Cover>> {
    PartSearch search(problem, part, forbidden, order);
    if (!search.run(mostAtOnce, mostStates, found))
      return std::nullopt;
    std::optional<Cover> cover = search.getCover();
    if (found)
      *found = std::move(search.states);
    return cover;
  };
  if (auto cover = attempt(order, kWide))
    return *cover;
  if (auto cover = attempt(orderByNeed(problem, part), kWide))
    return *cover;
  return *attempt(order, std::numeric_limits<size_t>::max());
}
