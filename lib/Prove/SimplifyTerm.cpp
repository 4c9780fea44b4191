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

static std::vector<TermStep> findFixed(const Term &term, unsigned depth) {
  std::vector<TermStep> steps;
  for (unsigned n = 0; n < term.vars.size(); ++n)
    if (std::optional<SymInt> value = getFixedValue(term.domain, term.vars[n]))
      steps.push_back(replaceVar(term, n, depth, *value, std::nullopt));
  return steps;
}

void prove::simplifyTerm(Term &term, std::vector<TermStep> &steps,
                         SumChecker &kernel, const FormulaRef &context,
                         unsigned depth) {
  auto attempt = [&](const TermStep &step) {
    Term after = term;
    std::string before = kernel.reason;
    bool done = kernel.apply(after, step, context, depth);
    kernel.reason = std::move(before);
    if (done) {
      term = std::move(after);
      steps.push_back(step);
    }
    return done;
  };
  while (llvm::any_of(findCongruences(term, depth), attempt))
    ;
  while (llvm::any_of(findFixed(term, depth), attempt))
    ;
  for (unsigned n = 0; n < term.vars.size();) {
    TermStep count;
    count.counted = n;
    if (!attempt(count))
      ++n;
  }
}
