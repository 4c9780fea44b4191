//===- GreedyMoves.h - moves from one choice to others --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each move changes a GreedyState, and records the classes that it switched.
// The caller compares the cost, and commits or rolls back.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_GREEDYMOVES_H
#define TENON_LIB_EGRAPH_GREEDYMOVES_H

#include "GreedyBottomUp.h"
#include "GreedyState.h"

namespace tenon::egraph {

class GreedyMoves {
public:
  GreedyMoves(const ExtractionIndex &index, const BottomUpChoice &bottomUp,
              GreedyState &state)
      : index(index), bottomUp(bottomUp), state(state),
        ways(index.givers.size()) {}

  enum Kind { Swap, Group, Drop };

  /// Applies a move. Swap: the node provides all needed classes that it can
  /// provide. Group: a node provides all needed classes that can be computed
  /// only from its results, through a few cheap nodes, or by one node that
  /// reads them. Drop: all classes that are computed from a class get other
  /// providers; here `which` is a class, otherwise a node. Returns false if
  /// there is nothing to change, or if no commit from number `since` on has
  /// changed anything near; with `since` 0, always tries.
  bool apply(Kind kind, unsigned which, unsigned since);

  /// Returns the classes that the last move switched, with their old nodes.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> getSwitched() const {
    return switched;
  }

private:
  bool swap(unsigned node, unsigned since);
  bool group(unsigned node, unsigned since);
  bool drop(unsigned cls, unsigned since);
  void reach(unsigned node);
  void reachThrough(unsigned reader, unsigned level);
  bool hasChanged(llvm::ArrayRef<unsigned> classes, unsigned since) const;
  void switchTo(unsigned cls, unsigned node);

  const ExtractionIndex &index;
  const BottomUpChoice &bottomUp;
  GreedyState &state;
  llvm::SmallVector<std::pair<unsigned, unsigned>> switched;

  /// The classes that can be computed from a node's results, starting with
  /// these.
  llvm::SmallVector<unsigned> reached;
  /// How a class was reached.
  struct Way {
    unsigned search = 0; // number of the search
    unsigned depth = 0;  // nodes on the path
    double cost = 0;     // of the nodes on the path
    unsigned via = 0;    // last node of the path
  };
  std::vector<Way> ways; // by class
  unsigned search = 0;
};

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_GREEDYMOVES_H
