//===- Decision.h - candidates that become rules --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DISCOVER_DECISION_H
#define TENON_LIB_DISCOVER_DECISION_H

#include "tenon/Discover/DerivationWorkers.h"
#include "tenon/Discover/Discovery.h"

#include <chrono>

namespace tenon::discover {

/// Measures the seconds from its creation on.
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// Takes candidates one after another: drops those that follow from the rules
/// that are known, and has the others proved.
class Decision {
public:
  Decision(Terms &terms, Equations &equations, Equations &open,
           const Prover &prover, DiscoveryReport &report)
      : terms(terms), equations(equations), open(open), prover(prover),
        report(report) {}

  /// The candidates that are wrong for other sizes, or could not be stated for
  /// them. Counts in `level` what happened to the others.
  std::vector<Candidate> decide(llvm::ArrayRef<Candidate> candidates,
                                LevelReport &level, llvm::StringRef what,
                                const Advance &advance);
  /// Marks rules that the others imply, the last that were found first; what
  /// remains is a basis.
  void findBasis();
  /// Whether both sides, of one result, are rewritten to the same graph.
  bool follows(const Candidate &candidate);

private:
  /// A statement of a candidate, in the direction of the rule.
  struct Direction {
    Candidate candidate;
    StatementOptions options;
    FoundRule rule;
    std::optional<Generalized> statement;
  };
  struct Pending {
    Candidate candidate;
    std::vector<Direction> directions; // the first leads to the smaller graph
    size_t known = 0; // the rules from which it was not derived
  };
  Direction state(const Candidate &candidate, std::string name, bool isReverse,
                  StatementOptions options = {});
  Direction restate(const Direction &direction, StatementOptions options) {
    return state(direction.candidate, direction.rule.name,
                 direction.rule.isReverse, std::move(options));
  }
  /// Sets the verdicts on rules that could be stated.
  void ask(llvm::ArrayRef<Direction *> directions);
  void askWithoutLeadingAxes(llvm::ArrayRef<Direction *> directions);
  void askForOtherPairings(llvm::ArrayRef<Direction *> directions);
  void askForPositiveSizes(llvm::ArrayRef<Direction *> directions);
  void addReverse(Pending &pending, const Candidate &reverse);
  void prove(std::deque<Pending> &batch);
  /// Whether rules that are known give each of these; null: it is not stated.
  std::vector<bool> areDerived(llvm::ArrayRef<const Direction *> directions);
  /// Adds to `batch` those candidates that neither follow nor are derived.
  void addPending(llvm::ArrayRef<Candidate> candidates, LevelReport &level,
                  std::deque<Pending> &batch);
  std::string name(const Candidate &candidate);
  /// A name that no other rule has.
  std::string nextName(const Candidate &candidate);
  /// Lets a candidate that holds decide others.
  void learn(const Candidate &candidate, const Generalized &statement);
  void accept(Pending &pending, LevelReport &level);
  void addSharedWeights(llvm::ArrayRef<Direction> directions);

  Terms &terms;
  Equations &equations, &open;
  const Prover &prover;
  DiscoveryReport &report;
  DerivationWorkers derivations;
  std::map<std::string, unsigned> names;
};

} // namespace tenon::discover

#endif // TENON_LIB_DISCOVER_DECISION_H
