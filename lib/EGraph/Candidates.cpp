//===- Candidates.cpp - several good choices ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GreedyMoves.h"

#include "tenon/EGraph/Extract.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"

#include <limits>

using namespace tenon::egraph;

/// The relative change of costs, up or down, to find other local optima.
static constexpr double strengths[] = {0.05, 0.2, 0.5};

/// Returns a reproducible pseudo-random number in [0, 1) (SplitMix64).
static double scatter(uint64_t seed) {
  uint64_t bits = seed + 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return double((bits ^ (bits >> 31)) >> 11) / double(uint64_t(1) << 53);
}

namespace {
/// Keeps the cheapest `limit` of the added choices, without duplicates.
class Ranking {
public:
  explicit Ranking(size_t limit) : limit(limit) {}

  /// Returns the cost from which on choices are rejected.
  double getBound() const {
    return entries.size() < limit ? std::numeric_limits<double>::infinity()
           : entries.empty()      ? 0
                                  : entries.back().choice.cost;
  }

  bool contains(const std::vector<unsigned> &nodes) const {
    return llvm::any_of(
        entries, [&](const Entry &entry) { return entry.nodes == nodes; });
  }

  void add(Extraction choice) {
    Entry entry{choice.nodes, std::move(choice)};
    llvm::sort(entry.nodes);
    if (contains(entry.nodes))
      return;
    entries.insert(llvm::upper_bound(entries, entry), std::move(entry));
    if (entries.size() > limit)
      entries.pop_back();
  }

  struct Entry {
    /// Sorted, because two orders of the same nodes are the same choice.
    std::vector<unsigned> nodes;
    Extraction choice;
    bool operator<(const Entry &other) const {
      return std::tie(choice.cost, nodes) <
             std::tie(other.choice.cost, other.nodes);
    }
  };
  std::vector<Entry> entries;

private:
  size_t limit;
};
} // namespace

/// Adds local optima for modified costs, each computed on a separate thread,
/// while `beside` runs on another thread.
static void addOptima(const ExtractionProblem &problem, unsigned count,
                      const GreedyOptions &options, Ranking &ranking,
                      llvm::function_ref<void()> beside) {
  const size_t tries = llvm::alignTo(size_t(count), std::size(strengths));
  GreedyOptions part;
  part.moves = options.moves / tries;
  part.stepsPerNode = options.stepsPerNode / tries;
  std::vector<std::optional<Extraction>> found(tries);
  llvm::parallelFor(0, tries + 1, [&](size_t task) {
    if (task == 0)
      return beside();
    const size_t number = task - 1;
    const double strength = strengths[number % std::size(strengths)];
    ExtractionProblem changed = problem;
    uint64_t seed = number * problem.nodes.size();
    for (ExtractionNode &node : changed.nodes)
      node.cost *= 1 + strength * (2 * scatter(seed++) - 1);
    found[number] = extractGreedy(changed, part);
  });
  for (const std::optional<Extraction> &choice : found)
    if (choice)
      ranking.add(*orderExtraction(problem, choice->provider));
}

/// Adds the choices that differ from `best` by one move.
static void addNeighbours(const ExtractionProblem &problem,
                          const ExtractionIndex &index,
                          llvm::ArrayRef<int> best,
                          const GreedyOptions &options, Ranking &ranking) {
  BottomUpChoice bottomUp = chooseBottomUp(index);
  GreedyState state(index, bottomUp.provider);
  GreedyMoves moves(index, bottomUp, state);
  state.reset(best);
  const GreedyState::Mark start = state.mark();
  uint64_t left = options.moves;
  const uint64_t mostSteps =
      state.getSteps() + options.stepsPerNode * problem.nodes.size();
  auto attempt = [&](GreedyMoves::Kind kind, unsigned which) {
    if (left == 0 || state.getSteps() >= mostSteps ||
        !moves.apply(kind, which, /*since=*/0))
      return;
    --left;
    if (state.getCost() < ranking.getBound() && state.settle())
      ranking.add(*orderExtraction(problem, state.getProviders()));
    state.rollback(start);
  };
  // Drops come first, because they undo merges.
  for (unsigned c = 0; c < index.givers.size(); ++c)
    attempt(GreedyMoves::Drop, c);
  for (unsigned n = 0; n < index.outputs.size(); ++n) {
    attempt(GreedyMoves::Swap, n);
    attempt(GreedyMoves::Group, n);
  }
}

std::vector<Extraction>
tenon::egraph::extractCandidates(const ExtractionProblem &problem,
                                 const Extraction &best, unsigned count,
                                 const GreedyOptions &options) {
  if (count == 0)
    return {};
  ExtractionIndex index(problem);
  Ranking optima(count), neighbours(count);
  std::optional<std::vector<int>> provider = index.translate(problem, best);
  if (count > 1)
    addOptima(problem, count - 1, options, optima, [&] {
      if (provider)
        addNeighbours(problem, index, *provider, options, neighbours);
    });

  // If there are enough optima, at most half of the choices are neighbours,
  // because many neighbours do not differ from `best` in a relevant way.
  Ranking result(count);
  result.add(best);
  const size_t half = (count + 1) / 2;
  for (size_t from : {size_t(0), half})
    for (const Ranking *source : {&optima, &neighbours})
      for (size_t i = from; i < source->entries.size(); ++i) {
        const Ranking::Entry &entry = source->entries[i];
        size_t end = from == 0 ? half : count;
        if (i < end && result.entries.size() < count)
          result.add(entry.choice);
      }
  std::vector<Extraction> choices;
  for (Ranking::Entry &entry : result.entries)
    choices.push_back(std::move(entry.choice));
  return choices;
}
