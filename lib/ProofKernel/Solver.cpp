//===- Solver.cpp - integer questions to Z3 -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses the C interface of Z3 with an error handler, because the C++ interface
// reports no errors if exceptions are disabled.
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Solver.h"

#include "Question.h"

#include "tenon/ProofKernel/IntegerOrder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#ifdef TENON_HAVE_Z3
#include <chrono>
#include <malloc.h>
#include <z3.h>
#endif

using namespace tenon;
using namespace tenon::prove;

std::optional<Decision> SolverMemory::find(const std::string &question) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = decisions.find(question);
  if (it == decisions.end())
    return std::nullopt;
  return it->second;
}

void SolverMemory::add(const std::string &question, Decision decision) {
  std::lock_guard<std::mutex> lock(mutex);
  decisions.emplace(question, std::move(decision));
}

void Solver::startAccount() {
  ++account;
  questions = 0;
  used = 0;
  gaveUp = false;
  reason.clear();
}

#ifndef TENON_HAVE_Z3

struct Solver::Encoder {};

std::string prove::getSolverVersion() { return ""; }

Solver::Solver(uint64_t rlimit, std::shared_ptr<SolverMemory>, std::string)
    : rlimit(rlimit) {}
Solver::~Solver() = default;

Solver::Answer Solver::follows(const FormulaRef &, const FormulaRef &) {
  failed = true;
  reason = "built without Z3";
  return Answer::Unknown;
}
Solver::Answer Solver::isZero(const FormulaRef &context, const CountedTerms &) {
  return follows(context, context);
}

#else

std::string prove::getSolverVersion() {
  unsigned major, minor, build, revision;
  Z3_get_version(&major, &minor, &build, &revision);
  return "Z3 " + std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(build);
}

/// The last error of this thread, since Z3's handler gets no data pointer.
static thread_local std::string lastError;

static void onError(Z3_context context, Z3_error_code code) {
  if (lastError.empty())
    lastError = Z3_get_error_msg(context, code);
}

struct Solver::Encoder {
  Encoder() {
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "model", "false");
    context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(context, onError);
    integer = Z3_mk_int_sort(context);
  }
  ~Encoder() { Z3_del_context(context); }

  Z3_ast number(int64_t value) { return Z3_mk_int64(context, value, integer); }
  Z3_ast constant(const std::string &name, Z3_sort sort) {
    return Z3_mk_const(context, Z3_mk_string_symbol(context, name.c_str()),
                       sort);
  }

  /// Symbols are at least 0; quotients are defined by their remainders, which
  /// Z3 decides faster than its own `div`.
  Z3_ast encode(const graph::SymInt::Atom &atom) {
    auto it = atoms.find(atom.text);
    if (it != atoms.end())
      return it->second;
    using Kind = SymInt::AtomKind;
    Z3_ast value = constant(atom.text, integer);
    switch (atom.kind) {
    case Kind::Symbol:
      if (!isVarName(atom.name))
        define(Z3_mk_ge(context, value, number(0)));
      break;
    case Kind::FloorDiv: {
      Z3_ast dividend = encode(*atom.lhs), divisor = encode(*atom.rhs);
      Z3_ast product[] = {divisor, value};
      Z3_ast rest[] = {dividend, Z3_mk_mul(context, 2, product)};
      Z3_ast remainder = Z3_mk_sub(context, 2, rest);
      Z3_ast bounds[] = {Z3_mk_ge(context, remainder, number(0)),
                         Z3_mk_lt(context, remainder, divisor)};
      // Quotients by 0 or less are unconstrained: no proof depends on them.
      define(Z3_mk_implies(context, Z3_mk_gt(context, divisor, number(0)),
                           Z3_mk_and(context, 2, bounds)));
      break;
    }
    case Kind::Max:
    case Kind::Min: {
      Z3_ast a = encode(*atom.lhs), b = encode(*atom.rhs);
      Z3_ast larger = Z3_mk_ge(context, a, b);
      bool isMax = atom.kind == Kind::Max;
      value = Z3_mk_ite(context, larger, isMax ? a : b, isMax ? b : a);
      break;
    }
    }
    atoms[atom.text] = value;
    return value;
  }

  Z3_ast encode(const SymInt &term) {
    // The arithmetic overflowed 64 bits, or divided by zero: nothing is known
    // about the result.
    hasUnknown |= term.isUnknown();
    std::vector<Z3_ast> sum;
    for (const auto &[monomial, coefficient] : term.getTerms()) {
      isTooLarge |= monomial.atoms.size() > maxFactors;
      std::vector<Z3_ast> product;
      if (coefficient != 1 || monomial.atoms.empty())
        product.push_back(number(coefficient));
      for (const SymInt::AtomRef &atom : monomial.atoms)
        product.push_back(encode(*atom));
      sum.push_back(product.size() == 1
                        ? product.front()
                        : Z3_mk_mul(context, product.size(), product.data()));
    }
    if (sum.empty())
      return number(0);
    return sum.size() == 1 ? sum.front()
                           : Z3_mk_add(context, sum.size(), sum.data());
  }

  Z3_ast encode(const FormulaRef &formula) {
    using Kind = Formula::Kind;
    switch (formula->kind) {
    case Kind::True:
      return Z3_mk_true(context);
    case Kind::False:
      return Z3_mk_false(context);
    case Kind::NonNegative:
      return Z3_mk_ge(context, encode(formula->term), number(0));
    case Kind::Zero:
      return Z3_mk_eq(context, encode(formula->term), number(0));
    case Kind::And:
    case Kind::Or: {
      Z3_ast operands[] = {encode(formula->operands[0]),
                           encode(formula->operands[1])};
      return formula->kind == Kind::And ? Z3_mk_and(context, 2, operands)
                                        : Z3_mk_or(context, 2, operands);
    }
    case Kind::Not:
      return Z3_mk_not(context, encode(formula->operands[0]));
    case Kind::Element:
      if (std::optional<IntegerLess> less = getIntegerLess(*formula->element))
        return Z3_mk_lt(context, encode(less->left), encode(less->right));
      return element(formula->text, Z3_mk_bool_sort(context));
    }
    llvm_unreachable("unknown kind of formula");
  }

  Z3_ast encode(const IntegerSide &side) {
    return side.index ? encode(*side.index) : element(side.name, integer);
  }

  Z3_ast element(std::string name, Z3_sort sort) {
    // SMT-LIB has no way to write this character in a name.
    std::replace(name.begin(), name.end(), '|', '!');
    return constant(name, sort);
  }

  void define(Z3_ast definition) { definitions.push_back(definition); }

  Z3_context context;
  Z3_sort integer;
  /// The atoms and definitions of this question.
  std::map<std::string, Z3_ast> atoms;
  std::vector<Z3_ast> definitions;
  bool hasUnknown = false;
  /// A product has too many factors: Z3 may not end, whatever its limits.
  bool isTooLarge = false;
  static constexpr size_t maxFactors = 16;
};

/// The limit on all questions, as a multiple of the limit on one question: for
/// a wrong rule, very many questions may be hard.
static constexpr uint64_t questionsWorth = 3;

/// The work of making a context, beside Z3's count.
static constexpr uint64_t questionWork = 1000;

/// The time limit of a question in milliseconds. Z3's resource count ignores
/// the length of numbers, which may grow without bound. All questions of the
/// library that are decided take less than a quarter of this limit on a slow
/// machine (2.3 s of one core for a count of 465,000), so that their answers do
/// not depend on time.
static unsigned getMostMilliseconds(uint64_t rlimit) {
  return std::clamp<uint64_t>(rlimit / 150, 1000, UINT32_MAX / 4);
}

/// The CPU time of this thread.
static std::chrono::nanoseconds getThreadTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) +
         std::chrono::nanoseconds(time.tv_nsec);
}

/// Asks a question, and asks it again with more time if the machine was busy
/// with other work.
static Z3_lbool check(Z3_context c, Z3_solver solver, uint64_t rlimit) {
  if (rlimit == 0)
    return Z3_solver_check(c, solver);
  const unsigned most = getMostMilliseconds(rlimit);
  Z3_lbool answer = Z3_L_UNDEF;
  for (unsigned wait : {most, 4 * most}) {
    Z3_params parameters = Z3_mk_params(c);
    Z3_params_inc_ref(c, parameters);
    Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "timeout"), wait);
    Z3_solver_set_params(c, solver, parameters);
    Z3_params_dec_ref(c, parameters);
    auto start = std::chrono::steady_clock::now();
    std::chrono::nanoseconds before = getThreadTime();
    answer = Z3_solver_check(c, solver);
    bool isLate = std::chrono::steady_clock::now() - start >=
                  std::chrono::milliseconds(wait);
    bool hadTime =
        getThreadTime() - before >= std::chrono::milliseconds(most / 2);
    if (answer != Z3_L_UNDEF || !isLate || hadTime)
      break;
  }
  return answer;
}

Solver::Solver(uint64_t rlimit, std::shared_ptr<SolverMemory> shared,
               std::string dumpPrefix)
    : rlimit(rlimit), dumpPrefix(std::move(dumpPrefix)),
      memory(shared ? std::move(shared) : std::make_shared<SolverMemory>()) {
#ifdef __GLIBC__
  // Each question has a separate context of several megabytes. If the memory
  // were returned to the kernel between questions, clearing it again would take
  // longer than the answers.
  static const bool keepsMemory = mallopt(M_MMAP_THRESHOLD, 32 << 20) &&
                                  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  (void)keepsMemory;
#endif
}
Solver::~Solver() = default;

/// The conjuncts of a formula, each once; adds their texts to `texts`. t >= 0
/// and -t >= 0 become t = 0, which the solver uses better.
static std::vector<FormulaRef> getConjuncts(const FormulaRef &formula,
                                            llvm::StringSet<> &texts) {
  std::vector<FormulaRef> flat, conjuncts;
  flattenAnd(formula, flat);
  for (const FormulaRef &conjunct : flat)
    texts.insert(conjunct->text);
  llvm::StringSet<> seen;
  for (FormulaRef &conjunct : flat) {
    if (!seen.insert(conjunct->text).second)
      continue;
    if (conjunct->kind == Formula::Kind::NonNegative) {
      std::string opposite = Formula::nonNegative(-conjunct->term)->text;
      if (texts.contains(opposite)) {
        seen.insert(opposite);
        conjunct = Formula::zero(conjunct->term);
      }
    }
    conjuncts.push_back(std::move(conjunct));
  }
  return conjuncts;
}

Solver::Answer Solver::follows(const FormulaRef &context,
                               const FormulaRef &goal) {
  if (goal->isUnknown() || context->isUnknown()) {
    reason = "an index overflows 64 bits or divides by zero";
    return Answer::Unknown;
  }
  if (goal->isTrue() || context->isFalse())
    return Answer::Yes;
  llvm::StringSet<> texts;
  std::vector<FormulaRef> conjuncts = getConjuncts(context, texts), goals;
  flattenAnd(goal, goals);
  // Each conjunct depends on fewer names than all of them. One that is part of
  // the context needs no solver.
  for (const FormulaRef &conjunct : goals) {
    if (!texts.insert(conjunct->text).second)
      continue;
    Answer answer = decide(conjuncts, {{}, conjunct, {}});
    if (answer != Answer::Yes)
      return answer;
  }
  return Answer::Yes;
}

Solver::Answer Solver::isZero(const FormulaRef &context,
                              const CountedTerms &sum) {
  if (context->isUnknown() || llvm::any_of(sum, [](const auto &term) {
        return term.first->isUnknown() || term.second.isUnknown();
      })) {
    reason = "an index overflows 64 bits or divides by zero";
    return Answer::Unknown;
  }
  llvm::StringSet<> texts;
  return decide(getConjuncts(context, texts), {{}, nullptr, sum});
}

Solver::Answer Solver::decide(std::vector<FormulaRef> conjuncts,
                              Question question) {
  question.takeRelevant(conjuncts);
  if (question.known.empty())
    question.known.swap(conjuncts);
  Answer answer = ask(question);
  // Conjuncts about other names are irrelevant, unless they contradict each
  // other.
  if (answer == Answer::No && !conjuncts.empty() &&
      ask({std::move(conjuncts), Formula::never(), {}}) == Answer::Yes)
    return Answer::Yes;
  return answer;
}

Solver::Answer Solver::ask(const Question &asked) {
  if (failed)
    return Answer::Unknown;
  Question question = asked.withCanonicalNames();
  std::string key = std::to_string(rlimit) + ": " + question.str();
  unsigned &last = accounts[key];
  bool isCounted = last == account;
  // A rule with one question that is too hard usually has many of them, and is
  // rarely proved without their answers.
  if (!isCounted && gaveUp)
    return Answer::Unknown;
  if (!isCounted && rlimit != 0 && used / questionsWorth > rlimit) {
    reason = "the solver's limit for this rule was reached";
    return Answer::Unknown;
  }
  std::optional<Decision> decision = memory->find(key);
  if (!decision) {
    decision = askZ3(question);
    if (failed)
      return Answer::Unknown;
    memory->add(key, *decision);
  }
  if (isCounted)
    return decision->answer;
  ++questions;
  used += decision->cost;
  if (last == 0)
    work += decision->work;
  last = account;
  if (decision->answer == Answer::Unknown) {
    gaveUp = true;
    reason = decision->reason;
  }
  return decision->answer;
}

Decision Solver::askZ3(const Question &question) {
  // Use one context per question, so that the answer does not depend on earlier
  // questions.
  lastError.clear();
  Encoder z3;
  Z3_context c = z3.context;
  Z3_solver solver = Z3_mk_simple_solver(c);
  Z3_solver_inc_ref(c, solver);
  Z3_params parameters = Z3_mk_params(c);
  Z3_params_inc_ref(c, parameters);
  Z3_params_set_uint(
      c, parameters, Z3_mk_string_symbol(c, "rlimit"),
      static_cast<unsigned>(std::min<uint64_t>(rlimit, UINT32_MAX)));
  Z3_params_set_uint(c, parameters, Z3_mk_string_symbol(c, "random_seed"), 0);
  Z3_solver_set_params(c, solver, parameters);
  Z3_params_dec_ref(c, parameters);

  Z3_ast negated;
  if (question.goal) {
    negated = Z3_mk_not(c, z3.encode(question.goal));
  } else {
    std::vector<Z3_ast> parts = {z3.number(0)};
    for (const auto &[formula, term] : question.sum)
      parts.push_back(
          Z3_mk_ite(c, z3.encode(formula), z3.encode(term), z3.number(0)));
    negated = Z3_mk_not(
        c, Z3_mk_eq(c, Z3_mk_add(c, parts.size(), parts.data()), z3.number(0)));
  }
  std::vector<Z3_ast> assertions;
  for (const FormulaRef &conjunct : question.known)
    assertions.push_back(z3.encode(conjunct));
  assertions.push_back(negated);
  for (Z3_ast definition : z3.definitions)
    Z3_solver_assert(c, solver, definition);
  for (Z3_ast assertion : assertions)
    Z3_solver_assert(c, solver, assertion);

  Decision decision;
  if (z3.hasUnknown || z3.isTooLarge) {
    decision.work = questionWork;
    decision.reason = z3.isTooLarge
                          ? "a product of sizes has too many factors"
                          : "an index overflows 64 bits or divides by zero";
    Z3_solver_dec_ref(c, solver);
    return decision;
  }
  std::string text;
  if (!dumpPrefix.empty())
    text = Z3_solver_to_string(c, solver);
  Z3_lbool answer = check(c, solver, rlimit);
  decision.answer = answer == Z3_L_FALSE  ? Answer::Yes
                    : answer == Z3_L_TRUE ? Answer::No
                                          : Answer::Unknown;
  if (decision.answer == Answer::Unknown)
    decision.reason = std::string("the solver gave up: ") +
                      Z3_solver_get_reason_unknown(c, solver);
  Z3_stats statistics = Z3_solver_get_statistics(c, solver);
  Z3_stats_inc_ref(c, statistics);
  for (unsigned n = 0; n < Z3_stats_size(c, statistics); ++n)
    if (Z3_stats_is_uint(c, statistics, n) &&
        llvm::StringRef(Z3_stats_get_key(c, statistics, n)) == "rlimit count")
      decision.cost = Z3_stats_get_uint_value(c, statistics, n);
  Z3_stats_dec_ref(c, statistics);
  Z3_solver_dec_ref(c, solver);
  // Where time ran out, the count says little.
  bool ranOutOfTime =
      decision.answer == Answer::Unknown && decision.cost < rlimit;
  decision.work = (ranOutOfTime ? 10 * rlimit : decision.cost) + questionWork;

  if (!dumpPrefix.empty())
    dump(decision.answer, text);
  if (!lastError.empty()) {
    failed = true;
    reason = "Z3: " + lastError;
  }
  return decision;
}

void Solver::dump(Answer answer, const std::string &text) {
  std::string path = dumpPrefix + "-" + std::to_string(questions + 1) + ".smt2";
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error)
    os << "; expected: "
       << (answer == Answer::Yes  ? "unsat"
           : answer == Answer::No ? "sat"
                                  : "unknown")
       << "\n(set-logic QF_NIA)\n"
       << text << "(check-sat)\n";
  if (!error && !os.has_error())
    return;
  os.clear_error();
  failed = true;
  reason = "can't write '" + path + "'";
}

#endif
