//===- GreedyMoves.h - steps from one choice to others --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each move changes a GreedyState, and says which classes it switched. The
// caller looks at the cost, and commits or rolls back.
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

  /// Swap: takes the needed classes that a node gives from that node.
  /// Group: takes all needed classes from a node that can be computed from its
  /// results alone, through a few cheap nodes, or by one node that reads them.
  /// Drop: takes all classes that are computed from a class from elsewhere;
  /// here `which` is a class, above it is a node.
  /// False where there is nothing to change, or where no commit from number
  /// `since` on has changed anything near; 0 looks in any case.
  bool apply(Kind kind, unsigned which, unsigned since);

  /// What the last move switched: classes, and the nodes that gave them.
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

  /// Classes that can be computed from a node's results, these first.
  llvm::SmallVector<unsigned> reached;
  /// How a class was reached.
  struct Way {
    unsigned search = 0; // by which search
    unsigned depth = 0;  // nodes on the way
    double cost = 0;     // of the nodes on the way
    unsigned via = 0;    // the last of them
  };
  std::vector<Way> ways; // by class
  unsigned search = 0;
};

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_GREEDYMOVES_H
