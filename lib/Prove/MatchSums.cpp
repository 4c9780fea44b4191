//===- MatchSums.cpp - equality of sums of products -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchSums.h"
#include "RewriteSums.h"
#include "SolveIndices.h"

#include "tenon/Dialect/Rule/IR/Certificate.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tenon;
using namespace tenon::prove;

/// Orders of like factors that are tried before giving up.
static constexpr unsigned maxOrders = 120;
/// Functions within functions that are compared.
static constexpr unsigned maxDepth = 16;

/// The range [0, extent) of `var`, if that is all that `domain` and the rest of
/// `term` say about it; then `rest` is the domain without it.
static std::optional<SymInt>
getIdleExtent(const Term &term, const std::string &var, FormulaRef &rest) {
  std::map<std::string, unsigned> used;
  collectVars(term.scale, used);
  for (const Factor &factor : term.factors)
    collectVars(factor, used);
  if (used.count(var))
    return std::nullopt;
  std::vector<FormulaRef> conjuncts;
  flattenAnd(term.domain, conjuncts);
  SymInt at = SymInt::symbol(var);
  std::optional<SymInt> extent;
  bool fromZero = false;
  rest = Formula::always();
  for (const FormulaRef &conjunct : conjuncts) {
    std::map<std::string, unsigned> here;
    collectVars(conjunct, here);
    if (!here.count(var)) {
      rest = Formula::conjunction(rest, conjunct);
      continue;
    }
    if (conjunct->kind != Formula::Kind::NonNegative)
      return std::nullopt;
    if (conjunct->term == at) {
      fromZero = true;
      continue;
    }
    // extent - 1 - var >= 0.
    SymInt candidate = conjunct->term + at + SymInt(1);
    std::map<std::string, unsigned> inside;
    collectVars(candidate, inside);
    if (extent || inside.count(var))
      return std::nullopt;
    extent = candidate;
  }
  return fromZero ? extent : std::nullopt;
}

/// The value of `var` where `domain` leaves it no choice: an equation, or equal
/// bounds from below and above, as of an axis of size 1.
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
    // var - a >= 0 is a bound from below, b - var >= 0 one from above.
    bool below = conjunct->term + *value == SymInt::symbol(var);
    bounds[below].push_back(*value);
  }
  for (const SymInt &low : bounds[true])
    if (llvm::is_contained(bounds[false], low))
      return low;
  return std::nullopt;
}

void SumMatcher::simplifyTerm(Term &term, const FormulaRef &context) {
  while (eliminateCongruence(term, solver, normalizer, context))
    ;
  // A variable that the domain fixes is no variable.
  for (size_t n = 0; n < term.vars.size();) {
    std::string var = term.vars[n];
    std::optional<SymInt> value = getFixedValue(term.domain, var);
    if (!value) {
      ++n;
      continue;
    }
    term.vars.erase(term.vars.begin() + n);
    term = substitute(term, {{var, *value}});
  }
  // Summing the same `extent` times is multiplying.
  for (size_t n = 0; n < term.vars.size();) {
    FormulaRef rest;
    std::optional<SymInt> extent = getIdleExtent(term, term.vars[n], rest);
    if (!extent) {
      ++n;
      continue;
    }
    floatClass |= rule::Reassociates;
    term.vars.erase(term.vars.begin() + n);
    term.scale = term.scale * *extent;
    term.domain =
        Formula::conjunction(rest, Formula::nonNegative(*extent - SymInt(1)));
  }
}

/// What a reduction reduces, over its variables.
static Term getSetTerm(const Factor &reduce) {
  Term term;
  term.vars = reduce.vars;
  term.domain = reduce.domain;
  // Any function will do to compare arguments.
  Factor inner;
  inner.kind = Factor::Kind::Reciprocal;
  inner.args = reduce.args;
  term.factors.push_back(std::move(inner));
  return term;
}

/// The same of an argument of a maximum, which may be a single element.
static Term getExtremumTerm(const SumForm &arg) {
  const Term *only = arg.terms.size() == 1 ? &arg.terms[0] : nullptr;
  if (only && only->vars.empty() && only->domain->isTrue() &&
      only->numerator == 1 && only->denominator == 1 &&
      only->scale == SymInt(1) && only->factors.size() == 1 &&
      only->factors[0].kind == Factor::Kind::Reduce &&
      only->factors[0].reduce != graph::ReduceKind::Prod)
    return getSetTerm(only->factors[0]);
  Factor element;
  element.domain = Formula::always();
  element.args.push_back(arg);
  return getSetTerm(element);
}

bool SumMatcher::haveEqualFactor(const Factor &a, const Factor &b,
                                 const FormulaRef &context) {
  if (a.kind != b.kind || a.operand != b.operand || a.fn != b.fn ||
      a.reduce != b.reduce || a.type != b.type || a.argType != b.argType)
    return false;
  if (a.kind == Factor::Kind::Apply &&
      (a.fn == graph::ScalarFn::Max || a.fn == graph::ScalarFn::Min))
    return haveEqualExtrema(a, b, context);
  if (a.args.size() != b.args.size() || a.indices.size() != b.indices.size() ||
      a.vars.size() != b.vars.size())
    return false;
  switch (a.kind) {
  case Factor::Kind::Load:
  case Factor::Kind::Index:
    for (const auto &[x, y] : llvm::zip(a.indices, b.indices))
      if (solver.follows(context, Formula::equal(x, y)) !=
          Solver::Answer::Yes) {
        reason = "an element is read at " + x.str() + " on one side, but at " +
                 y.str() + " on the other";
        return false;
      }
    return true;
  case Factor::Kind::Constant:
    return llvm::bit_cast<uint64_t>(a.number) ==
           llvm::bit_cast<uint64_t>(b.number);
  case Factor::Kind::Cast:
  case Factor::Kind::Apply:
  case Factor::Kind::Reciprocal:
    for (const auto &[x, y] : llvm::zip(a.args, b.args))
      if (!equal(x, y, context))
        return false;
    return true;
  case Factor::Kind::Reduce:
    break;
  }
  // The product over one set: a bijection between the sets, and equal elements.
  Term left = normalizer.freshen(getSetTerm(a));
  Term right = normalizer.freshen(getSetTerm(b));
  std::optional<Substitution> bijection = align(left, right, context);
  if (!bijection)
    return false;
  FormulaRef domain = substitute(right.domain, *bijection);
  bool same = haveEqualDomains(left.domain, domain, context);
  if (!same)
    reason = "a reduction runs over other elements on one side than on the "
             "other";
  return same;
}

bool SumMatcher::haveEqualDomains(const FormulaRef &a, const FormulaRef &b,
                                  const FormulaRef &context) {
  return solver.follows(Formula::conjunction(context, a), b) ==
             Solver::Answer::Yes &&
         solver.follows(Formula::conjunction(context, b), a) ==
             Solver::Answer::Yes;
}

bool SumMatcher::haveEqualExtrema(const Factor &a, const Factor &b,
                                  const FormulaRef &context) {
  /// An element over variables of its own, and where each side has it.
  struct Element {
    Term representative;
    FormulaRef domains[2] = {Formula::never(), Formula::never()};
  };
  std::vector<Element> elements;
  for (unsigned side : {0, 1})
    for (const SumForm &arg : (side ? b : a).args) {
      Term term = normalizer.freshen(getExtremumTerm(arg));
      if (solver.isImpossible(Formula::conjunction(context, term.domain)))
        continue;
      bool found = false;
      for (Element &element : elements) {
        std::optional<Substitution> bijection =
            align(element.representative, term, context);
        if (!bijection)
          continue;
        FormulaRef &domain = element.domains[side];
        domain =
            Formula::disjunction(domain, substitute(term.domain, *bijection));
        found = true;
        break;
      }
      if (found)
        continue;
      Element &element = elements.emplace_back();
      element.representative = term;
      element.domains[side] = term.domain;
    }
  for (const Element &element : elements)
    if (!haveEqualDomains(element.domains[0], element.domains[1], context)) {
      reason = "no proof that a maximum or minimum is of the same elements on "
               "both sides";
      return false;
    }
  return true;
}

bool SumMatcher::haveEqualFactors(const std::vector<Factor> &a,
                                  const std::vector<Factor> &b,
                                  const FormulaRef &context) {
  for (const auto &[left, right] : llvm::zip(a, b))
    if (!haveEqualFactor(left, right, context))
      return false;
  return true;
}

/// Orders `factors`, sorted by key, within runs of equal keys: the next order,
/// or false after the last.
static bool getNextOrder(const std::vector<std::string> &keys,
                         std::vector<unsigned> &order) {
  size_t end = keys.size();
  while (end > 0) {
    size_t begin = end - 1;
    while (begin > 0 && keys[begin - 1] == keys[end - 1])
      --begin;
    if (std::next_permutation(order.begin() + begin, order.begin() + end))
      return true;
    end = begin;
  }
  return false;
}

std::optional<Substitution> SumMatcher::align(const Term &representative,
                                              const Term &term,
                                              const FormulaRef &context) {
  if (representative.factors.size() != term.factors.size())
    return std::nullopt;
  std::vector<std::string> keys;
  for (const auto &[a, b] : llvm::zip(representative.factors, term.factors)) {
    keys.push_back(a.getKey());
    if (keys.back() != b.getKey())
      return std::nullopt;
  }
  std::vector<unsigned> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  for (unsigned tries = 0; tries < maxOrders; ++tries) {
    std::vector<Factor> factors;
    for (unsigned position : order)
      factors.push_back(term.factors[position]);
    Equations equations;
    collectEquations(representative.factors, factors, equations);
    if (std::optional<Substitution> solution =
            solve(equations, term.vars, representative.vars)) {
      FormulaRef domain =
          Formula::conjunction(context, substitute(term.domain, *solution));
      for (Factor &factor : factors)
        factor = substitute(factor, *solution);
      if (haveEqualFactors(representative.factors, factors, domain))
        return solution;
    }
    if (!getNextOrder(keys, order))
      break;
  }
  return std::nullopt;
}

bool SumMatcher::add(std::vector<Class> &classes, Term term, int sign,
                     const FormulaRef &context) {
  term = normalizer.freshen(term);
  simplifyTerm(term, context);
  term.sortFactors();
  if (term.str().find('?') != std::string::npos) {
    reason = "an index leaves 64 bits or divides by zero";
    return false;
  }
  if (solver.isImpossible(Formula::conjunction(context, term.domain)))
    return true;
  Class *home = nullptr;
  for (Class &candidate : classes) {
    std::optional<Substitution> bijection =
        align(candidate.representative, term, context);
    if (!bijection)
      continue;
    term = substitute(term, *bijection);
    home = &candidate;
    break;
  }
  if (!home) {
    home = &classes.emplace_back();
    home->representative = term;
  }
  home->counted.emplace_back(term.domain, term.scale);
  home->numerators.push_back(sign * term.numerator);
  home->denominators.push_back(term.denominator);
  ++(sign > 0 ? home->fromFirst : home->fromSecond);
  return true;
}

bool SumMatcher::isBalanced(Class &members, const FormulaRef &context) {
  int64_t common = 1;
  for (int64_t denominator : members.denominators)
    if (llvm::MulOverflow(common / std::gcd(common, denominator), denominator,
                          common))
      return false;
  CountedTerms counted = members.counted;
  for (size_t n = 0; n < counted.size(); ++n) {
    int64_t factor;
    if (llvm::MulOverflow(members.numerators[n],
                          common / members.denominators[n], factor))
      return false;
    counted[n].second = counted[n].second * SymInt(factor);
    if (counted[n].second.isUnknown())
      return false;
  }
  if (members.fromFirst == 0 || members.fromSecond == 0)
    floatClass |= rule::NeedsFinite;
  if (members.fromFirst > 1 || members.fromSecond > 1)
    floatClass |= rule::Reassociates;
  return solver.isZero(context, counted) == Solver::Answer::Yes;
}

bool SumMatcher::equal(const SumForm &first, const SumForm &second,
                       const FormulaRef &context) {
  // Not where a term is unknown, which prints as '?': it equals nothing.
  if (std::string text = first.str();
      text == second.str() && text.find('?') == std::string::npos)
    return true;
  if (depth == maxDepth) {
    reason = "functions are nested too deeply";
    return false;
  }
  unsigned before = floatClass;
  if (haveEqualTerms(first, second, context))
    return true;
  // Once more with the sums over small ranges written out.
  SumForm a = first, b = second;
  bool changed = writeOutSmallRanges(a);
  changed |= writeOutSmallRanges(b);
  if (!changed || solver.failed)
    return false;
  floatClass = before | rule::Reassociates;
  return haveEqualTerms(a, b, context);
}

bool SumMatcher::haveEqualTerms(const SumForm &first, const SumForm &second,
                                const FormulaRef &context) {
  ++depth;
  SumForm a = first, b = second;
  bool result = !laws || clearDenominators(a, b, context);
  std::vector<Class> classes;
  for (const Term &term : a.terms)
    result = result && add(classes, term, 1, context);
  for (const Term &term : b.terms)
    result = result && add(classes, term, -1, context);
  if (result && classes.size() > 1)
    floatClass |= rule::Reassociates;
  for (Class &members : classes)
    if (result && !isBalanced(members, context)) {
      explain(classes, members);
      result = false;
    }
  --depth;
  return result && !solver.failed;
}
