//===- Extract.h - engines that extract -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EGRAPH_EXTRACT_H
#define TENON_EGRAPH_EXTRACT_H

#include "tenon/EGraph/Extraction.h"

namespace tenon::egraph {

/// Bounds are counts, so that results are the same everywhere.
struct GreedyOptions {
  /// Moves that local improvement may try.
  uint64_t moves = 50000;
  /// Classes that all moves together may look at or change, per node of the
  /// problem. In a long chain, one move may change all that lies below it.
  uint64_t stepsPerNode = 20000;
};

/// Bottom-up by the cost of trees, then local improvement of the cost of the
/// graph, where sharing counts once: a move lets every needed class that can be
/// computed from the results of one node (a merged kernel) be computed from
/// them, or a single class change its node. Never dearer than `start`, if that
/// is given. nullopt where a root has no choice without a cycle.
std::optional<Extraction> extractGreedy(const ExtractionProblem &problem,
                                        const GreedyOptions &options = {},
                                        const Extraction *start = nullptr);

struct IlpOptions {
  /// Nodes of the branch-and-bound tree over all rounds.
  uint64_t solverNodes = 20000;
  /// How often cycles may be cut off and the rest be solved again.
  unsigned rounds = 50;
  /// Problems with more nodes that matter are not given to the solver: its work
  /// before the first branch has no bound of its own.
  unsigned problemNodes = 5000;
};

/// The cheapest choice, by an integer linear program (CBC) in which cycles are
/// cut off where they occur. Where a bound is reached, the best choice found,
/// with `optimal` not set. nullopt where there is no choice, or no solver in
/// this build (see hasIlpSolver).
std::optional<Extraction> extractIlp(const ExtractionProblem &problem,
                                     const IlpOptions &options = {},
                                     const Extraction *start = nullptr);
bool hasIlpSolver();

/// Every choice is tried: for tests. nullopt where there is none.
std::optional<Extraction> extractBruteForce(const ExtractionProblem &problem);

/// Up to `count` different choices, cheapest first, with `best` among them:
/// local optima and choices next to `best`, to be scored again by what the sum
/// of node costs does not see.
std::vector<Extraction> extractCandidates(const ExtractionProblem &problem,
                                          const Extraction &best,
                                          unsigned count,
                                          const GreedyOptions &options = {});

/// Says what is wrong with a choice: a class that nothing gives, a cycle, a
/// wrong order or sum; empty where it is right.
std::string checkExtraction(const ExtractionProblem &problem,
                            const Extraction &extraction);

} // namespace tenon::egraph

#endif // TENON_EGRAPH_EXTRACT_H
