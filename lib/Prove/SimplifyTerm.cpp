//===- SimplifyTerm.cpp - simplifying the variables of sums ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimplifyTerm.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;

/// The step that replaces one of the variables of `term` by `value`, or removes
/// it; all others are unchanged.
static TermStep replaceVar(const Term &term, unsigned number, unsigned depth,
                           const SymInt &value,
                           const std::optional<SymInt> &inverse) {
  TermStep step;
  Substitution names;
  unsigned next = 0;
  for (unsigned n = 0; n < term.vars.size(); ++n) {
    if (n == number && !inverse)
      continue;
    SymInt fresh = SymInt::symbol(getVarName(VarRole::New, depth, next++));
    if (n != number)
      names[term.vars[n]] = fresh;
    step.change.inverse.push_back(n == number ? *inverse
                                              : SymInt::symbol(term.vars[n]));
  }
  for (unsigned n = 0; n < term.vars.size(); ++n)
    step.change.values.push_back(n == number ? substitute(value, names)
                                             : names[term.vars[n]]);
  return step;
}

//===----------------------------------------------------------------------===//
// Congruences
//===----------------------------------------------------------------------===//

/// Returns the quotient of the remainder `term`, `a mod d`.
static SymInt::AtomRef getRemainderOf(const SymInt &term) {
  for (const auto &[monomial, coefficient] : term.getTerms())
    for (const SymInt::AtomRef &atom : monomial.atoms)
      if (atom->kind == SymInt::AtomKind::FloorDiv &&
          atom->lhs->mod(*atom->rhs) == term)
        return atom;
  return nullptr;
}

/// Returns the remainder of which `conjunct` states that it is 0, or less than
/// 1.
static SymInt::AtomRef getCongruence(const FormulaRef &conjunct) {
  switch (conjunct->kind) {
  case Formula::Kind::Zero:
    if (SymInt::AtomRef quotient = getRemainderOf(conjunct->term))
      return quotient;
    return getRemainderOf(-conjunct->term);
  case Formula::Kind::NonNegative:
    return getRemainderOf(-conjunct->term);
  default:
    return nullptr;
  }
}

/// Finds congruences of the domain that can be solved for a variable.
static std::vector<TermStep> findCongruences(const Term &term, unsigned depth) {
  std::vector<TermStep> steps;
  std::vector<FormulaRef> conjuncts;
  flattenAnd(term.domain, conjuncts);
  for (const FormulaRef &conjunct : conjuncts) {
    SymInt::AtomRef quotient = getCongruence(conjunct);
    if (!quotient)
      continue;
    const SymInt &lhs = *quotient->lhs, &rhs = *quotient->rhs;
    for (unsigned n = 0; n < term.vars.size(); ++n) {
      std::map<std::string, unsigned> used;
      collectVars(rhs, used);
      // The new variable takes the place of the old one.
      SymInt fresh = SymInt::symbol(getVarName(VarRole::New, depth, n));
      std::optional<SymInt> value = solveFor(lhs - rhs * fresh, term.vars[n]);
      if (used.count(term.vars[n]) || !value ||
          !substitute(conjunct, {{term.vars[n], *value}})->isTrue())
        continue;
      steps.push_back(replaceVar(term, n, depth, *value, lhs.floorDiv(rhs)));
    }
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Fixed variables
//===----------------------------------------------------------------------===//

/// Returns the value of `var` if `domain` determines it, by an equation or by
/// equal lower and upper bounds, as for an axis of size 1.
static std::optional<SymInt> getFixedValue(const FormulaRef &domain,
                                           const std::string &var) {
  std::vector<FormulaRef> conjuncts;
  flattenAnd(domain, conjuncts);
  std::vector<SymInt> bounds[2];
  for (const FormulaRef &conjunct : conjuncts) {
    std::optional<SymInt> value = solveFor(conjunct->term, var);
    if (!value)
      continue;
    if (conjunct->kind == Formula::Kind::Zero)
      return value;
    if (conjunct->kind != Formula::Kind::NonNegative)
      continue;
    // var - a >= 0 is a lower bound, b - var >= 0 an upper bound.
    bool below = conjunct->term + *value == SymInt::symbol(var);
    bounds[below].push_back(*value);
  }
  for (const SymInt &low : bounds[true])
    if (llvm::is_contained(bounds[false], low))
      return low;
  return std::nullopt;
}

/// Collects the terms that `formula` states to be 0, alone or as one of several
/// cases.
static void collectZeros(const FormulaRef &formula,
                         std::vector<SymInt> &zeros) {
  if (formula->kind == Formula::Kind::Zero)
    zeros.push_back(formula->term);
  if (formula->kind == Formula::Kind::And || formula->kind == Formula::Kind::Or)
    for (const FormulaRef &operand : formula->operands)
      collectZeros(operand, zeros);
}

static std::vector<TermStep> findFixed(const Term &term, unsigned depth) {
  std::vector<TermStep> steps;
  std::vector<SymInt> zeros;
  collectZeros(term.domain, zeros);
  for (unsigned n = 0; n < term.vars.size(); ++n) {
    auto propose = [&](const SymInt &value) {
      steps.push_back(replaceVar(term, n, depth, value, std::nullopt));
    };
    if (std::optional<SymInt> value = getFixedValue(term.domain, term.vars[n]))
      propose(*value);
    // The other cases may be impossible; the kernel sees.
    for (const SymInt &zero : zeros)
      if (std::optional<SymInt> value = solveFor(zero, term.vars[n]))
        propose(*value);
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// Collects the quotients in `value`, at any depth.
static void collectQuotients(const SymInt &value,
                             std::vector<SymInt::AtomRef> &quotients) {
  for (const auto &[monomial, coefficient] : value.getTerms())
    for (const SymInt::AtomRef &atom : monomial.atoms) {
      if (atom->kind == SymInt::AtomKind::Symbol)
        continue;
      if (atom->kind == SymInt::AtomKind::FloorDiv)
        quotients.push_back(atom);
      collectQuotients(*atom->lhs, quotients);
      collectQuotients(*atom->rhs, quotients);
    }
}

/// Splits a variable v that is read at (v + c) floordiv d, as the index of a
/// reshaped axis is, into quotient and remainder: v + c = a * d + b.
static std::vector<TermStep> findQuotients(const Term &term, unsigned depth) {
  std::vector<TermStep> steps;
  std::vector<SymInt::AtomRef> quotients;
  for (const Factor &factor : term.factors)
    for (const SymInt &index : factor.indices)
      collectQuotients(index, quotients);
  std::vector<FormulaRef> conjuncts;
  flattenAnd(term.domain, conjuncts);
  for (const SymInt::AtomRef &quotient : quotients) {
    const SymInt &lhs = *quotient->lhs, &rhs = *quotient->rhs;
    SymInt value = lhs.floorDiv(rhs);
    // A remainder has the quotient 0.
    bool isZero = llvm::any_of(conjuncts, [&](const FormulaRef &conjunct) {
      return conjunct->kind == Formula::Kind::Zero &&
             (conjunct->term == value || conjunct->term == -value);
    });
    if (isZero)
      continue;
    for (unsigned n = 0; n < term.vars.size(); ++n) {
      std::map<std::string, unsigned> used;
      collectVars(rhs, used);
      // The quotient takes the place of the variable.
      auto fresh = [&](unsigned number) {
        return SymInt::symbol(getVarName(VarRole::New, depth, number));
      };
      SymInt joined = fresh(n) * rhs + fresh(term.vars.size());
      std::optional<SymInt> solved = solveFor(lhs - joined, term.vars[n]);
      if (!solved || used.count(term.vars[n]))
        continue;
      TermStep step = replaceVar(term, n, depth, *solved, value);
      step.change.inverse.push_back(lhs - value * rhs);
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

/// Applies `step` if the kernel allows it.
static bool attempt(Term &term, const TermStep &step,
                    std::vector<TermStep> &steps, SumChecker &kernel,
                    const FormulaRef &context, unsigned depth) {
  Term after = term;
  std::string before = kernel.reason;
  bool done = kernel.apply(after, step, context, depth);
  kernel.reason = std::move(before);
  if (done) {
    term = std::move(after);
    steps.push_back(step);
  }
  return done;
}

bool prove::splitQuotients(Term &term, std::vector<TermStep> &steps,
                           SumChecker &kernel, const FormulaRef &context,
                           unsigned depth) {
  constexpr unsigned maxSplits = 6;
  size_t before = steps.size();
  for (unsigned splits = 0; splits < maxSplits; ++splits)
    if (llvm::none_of(findQuotients(term, depth), [&](const TermStep &step) {
          return attempt(term, step, steps, kernel, context, depth);
        }))
      break;
  return steps.size() != before;
}

void prove::simplifyTerm(Term &term, std::vector<TermStep> &steps,
                         SumChecker &kernel, const FormulaRef &context,
                         unsigned depth) {
  auto apply = [&](const TermStep &step) {
    return attempt(term, step, steps, kernel, context, depth);
  };
  while (llvm::any_of(findCongruences(term, depth), apply))
    ;
  while (llvm::any_of(findFixed(term, depth), apply))
    ;
  for (unsigned n = 0; n < term.vars.size();) {
    TermStep count;
    count.counted = n;
    if (!apply(count))
      ++n;
  }
}
