//===- BruteForce.cpp - the cheapest choice by exhaustive search ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements only the definition, and shares no code with the engines that it
// checks.
//
//===----------------------------------------------------------------------===//

#include "tenon/EGraph/Extract.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::egraph;

namespace {
class Search {
public:
  explicit Search(const ExtractionProblem &problem)
      : problem(problem), provider(problem.numClasses, -1),
        chosen(problem.nodes.size()) {}

  std::optional<Extraction> run() {
    open.assign(problem.roots.begin(), problem.roots.end());
    decide();
    return best;
  }

private:
  /// Assigns each possible node to the last open class in turn.
  void decide() {
    // Costs are at least 0, so adding nodes never reduces the cost.
    if (best && cost >= best->cost)
      return;
    while (!open.empty() && provider[open.back()] != -1)
      open.pop_back();
    if (open.empty()) {
      take();
      return;
    }
    unsigned c = open.pop_back_val();
    const llvm::SmallVector<unsigned> stillOpen = open;
    for (unsigned n = 0; n < problem.nodes.size(); ++n) {
      const ExtractionNode &node = problem.nodes[n];
      if (!llvm::is_contained(node.outputs, c))
        continue;
      double before = cost;
      provider[c] = n;
      if (chosen[n]++ == 0)
        cost += node.cost;
      open = stillOpen;
      open.append(node.inputs.begin(), node.inputs.end());
      decide();
      --chosen[n];
      cost = before;
      provider[c] = -1;
    }
  }

  /// Records a complete choice if its nodes can be ordered.
  void take() {
    Extraction choice;
    choice.provider = provider;
    choice.cost = cost;
    choice.optimal = true;
    std::vector<char> placed(problem.nodes.size());
    auto isReady = [&](unsigned n) {
      return llvm::all_of(problem.nodes[n].inputs,
                          [&](unsigned c) { return placed[provider[c]] != 0; });
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned n = 0; n < problem.nodes.size(); ++n)
        if (chosen[n] && !placed[n] && isReady(n)) {
          placed[n] = changed = true;
          choice.nodes.push_back(n);
        }
    }
    size_t count = llvm::count_if(chosen, [](unsigned uses) { return uses; });
    if (choice.nodes.size() == count)
      best = std::move(choice);
  }

  const ExtractionProblem &problem;
  std::vector<int> provider;
  /// For each node, the number of classes that it provides.
  std::vector<unsigned> chosen;
  llvm::SmallVector<unsigned> open;
  double cost = 0;
  std::optional<Extraction> best;
};
} // namespace

std::optional<Extraction>
tenon::egraph::extractBruteForce(const ExtractionProblem &problem) {
  return Search(problem).run();
}
