//===- Solver.h - integer questions to Z3 ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_SOLVER_H
#define TENON_PROOFKERNEL_SOLVER_H

#include "tenon/ProofKernel/Formula.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace tenon::prove {

/// The name and version of the solver; empty if Tenon was built without one.
std::string getSolverVersion();

/// The limit on one question, in the solver's deterministic unit.
constexpr uint64_t defaultRlimit = 1'500'000;

/// The limit on the work for all rules of one file (Solver::getWork), if
/// `rlimit` is that of one question: about a minute. Checking a file of the
/// library takes up to a third of it.
constexpr uint64_t getMostFileWork(uint64_t rlimit) {
  return rlimit == 0 ? UINT64_MAX : 40 * std::max(rlimit, defaultRlimit);
}

enum class Answer { Yes, No, Unknown };

/// What the solver found about a question.
struct Decision {
  Answer answer = Answer::Unknown;
  /// Why the answer is Unknown.
  std::string reason;
  /// The solver's own count, and all work in its unit.
  uint64_t cost = 0, work = 0;
};

/// The decisions of questions that were asked, for rules that share them. May
/// be used by several threads.
class SolverMemory {
public:
  std::optional<Decision> find(const std::string &question) const;
  void add(const std::string &question, Decision decision);
  size_t size() const {
    std::lock_guard<std::mutex> lock(mutex);
    return decisions.size();
  }

private:
  mutable std::mutex mutex;
  std::unordered_map<std::string, Decision> decisions;
};

struct Question;

/// A sum of integer terms, each counted only if its formula holds.
using CountedTerms = std::vector<std::pair<FormulaRef, SymInt>>;

/// Decides quantifier-free formulas over integers. Every answer depends only on
/// its question, except for the limit on all questions. Symbols are at least 0;
/// index variables may be any integer.
class Solver {
public:
  using Answer = prove::Answer;

  /// `rlimit` limits one question. All questions of a solver may take three
  /// times as much, and after the first question that reaches its limit, no
  /// more are asked. A question is also given up after a second of CPU time
  /// per 150,000 of `rlimit`, but at least one. 0: no limit. Questions that
  /// `memory` has are not decided again; they count as if they were. If
  /// `dumpPrefix` is not empty, questions are written as `<prefix>-N.smt2`.
  explicit Solver(uint64_t rlimit,
                  std::shared_ptr<SolverMemory> memory = nullptr,
                  std::string dumpPrefix = "");
  ~Solver();

  /// Whether `goal` follows from `context`. If the answer is Unknown, sets
  /// `reason`.
  Answer follows(const FormulaRef &context, const FormulaRef &goal);
  /// Whether the sum is 0 wherever `context` holds.
  Answer isZero(const FormulaRef &context, const CountedTerms &sum);
  /// Whether nothing satisfies `context`.
  bool isImpossible(const FormulaRef &context) {
    return follows(context, Formula::never()) == Answer::Yes;
  }

  /// Restarts the counts and limits. Questions with known answers count as if
  /// they were asked again.
  void startAccount();
  /// The number of questions that reached Z3, and the resources that they used.
  unsigned getNumQuestions() const { return questions; }
  uint64_t getUsed() const { return used; }
  /// All work since the beginning, in the solver's unit, of which a core does
  /// about a million a second: of questions, and what was charged for the rest.
  uint64_t getWork() const { return work; }
  void charge(uint64_t units) { work += units; }

  /// Why the last question was not decided, or what went wrong. An error never
  /// counts as an answer.
  std::string reason;
  bool failed = false;

private:
  struct Encoder;
  Answer decide(std::vector<FormulaRef> conjuncts, Question question);
  Answer ask(const Question &question);
  Decision askZ3(const Question &question);
  void dump(Answer answer, const std::string &text);

  uint64_t rlimit;
  std::string dumpPrefix;
  unsigned questions = 0;
  /// A question reached its limit: all further ones are Unknown.
  bool gaveUp = false;
  uint64_t used = 0, work = 0;
  std::shared_ptr<SolverMemory> memory;
  /// The account in which a question was last asked, or 0.
  std::map<std::string, unsigned> accounts;
  unsigned account = 1;
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_SOLVER_H
