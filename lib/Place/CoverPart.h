//===- CoverPart.h - covers of the parts of a graph -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_COVERPART_H
#define TENON_LIB_PLACE_COVERPART_H

#include "tenon/Place/Cover.h"

#include <map>
#include <set>

namespace tenon::place {

/// Items that options tie together, and these options. Covers of different
/// parts do not depend on each other.
struct CoverPart {
  std::vector<unsigned> items;   // ascending
  std::vector<unsigned> options; // positions in the problem, ascending
};

/// All items and options, each in one part, ordered by the first item.
std::vector<CoverPart> splitCover(const CoverProblem &problem);

/// The sets of covered items that a search of one part met. An edge adds an
/// option; edges are ordered by the item at which they leave.
struct CoverStates {
  struct State {
    double cost;
    unsigned first;  // the first item that is not covered, in the search order
    unsigned option; // the last one, by its position in the problem
    unsigned from;   // the state where it was taken
  };
  struct Edge {
    unsigned from, to, option;
  };
  std::vector<State> states; // the empty set is the first
  std::vector<Edge> edges;
  unsigned last = 0;        // the state that covers everything
  unsigned numItems = 0;    // its `first`
  std::vector<unsigned> at; // where each item of the part is, in search order
};

/// The cheapest cover of one part without the forbidden options; cycles are not
/// looked at. None if there is no cover. With `found`, the states are kept.
std::optional<Cover> solveCoverPart(const CoverProblem &problem,
                                    const CoverPart &part,
                                    const std::set<unsigned> &forbidden,
                                    unsigned mostStates,
                                    CoverStates *found = nullptr);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_COVERPART_H
