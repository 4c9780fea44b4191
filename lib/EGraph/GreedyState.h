//===- GreedyState.h - a choice that moves change -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice with counts of how often each class and node is needed, so that a
// move costs as much as what it changes, and can be taken back.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_GREEDYSTATE_H
#define TENON_LIB_EGRAPH_GREEDYSTATE_H

#include "ExtractionIndex.h"

namespace tenon::egraph {

class GreedyState {
public:
  /// `fallback` gives each class a node such that following them leads into no
  /// cycle (see chooseBottomUp).
  GreedyState(const ExtractionIndex &index, llvm::ArrayRef<int> fallback);

  /// Starts anew: each class from its node in `provider`, where that is not -1.
  void reset(llvm::ArrayRef<int> provider);

  double getCost() const { return cost; }
  bool isNeeded(unsigned c) const { return need[c] > 0; }
  /// The node that gives a class now, -1 where it is not needed.
  int getProvider(unsigned c) const { return provider[c]; }
  bool isChosen(unsigned n) const { return use[n] > 0; }
  llvm::ArrayRef<int> getProviders() const { return provider; }

  /// Takes a needed class from another node.
  void assign(unsigned c, unsigned n);
  /// Says where to take a class from if it gets needed before the next commit.
  void prefer(unsigned c, unsigned n);

  /// A place to return to.
  struct Mark {
    size_t log;
    double cost;
    unsigned numNeeded;
  };
  Mark mark() const { return {log.size(), cost, numNeeded}; }
  void rollback(Mark mark);

  /// Makes the choice free of cycles, if need be by taking back parts of what
  /// was changed since the last commit, and keeps it if it then costs less than
  /// `bound`. Otherwise the caller must roll back.
  bool commitBelow(double bound);
  /// The same cycle repair without keeping anything: the caller rolls back.
  bool settle();
  unsigned getCommits() const { return commits; }
  /// How often a class was looked at or changed, which is what moves cost.
  uint64_t getSteps() const { return steps; }
  /// The number of the commit, from 1 on, that changed a class last; 0 if none.
  unsigned getChange(unsigned c) const { return changed[c]; }

private:
  enum class Field : uint8_t { Need, Use, Provider, Preferred };
  struct Change {
    Field field;
    unsigned at;
    int old;
  };

  int &at(Field field, unsigned i);
  void set(Field field, unsigned i, int value);
  void acquire(unsigned n);
  void release(unsigned n);
  /// The node to take a class from that gets needed.
  unsigned pick(unsigned c);
  /// What node `n` adds for class `c`, or at least `bound`.
  double getMarginalCost(unsigned n, unsigned c, double bound);
  /// Classes along a cycle; empty where there is none. Sums up `exactCost`.
  llvm::SmallVector<unsigned> findCycle();
  /// Changes one class of a cycle back. False where no class was changed.
  bool breakCycle(llvm::ArrayRef<unsigned> cycle);
  void startSearch() { ++epoch; }

  const ExtractionIndex &index;
  llvm::ArrayRef<int> fallback;
  /// By class: readers among chosen nodes, and 1 if it is a root.
  std::vector<int> need;
  /// By node: needed classes that it gives.
  std::vector<int> use;
  std::vector<int> provider, preferred;
  double cost = 0;
  unsigned numNeeded = 0;
  std::vector<Change> log;

  unsigned commits = 0;
  uint64_t steps = 0;
  std::vector<unsigned> changed;
  double exactCost = 0;
  /// Marks of searches: seen in the search of this number.
  unsigned epoch = 0;
  std::vector<unsigned> seenClass, seenNode, doneNode;
  /// Of getMarginalCost, which is called more than all else.
  std::vector<unsigned> open;
};

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_GREEDYSTATE_H
