//===- Solver.h - questions about integers to Z3 --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_SOLVER_H
#define TENON_LIB_PROVE_SOLVER_H

#include "Formula.h"

#include <memory>

namespace tenon::prove {

/// A sum of integer terms, each counted where its formula holds.
using CountedTerms = std::vector<std::pair<FormulaRef, SymInt>>;

/// Decides quantifier-free formulas over integers. Every answer depends on the
/// questions so far alone. Symbols are at least 0, index variables any integer.
class Solver {
public:
  enum class Answer { Yes, No, Unknown };

  /// `rlimit` bounds one question. Where `dumpPrefix` is not empty, questions
  /// are written as `<prefix>-N.smt2`.
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

  /// Questions that reached Z3, and the resources that they took.
  unsigned getNumQuestions() const { return questions; }
  uint64_t getUsed() const { return used; }

  /// Why the last question was not decided, or what went wrong: an error is
  /// never an answer.
  std::string reason;
  bool failed = false;

private:
  struct Encoder;
  Answer ask(const FormulaRef &context, const FormulaRef &goal,
             const CountedTerms *sum);

  std::unique_ptr<Encoder> encoder;
  uint64_t rlimit;
  std::string dumpPrefix;
  unsigned questions = 0;
  /// A question took all that it may: all further ones are Unknown.
  bool gaveUp = false;
  uint64_t used = 0;
  std::map<std::string, Answer> known;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_SOLVER_H
