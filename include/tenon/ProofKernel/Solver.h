//===- Solver.h - questions about integers to Z3 --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_SOLVER_H
#define TENON_PROOFKERNEL_SOLVER_H

#include "tenon/ProofKernel/Formula.h"

#include <memory>

namespace tenon::prove {

/// The solver and its version; empty when Tenon was built without one.
std::string getSolverVersion();

/// Bound of one question, in the solver's own deterministic unit.
constexpr uint64_t defaultRlimit = 1'500'000;

/// A sum of integer terms, each counted where its formula holds.
using CountedTerms = std::vector<std::pair<FormulaRef, SymInt>>;

/// Decides quantifier-free formulas over integers. Every answer depends on its
/// question alone, but for what all may take. Symbols are at least 0, index
/// variables any integer.
class Solver {
public:
  enum class Answer { Yes, No, Unknown };

  /// `rlimit` bounds one question; all of a solver may take three times as
  /// much, and the first that reaches its bound is the last. A question is
  /// given up, too, after a second of a processor for each 500,000 of
  /// `rlimit`, at least one. 0: no bound. Where `dumpPrefix` is not empty,
  /// questions are written as `<prefix>-N.smt2`.
  explicit Solver(uint64_t rlimit, std::string dumpPrefix = "");
  ~Solver();

  /// Whether `goal` follows from `context`. An Unknown leaves its reason in
  /// `reason`.
  Answer follows(const FormulaRef &context, const FormulaRef &goal);
  /// Whether the sum is 0 wherever `context` holds.
  Answer isZero(const FormulaRef &context, const CountedTerms &sum);
  /// Whether nothing satisfies `context`.
  bool isImpossible(const FormulaRef &context) {
    return follows(context, Formula::never()) == Answer::Yes;
  }

  /// Counts, and bounds, as if nothing had been asked before; answers that are
  /// known count as if they were asked again.
  void startAccount();
  /// Questions that reached Z3, and the resources that they took.
  unsigned getNumQuestions() const { return questions; }
  uint64_t getUsed() const { return used; }

  /// Why the last question was not decided, or what went wrong: an error is
  /// never an answer.
  std::string reason;
  bool failed = false;

private:
  struct Encoder;
  Answer decide(const FormulaRef &context, const FormulaRef &goal,
                const CountedTerms *sum);
  Answer ask(const std::vector<FormulaRef> &conjuncts, const FormulaRef &goal,
             const CountedTerms *sum);

  uint64_t rlimit;
  std::string dumpPrefix;
  unsigned questions = 0;
  /// A question took all that it may: all further ones are Unknown.
  bool gaveUp = false;
  uint64_t used = 0;
  struct Known {
    Answer answer;
    uint64_t cost;
    unsigned account;
  };
  std::map<std::string, Known> known;
  unsigned account = 0;
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_SOLVER_H
