//===- Cover.h - the cheapest cover of a graph by pieces ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Placement as an exact cover: every op belongs to exactly one of the chosen
// pieces, the pieces can run one after another, and the sum of their costs is
// least. Solved by dynamic programming over sets of covered ops (Collage,
// PACT'22, section 5.1, which orders the sets by dominators; here the next op
// to cover is the first that is not covered), which is exact for any graph.
// Where two pieces need each other, one of those on the cycle is forbidden,
// best first; cycles that share no piece are broken one by one.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PLACE_COVER_H
#define TENON_PLACE_COVER_H

#include <cstdint>
#include <optional>
#include <vector>

namespace tenon::place {

struct CoverOption {
  /// Ascending, not empty.
  std::vector<unsigned> items;
  /// Not negative, in any unit.
  double cost = 0;
};

struct CoverProblem {
  /// By item, the items that need it; an item needs only items before it.
  std::vector<std::vector<unsigned>> users;
  std::vector<CoverOption> options;
};

struct CoverLimits {
  /// Sets of covered items that one connected part may reach; beyond, only the
  /// cheapest sets go on.
  unsigned states = 200000;
  /// Attempts to break the cycles between pieces that tie each other; beyond,
  /// the piece of a cycle that saves least goes, without a way back.
  unsigned attempts = 1000;
};

struct Cover {
  /// Positions in `options`, ascending.
  std::vector<unsigned> options;
  double cost = 0;
  /// Whether no cover is cheaper. False where a limit was met.
  bool isOptimal = true;
};

/// Deterministic: of covers that cost the same, one is always taken. None where
/// there is no cover, or none was found within the limits.
std::optional<Cover> solveCover(const CoverProblem &problem,
                                const CoverLimits &limits = {});

/// Options of a cover that need each other; empty: they can run in some order.
std::vector<unsigned> findCycle(const CoverProblem &problem,
                                const std::vector<unsigned> &cover);

/// The same by trying every cover, to test against. None also where there are
/// more than `most`.
std::optional<Cover> enumerateCovers(const CoverProblem &problem,
                                     uint64_t most = 10000000);

/// What would stand in a cover instead of one of its options, in the cheapest
/// cover without it. Cycles are not looked at.
struct RunnerUp {
  /// Those that cover its items, and the items of what else of the cover has to
  /// go with it; ascending.
  std::vector<unsigned> options;
  /// What they cost above what goes.
  double extra = 0;
};

/// By option of the cover, in its order; none: no other cover exists. One
/// search of each part serves all of its options. Of a cover that is not the
/// cheapest, only what must go with an option is compared.
std::vector<std::optional<RunnerUp>>
findRunnersUp(const CoverProblem &problem, const Cover &cover,
              const CoverLimits &limits = {});

} // namespace tenon::place

#endif // TENON_PLACE_COVER_H
