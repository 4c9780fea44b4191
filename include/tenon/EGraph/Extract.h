//===- Extract.h - extraction engines -------------------------------------===//
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

/// Limits are counts rather than times, so that results are reproducible.
struct GreedyOptions {
  /// The maximum number of moves of local improvement.
  uint64_t moves = 50000;
  /// The maximum number of classes that all moves together may visit or change,
  /// per node of the problem. In a long chain, one move may change everything
  /// below it.
  uint64_t stepsPerNode = 20000;
};

/// First chooses bottom-up by the cost of trees. Then improves the cost of the
/// graph, in which shared nodes count once, by local moves: a move computes all
/// needed classes that can be computed from the results of one node (a merged
/// kernel) from these, or changes the node of a single class. The result is
/// never costlier than `start`, if that is given. Returns nullopt if every
/// choice for some root has a cycle.
std::optional<Extraction> extractGreedy(const ExtractionProblem &problem,
                                        const GreedyOptions &options = {},
                                        const Extraction *start = nullptr);

struct IlpOptions {
  /// The maximum number of nodes of the branch-and-bound tree over all rounds.
  uint64_t solverNodes = 20000;
  /// The maximum number of times that cycles are cut off and the problem is
  /// solved again.
  unsigned rounds = 50;
  /// Problems with more relevant nodes are not passed to the solver, because
  /// its work before the first branch is not bounded.
  unsigned problemNodes = 5000;
};

/// Returns the cheapest choice, by an integer linear program (CBC) in which
/// cycles are cut off if they occur. If a limit is reached, returns the best
/// choice found, with `optimal` not set. Returns nullopt if there is no choice,
/// or if this build has no solver (see hasIlpSolver).
std::optional<Extraction> extractIlp(const ExtractionProblem &problem,
                                     const IlpOptions &options = {},
                                     const Extraction *start = nullptr);
bool hasIlpSolver();

/// Tries every choice, as a reference for tests. Returns nullopt if there is
/// none.
std::optional<Extraction> extractBruteForce(const ExtractionProblem &problem);

/// Returns up to `count` different choices, cheapest first, with `best` among
/// them: local optima, and choices that differ from `best` by one move. They
/// can be compared again by a cost that includes more than the sum of node
/// costs.
std::vector<Extraction> extractCandidates(const ExtractionProblem &problem,
                                          const Extraction &best,
                                          unsigned count,
                                          const GreedyOptions &options = {});

/// Returns a description of the error in a choice: a class without a node, a
/// cycle, or a wrong order or sum. Returns an empty string if the choice is
/// valid.
std::string checkExtraction(const ExtractionProblem &problem,
                            const Extraction &extraction);

} // namespace tenon::egraph

#endif // TENON_EGRAPH_EXTRACT_H
