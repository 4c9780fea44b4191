//===- GreedyState.h - a choice that moves modify -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice with counts of the uses of each class and node, so that the cost of
// a move is proportional to its changes, and moves can be rolled back.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_GREEDYSTATE_H
#define TENON_LIB_EGRAPH_GREEDYSTATE_H

#include "ExtractionIndex.h"

namespace tenon::egraph {

class GreedyState {
public:
  /// `fallback` has a node for each class such that following these leads into
  /// no cycle (see chooseBottomUp).
  GreedyState(const ExtractionIndex &index, llvm::ArrayRef<int> fallback);

  /// Resets the choice: each class gets its node in `provider`, unless that is
  /// -1.
  void reset(llvm::ArrayRef<int> provider);

  double getCost() const { return cost; }
  bool isNeeded(unsigned c) const { return need[c] > 0; }
  /// Returns the node that currently provides a class, or -1 if it is not
  /// needed.
  int getProvider(unsigned c) const { return provider[c]; }
  bool isChosen(unsigned n) const { return use[n] > 0; }
  llvm::ArrayRef<int> getProviders() const { return provider; }

  /// Changes the node of a needed class.
  void assign(unsigned c, unsigned n);
  /// Sets the node of a class for the case that it becomes needed before the
  /// next commit.
  void prefer(unsigned c, unsigned n);

  /// A position in the log to return to.
  struct Mark {
    size_t log;
    double cost;
    unsigned numNeeded;
  };
  Mark mark() const { return {log.size(), cost, numNeeded}; }
  void rollback(Mark mark);

  /// Removes cycles from the choice, if necessary by reverting some of the
  /// changes since the last commit, and commits the choice if it then costs
  /// less than `bound`. Otherwise the caller must roll back.
  bool commitBelow(double bound);
  /// Repairs cycles in the same way without a commit: the caller rolls back.
  bool settle();
  unsigned getCommits() const { return commits; }
  /// Returns how often a class was visited or changed, which measures the cost
  /// of moves.
  uint64_t getSteps() const { return steps; }
  /// Returns the number, from 1 on, of the last commit that changed a class; 0
  /// if there is none.
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
  /// Returns the node for a class that becomes needed.
  unsigned pick(unsigned c);
  /// Returns the cost that node `n` adds for class `c`, or at least `bound`.
  double getMarginalCost(unsigned n, unsigned c, double bound);
  /// Returns the classes along a cycle; empty if there is none. Also computes
  /// `exactCost`.
  llvm::SmallVector<unsigned> findCycle();
  /// Reverts the change of one class of a cycle. Returns false if no class was
  /// changed.
  bool breakCycle(llvm::ArrayRef<unsigned> cycle);
  void startSearch() { ++epoch; }

  const ExtractionIndex &index;
  llvm::ArrayRef<int> fallback;
  /// For each class, the number of readers among chosen nodes, plus 1 if it is
  /// a root.
  std::vector<int> need;
  /// For each node, the number of needed classes that it provides.
  std::vector<int> use;
  std::vector<int> provider, preferred;
  double cost = 0;
  unsigned numNeeded = 0;
  std::vector<Change> log;

  unsigned commits = 0;
  uint64_t steps = 0;
  std::vector<unsigned> changed;
  double exactCost = 0;
  /// The number of the search in which a class or node was last visited.
  unsigned epoch = 0;
  std::vector<unsigned> seenClass, seenNode, doneNode;
  /// Buffer of getMarginalCost, which is the most frequently called function.
  std::vector<unsigned> open;
};

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_GREEDYSTATE_H
