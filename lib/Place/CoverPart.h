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

/// Items that are connected by options, and these options. Covers of different
/// parts are independent.
struct CoverPart {
  std::vector<unsigned> items;   // ascending
  std::vector<unsigned> options; // positions in the problem, ascending
};

/// Divides all items and options into parts, ordered by their first item.
std::vector<CoverPart> splitCover(const CoverProblem &problem);

/// The sets of covered items that a search of one part visited. An edge adds an
/// option; edges are ordered by the item at which they leave.
struct CoverStates {
  struct State {
    double cost;
    unsigned first;  // first uncovered item, in search order
    unsigned option; // last option, by position in the problem
    unsigned from;   // the state where it was taken
  };
  struct Edge {
    unsigned from, to, option;
  };
  std::vector<State> states; // the empty set is the first
  std::vector<Edge> edges;
  unsigned last = 0;        // the state that covers everything
  unsigned numItems = 0;    // its `first`
  std::vector<unsigned> at; // search order of each item
};

/// Returns the cheapest cover of one part without the forbidden options,
/// ignoring cycles, or nullopt if there is no cover. If `found` is given, the
/// states are kept in it.
std::optional<Cover> solveCoverPart(const CoverProblem &problem,
                                    const CoverPart &part,
                                    const std::set<unsigned> &forbidden,
                                    unsigned mostStates,
                                    CoverStates *found = nullptr);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_COVERPART_H
