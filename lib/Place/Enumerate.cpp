//===- Enumerate.cpp - every cover of a small graph -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Place/Cover.h"

using namespace tenon::place;

namespace {
class Enumeration {
public:
  Enumeration(const CoverProblem &problem, uint64_t most)
      : problem(problem), covered(problem.users.size(), false), left(most) {}

  std::optional<Cover> run() {
    visit(0, 0);
    return left > 0 ? best : std::nullopt;
  }

private:
  void visit(unsigned first, double cost);

  const CoverProblem &problem;
  std::vector<bool> covered;
  std::vector<unsigned> chosen;
  uint64_t left;
  std::optional<Cover> best;
};
} // namespace

void Enumeration::visit(unsigned first, double cost) {
  while (first < covered.size() && covered[first])
    ++first;
  if (left == 0)
    return;
  if (first == covered.size()) {
    --left;
    if ((!best || cost < best->cost) && findCycle(problem, chosen).empty())
      best = Cover{chosen, cost, true};
    return;
  }
  for (unsigned option = 0; option < problem.options.size(); ++option) {
    const std::vector<unsigned> &items = problem.options[option].items;
    bool fits = items.front() == first;
    for (unsigned item : items)
      fits &= !covered[item];
    if (!fits)
      continue;
    for (unsigned item : items)
      covered[item] = true;
    chosen.push_back(option);
    visit(first + 1, cost + problem.options[option].cost);
    chosen.pop_back();
    for (unsigned item : items)
      covered[item] = false;
  }
}

std::optional<Cover> tenon::place::enumerateCovers(const CoverProblem &problem,
                                                   uint64_t most) {
  return Enumeration(problem, most).run();
}
