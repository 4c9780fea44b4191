//===- SizeFacts.cpp - provable facts about sizes -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "SizeSamples.h"
#include "SizeSystem.h"

#include "llvm/ADT/StringMap.h"

using namespace tenon::graph;

/// The maximum number of systems that one query solves.
static constexpr unsigned maxSystems = 400;
/// The maximum number of cached answers.
static constexpr unsigned maxAnswers = 1 << 16;

namespace {
/// Searches for an assignment under which a value is negative (or zero), by
/// case distinction: every max and min equals one of its operands.
class CounterexampleSearch {
public:
  enum class Goal { Negative, Zero };
  CounterexampleSearch(const SymInt &value, Goal goal)
      : value(value), goal(goal) {}

  /// Whether it is certain that there is no such assignment.
  bool isImpossible() {
    for (const SymInt &assumed : getSizeAssumptions())
      if (std::optional<Polynomial> known = translate(assumed))
        assumptions.push_back(*known);
    gaveUp = false;
    return run();
  }

private:
  using Polynomial = SizePolynomial;

  bool isEmpty(std::vector<Polynomial> constraints,
               const Polynomial *zero = nullptr) {
    if (++numSystems > maxSystems) {
      gaveUp = true;
      return false;
    }
    return system.isEmpty(std::move(constraints), zero);
  }

  bool run() {
    open = nullptr;
    std::optional<Polynomial> goalValue = translate(value);
    if (gaveUp)
      return false;
    if (goalValue)
      return isCaseImpossible(*goalValue);
    // Start with the innermost max or min, whose operands are polynomials.
    const SymInt::Atom *atom = open;
    std::optional<Polynomial> lhs = translate(*atom->lhs),
                              rhs = translate(*atom->rhs);
    if (!lhs || !rhs)
      return false;
    bool isMax = atom->kind == SymInt::AtomKind::Max;
    for (bool takesLhs : {true, false}) {
      // The second case excludes equal operands, which the first case includes.
      std::optional<Polynomial> excess = takesLhs == isMax
                                             ? Polynomial::add(*lhs, *rhs, -1)
                                             : Polynomial::add(*rhs, *lhs, -1);
      if (excess && !takesLhs)
        excess = Polynomial::add(*excess, Polynomial(-1));
      if (!excess)
        return false;
      assumptions.push_back(*excess);
      choices[atom->text] = takesLhs ? *lhs : *rhs;
      bool impossible = isEmpty(assumptions) || run();
      choices.erase(atom->text);
      assumptions.pop_back();
      if (!impossible)
        return false;
    }
    return true;
  }

  bool isCaseImpossible(const Polynomial &goalValue) {
    if (goal == Goal::Zero)
      return isEmpty(assumptions, &goalValue);
    // The constraint value <= -1.
    auto negated = Polynomial::add(Polynomial(-1), goalValue, -1);
    if (!negated)
      return false;
    std::vector<Polynomial> constraints = assumptions;
    constraints.push_back(*negated);
    return isEmpty(std::move(constraints));
  }

  /// Returns nullopt if the expression is too large, or if a max or min is
  /// undecided, which is then stored in `open`.
  std::optional<Polynomial> translate(const SymInt &expression) {
    Polynomial sum;
    for (const auto &[monomial, coefficient] : expression.getTerms()) {
      Polynomial term(coefficient);
      for (const SymInt::AtomRef &atom : monomial.atoms) {
        std::optional<Polynomial> factor = translate(*atom);
        if (!factor)
          return std::nullopt;
        std::optional<Polynomial> product = Polynomial::multiply(term, *factor);
        if (!product)
          return giveUp();
        term = std::move(*product);
      }
      std::optional<Polynomial> next = Polynomial::add(sum, term);
      if (!next)
        return giveUp();
      sum = std::move(*next);
    }
    return sum;
  }

  std::optional<Polynomial> translate(const SymInt::Atom &atom) {
    if (atom.kind == SymInt::AtomKind::Symbol)
      return Polynomial::variable(system.symbol(atom.name));
    auto chosen = choices.find(atom.text);
    if (chosen != choices.end())
      return chosen->second;
    std::optional<Polynomial> lhs = translate(*atom.lhs);
    if (!lhs)
      return std::nullopt;
    std::optional<Polynomial> rhs = translate(*atom.rhs);
    if (!rhs)
      return std::nullopt;
    if (atom.kind != SymInt::AtomKind::FloorDiv) {
      open = &atom;
      return std::nullopt;
    }
    if (rhs->getConstant() == 0)
      return giveUp();
    if (rhs->getConstant() == 1)
      return lhs;
    return Polynomial::variable(system.quotient(*lhs, *rhs));
  }

  std::nullopt_t giveUp() {
    gaveUp = true;
    return std::nullopt;
  }

  const SymInt &value;
  Goal goal;
  SizeSystem system;
  std::map<std::string, Polynomial> choices;
  /// Polynomials that are at least 0 in the current case.
  std::vector<Polynomial> assumptions;
  const SymInt::Atom *open = nullptr;
  unsigned numSystems = 0;
  bool gaveUp = false;
};

/// A cache of answers by the text of the value. Answers depend only on that
/// text, so entries may be dropped at any time.
class Answers {
public:
  bool get(const SymInt &value, llvm::function_ref<bool()> decide) {
    std::string text = value.str() + getAssumptionKey();
    auto found = answers.find(text);
    if (found != answers.end())
      return found->second;
    bool answer = decide();
    if (answers.size() >= maxAnswers)
      answers.clear();
    answers[text] = answer;
    return answer;
  }

private:
  llvm::StringMap<bool> answers;
};
} // namespace

static bool isNeverNegative(const SymInt &value) {
  if (value.isUnknown())
    return false;
  if (std::optional<int64_t> least = value.lowerBound(); least && *least >= 0)
    return true;
  if (value.isConstant())
    return false;
  static thread_local Answers answers;
  return answers.get(value, [&] {
    // Most claims that do not hold fail at small sizes.
    if (!holdsAtSamples(value, [](int64_t x) { return x >= 0; }))
      return false;
    return CounterexampleSearch(value, CounterexampleSearch::Goal::Negative)
        .isImpossible();
  });
}

static bool isNeverZero(const SymInt &value) {
  if (value.isUnknown())
    return false;
  if (std::optional<int64_t> constant = value.getConstant())
    return *constant != 0;
  static thread_local Answers answers;
  return answers.get(value, [&] {
    if (!holdsAtSamples(value, [](int64_t x) { return x != 0; }))
      return false;
    return CounterexampleSearch(value, CounterexampleSearch::Goal::Zero)
        .isImpossible();
  });
}

static thread_local std::vector<SymInt> assumed;

SizeAssumption::SizeAssumption(const SymInt &value) {
  assumed.push_back(value);
}
SizeAssumption::~SizeAssumption() { assumed.pop_back(); }

NoSizeAssumptions::NoSizeAssumptions() { std::swap(suspended, assumed); }
NoSizeAssumptions::~NoSizeAssumptions() { std::swap(suspended, assumed); }

llvm::ArrayRef<SymInt> tenon::graph::getSizeAssumptions() { return assumed; }

std::string tenon::graph::getAssumptionKey() {
  std::string key;
  for (const SymInt &value : assumed)
    key += " if " + value.str();
  return key;
}

bool tenon::graph::provablyAtLeast(const SymInt &a, const SymInt &b) {
  return isNeverNegative(a - b);
}

bool tenon::graph::provablyEqual(const SymInt &a, const SymInt &b) {
  if (a == b)
    return true;
  SymInt difference = a - b;
  if (difference.isUnknown() || difference.isConstant())
    return false;
  return holdsAtSamples(difference, [](int64_t x) { return x == 0; }) &&
         isNeverNegative(difference) && isNeverNegative(-difference);
}

bool tenon::graph::provablyUnequal(const SymInt &a, const SymInt &b) {
  return isNeverZero(a - b);
}
