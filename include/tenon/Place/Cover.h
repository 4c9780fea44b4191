//===- Cover.h - the cheapest cover of a graph by subgraphs ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves placement as an exact cover: every op belongs to exactly one of the
// chosen subgraphs, the subgraphs can run one after another, and the sum of
// their costs is minimal. The solver uses dynamic programming over sets of
// covered ops, which is exact for any graph. (Collage, PACT'22, section 5.1,
// orders the sets by dominators; here, the next op to cover is the first that
// is not covered.) If two subgraphs depend on each other, one of those on the
// cycle is forbidden, in a best-first search. Cycles that share no subgraph are
// broken independently.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PLACE_COVER_H
#define TENON_PLACE_COVER_H

#include <cstdint>
#include <optional>
#include <vector>

namespace tenon::place {

struct CoverOption {
  /// Ascending and not empty.
  std::vector<unsigned> items;
  /// Not negative, in any unit.
  double cost = 0;
};

struct CoverProblem {
  /// For each item, the items that depend on it. An item depends only on items
  /// before it.
  std::vector<std::vector<unsigned>> users;
  std::vector<CoverOption> options;
};

struct CoverLimits {
  /// The maximum number of sets of covered items for one connected part. Beyond
  /// it, only the cheapest sets are continued.
  unsigned states = 200000;
  /// The maximum number of attempts to break cycles of dependent subgraphs.
  /// Beyond it, the subgraph of a cycle that saves least is forbidden, without
  /// backtracking.
  unsigned attempts = 1000;
};

struct Cover {
  /// Positions in `options`, ascending.
  std::vector<unsigned> options;
  double cost = 0;
  /// Whether no cover is cheaper. False if a limit was reached.
  bool isOptimal = true;
};

/// Returns the cheapest cover. If several covers have the same cost, the choice
/// among them is deterministic. Returns nullopt if there is no cover, or if
/// none was found within the limits.
std::optional<Cover> solveCover(const CoverProblem &problem,
                                const CoverLimits &limits = {});

/// Returns options of a cover that depend on each other. If there are none, the
/// options can run in some order.
std::vector<unsigned> findCycle(const CoverProblem &problem,
                                const std::vector<unsigned> &cover);

/// Solves the same problem by trying every cover, as a reference for tests.
/// Also returns nullopt if there are more than `most` covers.
std::optional<Cover> enumerateCovers(const CoverProblem &problem,
                                     uint64_t most = 10000000);

/// The options that replace one option of a cover in the cheapest cover without
/// it. Cycles are not considered.
struct RunnerUp {
  /// The options that cover its items, and the items of other options that must
  /// be replaced with it; ascending.
  std::vector<unsigned> options;
  /// Their cost minus the cost of the replaced options.
  double extra = 0;
};

/// Returns the runner-up of each option of the cover, in its order, or nullopt
/// if there is no other cover. One search of each part serves all of its
/// options. If the cover is not the cheapest, only the options that must be
/// replaced together are compared.
std::vector<std::optional<RunnerUp>>
findRunnersUp(const CoverProblem &problem, const Cover &cover,
              const CoverLimits &limits = {});

} // namespace tenon::place

#endif // TENON_PLACE_COVER_H
