//===- Cover.cpp - the cheapest cover of a graph by pieces ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Place/Cover.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <queue>
#include <set>

using namespace tenon::place;

namespace {
/// Items that options tie together, and these options. Covers of different
/// parts do not depend on each other.
struct Part {
  std::vector<unsigned> items;   // ascending
  std::vector<unsigned> options; // positions in the problem, ascending
};

/// The cheapest cover of one part, cycles not looked at.
class PartSolver {
public:
  PartSolver(const CoverProblem &problem, const Part &part,
             const std::set<unsigned> &forbidden, unsigned mostStates);

  std::optional<Cover> run();

private:
  /// Covered items behind the first that is not, ascending.
  using Ahead = std::vector<unsigned>;
  struct State {
    double cost;
    unsigned option;    // the last one
    unsigned fromFirst; // where it was taken
    const Ahead *fromAhead;
  };

  void keepCheapest(std::map<Ahead, State> &states, size_t count);

  const Part &part;
  const CoverProblem &problem;
  unsigned mostStates;
  /// By item of the part: options whose first item it is.
  std::vector<std::vector<unsigned>> holders;
  std::vector<std::vector<unsigned>> itemsOf; // by option of the part
};
} // namespace

PartSolver::PartSolver(const CoverProblem &problem, const Part &part,
                       const std::set<unsigned> &forbidden, unsigned mostStates)
    : part(part), problem(problem), mostStates(mostStates),
      holders(part.items.size()), itemsOf(part.options.size()) {
  for (auto [number, option] : llvm::enumerate(part.options)) {
    if (forbidden.count(option))
      continue;
    for (unsigned item : problem.options[option].items) {
      unsigned local = llvm::lower_bound(part.items, item) - part.items.begin();
      itemsOf[number].push_back(local);
    }
    // It is taken when its first item is the first that is not covered.
    holders[itemsOf[number].front()].push_back(number);
  }
}

void PartSolver::keepCheapest(std::map<Ahead, State> &states, size_t count) {
  std::vector<double> costs;
  for (const auto &[ahead, state] : states)
    costs.push_back(state.cost);
  std::nth_element(costs.begin(), costs.begin() + count - 1, costs.end());
  double most = costs[count - 1];
  for (auto it = states.begin(); it != states.end();)
    it = it->second.cost > most ? states.erase(it) : std::next(it);
}

std::optional<Cover> PartSolver::run() {
  constexpr size_t kCheapest = 256;
  unsigned size = part.items.size(), seen = 0;
  Cover cover;
  std::vector<std::map<Ahead, State>> states(size + 1);
  states[0].try_emplace(Ahead(), State{0, 0, 0, nullptr});
  for (unsigned first = 0; first < size; ++first) {
    seen += states[first].size();
    if (seen > mostStates && states[first].size() > kCheapest) {
      keepCheapest(states[first], kCheapest);
      cover.isOptimal = false;
    }
    for (const auto &[ahead, state] : states[first])
      for (unsigned option : holders[first]) {
        const std::vector<unsigned> &items = itemsOf[option];
        Ahead next;
        std::set_union(ahead.begin(), ahead.end(), items.begin(), items.end(),
                       std::back_inserter(next));
        if (next.size() != ahead.size() + items.size())
          continue; // covered twice
        unsigned end = 0;
        while (end < next.size() && next[end] == first + end)
          ++end;
        next.erase(next.begin(), next.begin() + end);
        double cost = state.cost + problem.options[part.options[option]].cost;
        auto [it, inserted] = states[first + end].try_emplace(
            std::move(next), State{cost, option, first, &ahead});
        if (!inserted && cost < it->second.cost)
          it->second = State{cost, option, first, &ahead};
      }
  }
  auto last = states[size].find(Ahead());
  if (last == states[size].end())
    return std::nullopt;
  cover.cost = last->second.cost;
  for (const State *state = &last->second; state->fromAhead;
       state = &states[state->fromFirst].find(*state->fromAhead)->second)
    cover.options.push_back(part.options[state->option]);
  return cover;
}

static std::vector<Part> split(const CoverProblem &problem) {
  llvm::EquivalenceClasses<unsigned> classes;
  for (unsigned item = 0; item < problem.users.size(); ++item)
    classes.insert(item);
  for (const CoverOption &option : problem.options)
    for (unsigned item : option.items)
      classes.unionSets(option.items.front(), item);
  std::vector<Part> parts;
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

std::vector<unsigned>
tenon::place::findCycle(const CoverProblem &problem,
                        const std::vector<unsigned> &cover) {
  std::vector<unsigned> ownerOf(problem.users.size());
  for (auto [number, option] : llvm::enumerate(cover))
    for (unsigned item : problem.options[option].items)
      ownerOf[item] = number;
  std::vector<std::set<unsigned>> next(cover.size());
  for (auto [item, users] : llvm::enumerate(problem.users))
    for (unsigned user : users)
      if (ownerOf[item] != ownerOf[user])
        next[ownerOf[item]].insert(ownerOf[user]);
  // Depth first, on a stack of its own: graphs may be long.
  enum { Unseen, Open, Done };
  std::vector<char> state(cover.size(), Unseen);
  std::vector<std::pair<unsigned, std::set<unsigned>::iterator>> path;
  for (unsigned start = 0; start < cover.size(); ++start) {
    if (state[start] != Unseen)
      continue;
    path.push_back({start, next[start].begin()});
    state[start] = Open;
    while (!path.empty()) {
      auto &[node, it] = path.back();
      if (it == next[node].end()) {
        state[node] = Done;
        path.pop_back();
        continue;
      }
      unsigned to = *it++;
      if (state[to] == Open) {
        std::vector<unsigned> cycle;
        for (unsigned i = path.size(); i-- > 0;) {
          cycle.push_back(cover[path[i].first]);
          if (path[i].first == to)
            return cycle;
        }
      }
      if (state[to] == Unseen) {
        state[to] = Open;
        path.push_back({to, next[to].begin()});
      }
    }
  }
  return {};
}

namespace {
/// Best first over sets of forbidden options.
class CoverSolver {
public:
  CoverSolver(const CoverProblem &problem, const CoverLimits &limits)
      : problem(problem), limits(limits), parts(split(problem)) {}

  std::optional<Cover> run(std::set<unsigned> forbidden);

private:
  struct Attempt {
    double cost;
    unsigned number; // breaks ties
    std::set<unsigned> forbidden;
    std::vector<Cover> covers; // by part
    bool operator<(const Attempt &other) const {
      return std::tie(cost, number) > std::tie(other.cost, other.number);
    }
  };

  std::optional<Cover> solvePart(const Part &part,
                                 const std::set<unsigned> &forbidden) const {
    return PartSolver(problem, part, forbidden, limits.states).run();
  }

  const CoverProblem &problem;
  const CoverLimits &limits;
  std::vector<Part> parts;
};
} // namespace

std::optional<Cover> CoverSolver::run(std::set<unsigned> forbidden) {
  Attempt first{0, 0, std::move(forbidden), {}};
  for (const Part &part : parts) {
    std::optional<Cover> cover = solvePart(part, first.forbidden);
    if (!cover)
      return std::nullopt;
    first.cost += cover->cost;
    first.covers.push_back(std::move(*cover));
  }
  std::priority_queue<Attempt> queue;
  queue.push(std::move(first));
  unsigned attempts = 1;
  while (!queue.empty()) {
    Attempt best = queue.top();
    queue.pop();
    Cover whole;
    whole.cost = best.cost;
    for (const Cover &cover : best.covers) {
      llvm::append_range(whole.options, cover.options);
      whole.isOptimal &= cover.isOptimal;
    }
    llvm::sort(whole.options);
    std::vector<unsigned> cycle = findCycle(problem, whole.options);
    if (cycle.empty())
      return whole;
    for (unsigned option : cycle) {
      if (attempts == limits.attempts)
        return std::nullopt;
      auto part = llvm::find_if(parts, [&](const Part &part) {
        return llvm::binary_search(part.options, option);
      });
      Attempt next = best;
      next.number = attempts++;
      next.forbidden.insert(option);
      Cover &cover = next.covers[part - parts.begin()];
      std::optional<Cover> other = solvePart(*part, next.forbidden);
      if (!other)
        continue;
      next.cost += other->cost - cover.cost;
      cover = std::move(*other);
      queue.push(std::move(next));
    }
  }
  return std::nullopt;
}

std::optional<Cover> tenon::place::solveCover(const CoverProblem &problem,
                                              const CoverLimits &limits) {
  return CoverSolver(problem, limits).run({});
}

std::vector<std::optional<RunnerUp>>
tenon::place::findRunnersUp(const CoverProblem &problem, const Cover &cover,
                            const CoverLimits &limits) {
  std::vector<std::optional<RunnerUp>> found(cover.options.size());
  for (const Part &part : split(problem)) {
    double before = 0;
    for (unsigned option : part.options)
      if (llvm::binary_search(cover.options, option))
        before += problem.options[option].cost;
    for (auto [number, option] : llvm::enumerate(cover.options)) {
      if (!llvm::binary_search(part.options, option))
        continue;
      std::optional<Cover> other =
          PartSolver(problem, part, {option}, limits.states).run();
      if (!other)
        continue;
      found[number].emplace();
      found[number]->extra = other->cost - before;
      for (unsigned chosen : other->options)
        if (!llvm::binary_search(cover.options, chosen))
          found[number]->options.push_back(chosen);
      llvm::sort(found[number]->options);
    }
  }
  return found;
}
