//===- GreedyBottomUp.cpp - an initial choice, from the leaves up ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of a class is the cost of the graph below it, not of its tree. The
// size of trees doubles at each residual connection, so that the relevant
// differences would vanish in their costs.
//
//===----------------------------------------------------------------------===//

#include "GreedyBottomUp.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <queue>

using namespace tenon::egraph;

namespace {
class BottomUp {
public:
  explicit BottomUp(const ExtractionIndex &index)
      : index(index), missing(index.inputs.size()), below(index.givers.size()),
        rank(index.inputs.size(), -1) {
    choice.provider.assign(index.givers.size(), -1);
    choice.reach.assign(index.givers.size(), 0);
  }

  BottomUpChoice run() {
    for (unsigned n = 0; n < index.inputs.size(); ++n) {
      missing[n] = index.inputs[n].size();
      if (missing[n] == 0 && !index.outputs[n].empty())
        queue.push({index.costs[n], n});
    }
    while (!queue.empty()) {
      auto [cost, n] = queue.top();
      queue.pop();
      settle(n, cost);
    }
    return std::move(choice);
  }

private:
  /// Ranks of nodes, one bit each.
  using Set = std::vector<uint64_t>;

  /// Returns the nodes below the inputs of a node, and their cost. The cost of
  /// the nodes below the costliest input is known, so only the additional nodes
  /// of the others are summed.
  std::pair<Set, double> unionBelow(unsigned n) const {
    if (index.inputs[n].empty())
      return {Set(), 0};
    unsigned costliest =
        *std::max_element(index.inputs[n].begin(), index.inputs[n].end(),
                          [&](unsigned a, unsigned b) {
                            return choice.reach[a] < choice.reach[b];
                          });
    std::pair<Set, double> result(below[costliest], choice.reach[costliest]);
    auto &[all, cost] = result;
    for (unsigned c : index.inputs[n]) {
      const Set &set = below[c];
      if (all.size() < set.size())
        all.resize(set.size());
      for (size_t w = 0; w < set.size(); ++w) {
        for (uint64_t bits = set[w] & ~all[w]; bits; bits &= bits - 1)
          cost += costByRank[64 * w + llvm::countr_zero(bits)];
        all[w] |= set[w];
      }
    }
    return result;
  }

  void settle(unsigned n, double cost) {
    Set set;
    for (unsigned c : index.outputs[n]) {
      if (choice.provider[c] != -1)
        continue;
      if (set.empty()) {
        set = unionBelow(n).first;
        rank[n] = costByRank.size();
        costByRank.push_back(index.costs[n]);
        set.resize(std::max<size_t>(set.size(), rank[n] / 64 + 1));
        set[rank[n] / 64] |= uint64_t(1) << (rank[n] % 64);
      }
      choice.provider[c] = n;
      choice.reach[c] = cost;
      below[c] = set;
      for (unsigned reader : index.readers[c])
        if (--missing[reader] == 0)
          queue.push({unionBelow(reader).second + index.costs[reader], reader});
    }
  }

  const ExtractionIndex &index;
  BottomUpChoice choice;
  /// For each node, the number of inputs that are not settled.
  std::vector<unsigned> missing;
  /// For each class, the nodes below it.
  std::vector<Set> below;
  /// The ranks of providing nodes, in the order in which they were settled.
  std::vector<int> rank;
  std::vector<double> costByRank;
  using Entry = std::pair<double, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
};
} // namespace

BottomUpChoice tenon::egraph::chooseBottomUp(const ExtractionIndex &index) {
  return BottomUp(index).run();
}
