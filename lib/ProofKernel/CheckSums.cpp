//===- CheckSums.cpp - checking that sums of products are equal -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/CheckSums.h"

#include "tenon/Dialect/Rule/IR/Certificate.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tenon;
using namespace tenon::prove;

/// The maximum nesting of sums in functions in sums, and so on.
static constexpr unsigned maxDepth = 16;
/// The highest power of one denominator to multiply by.
static constexpr unsigned maxPower = 3;

static bool isUnknown(const Term &term) {
  return term.str().find('?') != std::string::npos;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

Term prove::getSetTerm(const Factor &reduce) {
  Term term;
  term.vars = reduce.vars;
  term.domain = reduce.domain;
  // Any function can be used to compare arguments.
  Factor inner;
  inner.kind = Factor::Kind::Reciprocal;
  inner.args = reduce.args;
  term.factors.push_back(std::move(inner));
  return term;
}

Term prove::getExtremumTerm(const SumForm &arg, graph::ScalarFn fn) {
  if (const Factor *set = getSet(arg, fn))
    return getSetTerm(*set);
  Factor element;
  element.domain = Formula::always();
  element.args.push_back(arg);
  return getSetTerm(element);
}

static bool isExtremum(const Factor &factor) {
  return factor.kind == Factor::Kind::Apply && !factor.isOrdered &&
         (factor.fn == graph::ScalarFn::Max ||
          factor.fn == graph::ScalarFn::Min);
}

bool SumChecker::equal(const Factor &a, const Factor &b,
                       const FormulaRef &context, const FactorProof &proof,
                       unsigned depth) {
  if (a.kind != b.kind || a.operand != b.operand || a.fn != b.fn ||
      a.reduce != b.reduce || a.type != b.type || a.argType != b.argType ||
      a.isOrdered != b.isOrdered)
    return refuse("factors are of different kinds");
  if (a.kind == Factor::Kind::Reduce || isExtremum(a))
    return equalSets(a, b, context, proof, depth);
  if (a.args.size() != b.args.size() || a.indices.size() != b.indices.size() ||
      llvm::bit_cast<uint64_t>(a.number) != llvm::bit_cast<uint64_t>(b.number))
    return refuse("factors are of different kinds");
  for (const auto &[x, y] : llvm::zip(a.indices, b.indices))
    if (!follows(context, Formula::equal(x, y)))
      return refuse("an element is read at " + x.str() +
                    " on one side, but at " + y.str() + " on the other");
  SumProof same;
  same.same = true;
  for (auto [number, both] : llvm::enumerate(llvm::zip(a.args, b.args)))
    if (!equal(std::get<0>(both), std::get<1>(both), context,
               number < proof.args.size() ? proof.args[number] : same, depth))
      return false;
  return true;
}

/// Reductions are equal if they are over the same elements: over the same set,
/// and for products with a bijection. A maximum may be over several sets and
/// elements.
bool SumChecker::equalSets(const Factor &a, const Factor &b,
                           const FormulaRef &context, const FactorProof &proof,
                           unsigned depth) {
  std::vector<Term> elements;
  for (const Factor *side : {&a, &b})
    if (side->kind == Factor::Kind::Reduce)
      elements.push_back(getSetTerm(*side));
    else
      for (const SumForm &arg : side->args)
        elements.push_back(getExtremumTerm(arg, side->fn));
  size_t numFirst = a.kind == Factor::Kind::Reduce ? 1 : a.args.size();
  if (proof.elements.size() != elements.size())
    return refuse("elements have no proof");
  struct Set {
    Term representative;
    FormulaRef domains[2] = {Formula::never(), Formula::never()};
  };
  std::vector<Set> sets;
  for (size_t n = 0; n < elements.size(); ++n) {
    const TermProof &one = proof.elements[n];
    Term term = nameVars(normalizer.freshen(elements[n]), VarRole::Term, depth);
    if (isUnknown(term))
      return refuse("an index overflows 64 bits or divides by zero");
    for (const TermStep &step : one.steps)
      if (step.counted || !apply(term, step, context, depth))
        return refuse("a step is not allowed for sets");
    for (auto [number, value] : llvm::enumerate(one.change.values))
      if (a.isOrdered &&
          value != SymInt::symbol(getVarName(VarRole::Class, depth, number)))
        return refuse("a reduction is in another order");
    if (a.isOrdered && !one.steps.empty())
      return refuse("a reduction is in another order");
    if (one.never) {
      if (!follows(context, Formula::negation(term.domain)))
        return refuse("a set is not proved to be empty");
      continue;
    }
    if (!one.joins) {
      sets.emplace_back().representative =
          nameVars(term, VarRole::Class, depth);
      sets.back().domains[n >= numFirst] = sets.back().representative.domain;
      continue;
    }
    if (*one.joins >= sets.size())
      return refuse("there is no such class");
    Set &set = sets[*one.joins];
    if (!join(set.representative, term, context, one, depth))
      return false;
    FormulaRef &domain = set.domains[n >= numFirst];
    domain = Formula::disjunction(domain, term.domain);
  }
  for (const Set &set : sets)
    if (!follows(Formula::conjunction(context, set.domains[0]),
                 set.domains[1]) ||
        !follows(Formula::conjunction(context, set.domains[1]), set.domains[0]))
      return refuse("a reduction is over different elements on the two sides");
  return true;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Returns the constant n if `domain` states that 0 <= var < n.
static std::optional<int64_t> getConstantRange(const FormulaRef &domain,
                                               const std::string &var) {
  std::vector<FormulaRef> conjuncts;
  flattenAnd(domain, conjuncts);
  SymInt at = SymInt::symbol(var);
  bool fromZero = false;
  std::optional<int64_t> range;
  for (const FormulaRef &conjunct : conjuncts) {
    if (conjunct->kind != Formula::Kind::NonNegative)
      continue;
    fromZero |= conjunct->term == at;
    // The conjunct is n - 1 - var >= 0.
    if (std::optional<int64_t> last = (conjunct->term + at).getConstant();
        last && (!range || *last + 1 < *range))
      range = *last + 1;
  }
  return fromZero ? range : std::nullopt;
}

bool prove::writeOutSmallRanges(SumForm &form) {
  constexpr int64_t maxRange = 8;
  constexpr size_t maxWrittenOut = 128;
  bool changed = false;
  std::vector<Term> terms = form.terms;
  // Added terms are processed by later iterations.
  for (size_t n = 0; n < terms.size(); ++n) {
    auto isSmall = [&](const std::string &var) {
      std::optional<int64_t> range = getConstantRange(terms[n].domain, var);
      return range && *range >= 0 && *range <= maxRange;
    };
    auto it = llvm::find_if(terms[n].vars, isSmall);
    if (it == terms[n].vars.end())
      continue;
    changed = true;
    std::string var = *it;
    Term whole = std::move(terms[n]);
    int64_t range = *getConstantRange(whole.domain, var);
    llvm::erase(whole.vars, var);
    terms.erase(terms.begin() + n--);
    for (int64_t value = 0; value < range; ++value) {
      Term part = substitute(whole, {{var, SymInt(value)}});
      if (!part.domain->isFalse())
        terms.push_back(std::move(part));
    }
    if (terms.size() > maxWrittenOut)
      return false;
  }
  form.terms = std::move(terms);
  return changed;
}

bool SumChecker::clear(SumForm &a, SumForm &b, const FormulaRef &context,
                       const std::vector<Denominator> &denominators,
                       unsigned depth) {
  if (denominators.empty())
    return true;
  if (!laws)
    return refuse("denominators are cleared without laws");
  floatClass |= rule::Reassociates | rule::NeedsFinite;
  std::vector<Term *> terms;
  for (SumForm *side : {&a, &b})
    for (Term &term : side->terms)
      terms.push_back(&term);
  // For each term, the factors to drop, and the sums to multiply it by.
  std::vector<std::set<size_t>> drop(terms.size());
  std::vector<std::vector<SumForm>> times(terms.size());
  for (const Denominator &denominator : denominators) {
    if (denominator.power > maxPower)
      return refuse("a denominator has a power that is too high");
    const Factor *first = nullptr;
    std::vector<unsigned> has(terms.size(), 0);
    for (auto [n, place] : llvm::enumerate(denominator.places)) {
      auto [number, factor] = place;
      if (number >= terms.size() || factor >= terms[number]->factors.size() ||
          !drop[number].insert(factor).second)
        return refuse("there is no such factor");
      const Factor &here = terms[number]->factors[factor];
      std::map<std::string, unsigned> used;
      collectVars(here, used);
      bool isFree =
          llvm::none_of(terms[number]->vars, [&](const std::string &var) {
            return used.count(var) != 0;
          });
      if (here.kind != Factor::Kind::Reciprocal || !isFree)
        return refuse("a factor is not a denominator");
      if (n > 0 &&
          (n - 1 >= denominator.equal.size() ||
           !equal(*first, here, context, denominator.equal[n - 1], depth)))
        return refuse("a denominator is not the same everywhere");
      if (n == 0)
        first = &here;
      ++has[number];
    }
    if (!first || !laws->signs.isPositive(first->args.front(), context))
      return refuse("a denominator is not proved positive");
    for (auto [number, count] : llvm::enumerate(has)) {
      if (count > denominator.power)
        return refuse("a denominator has a higher power");
      times[number].insert(times[number].end(), denominator.power - count,
                           first->args.front());
    }
  }
  size_t number = 0;
  for (SumForm *side : {&a, &b}) {
    SumForm cleared;
    for (const Term &term : side->terms) {
      SumForm rest;
      rest.terms.push_back(term);
      std::vector<Factor> &factors = rest.terms.front().factors;
      factors.clear();
      for (auto [place, factor] : llvm::enumerate(term.factors))
        if (!drop[number].count(place))
          factors.push_back(factor);
      for (const SumForm &value : times[number]) {
        std::optional<SumForm> product = normalizer.multiply(rest, value);
        if (!product)
          return refuse(normalizer.reason);
        rest = std::move(*product);
      }
      cleared.terms.insert(cleared.terms.end(), rest.terms.begin(),
                           rest.terms.end());
      ++number;
    }
    *side = std::move(cleared);
  }
  return true;
}

bool SumChecker::join(const Term &representative, Term &term,
                      const FormulaRef &context, const TermProof &proof,
                      unsigned depth) {
  size_t count = representative.factors.size();
  if (proof.change.inverse.size() != representative.vars.size() ||
      term.factors.size() != count ||
      (!proof.order.empty() && proof.order.size() != count))
    return refuse("a term does not match its class");
  if (!change(term, proof.change, VarRole::Class, context, depth))
    return false;
  std::set<unsigned> taken;
  FormulaRef inside = Formula::conjunction(context, term.domain);
  for (size_t n = 0; n < count; ++n) {
    unsigned own = proof.order.empty() ? n : proof.order[n];
    if (own >= count || !taken.insert(own).second)
      return refuse("the order of factors is not a permutation");
    if (!equal(representative.factors[n], term.factors[own], inside,
               n < proof.factors.size() ? proof.factors[n] : FactorProof(),
               depth + 1))
      return false;
  }
  return true;
}

bool SumChecker::add(std::vector<Class> &classes, const Term &original,
                     bool isFirst, const FormulaRef &context,
                     const TermProof &proof, unsigned depth) {
  Term term = nameVars(normalizer.freshen(original), VarRole::Term, depth);
  for (const TermStep &step : proof.steps)
    if (!apply(term, step, context, depth))
      return false;
  term.sortFactors();
  if (isUnknown(term))
    return refuse("an index overflows 64 bits or divides by zero");
  if (proof.never)
    return follows(context, Formula::negation(term.domain)) ||
           refuse("a term is not proved to be zero");
  unsigned number = proof.joins.value_or(classes.size());
  if (!proof.joins) {
    term = nameVars(term, VarRole::Class, depth);
    classes.emplace_back().representative = term;
  } else if (number >= classes.size()) {
    return refuse("there is no such class");
  } else if (!join(classes[number].representative, term, context, proof,
                   depth)) {
    return false;
  }
  Class &home = classes[number];
  home.counted.emplace_back(term.domain, term.scale);
  home.numerators.push_back(isFirst ? term.numerator : -term.numerator);
  home.isFirst.push_back(isFirst);
  home.denominators.push_back(term.denominator);
  ++(isFirst ? home.fromFirst : home.fromSecond);
  return true;
}

bool SumChecker::Class::mayCancel(bool first) const {
  std::set<bool> signs;
  for (size_t n = 0; n < counted.size(); ++n) {
    if (isFirst[n] != first)
      continue;
    signs.insert(numerators[n] < 0);
    // The sign of the scale is unknown.
    for (const auto &[monomial, coefficient] : counted[n].second.getTerms())
      signs.insert((coefficient < 0) != (numerators[n] < 0));
  }
  return signs.size() > 1 && llvm::count(isFirst, first) > 1;
}

bool SumChecker::Class::mayCountZero() const {
  if (counted.size() == 2 && counted[0].first->text == counted[1].first->text &&
      counted[0].second == counted[1].second)
    return false;
  return llvm::any_of(counted, [](const auto &term) {
    std::map<std::string, unsigned> vars;
    collectVars(term.second, vars);
    return !vars.empty();
  });
}

bool SumChecker::isBalanced(Class &members, const FormulaRef &context) {
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
  // 0 * x = 0 is used if an index is 0.
  if (members.mayCountZero())
    floatClass |= rule::NeedsFinite;
  // x - x = 0 is used if one side counts terms of both signs.
  for (bool isFirst : {true, false})
    if (members.mayCancel(isFirst))
      floatClass |= rule::NeedsFinite;
  if (members.fromFirst == 0 || members.fromSecond == 0)
    floatClass |= rule::NeedsFinite;
  if (members.fromFirst > 1 || members.fromSecond > 1)
    floatClass |= rule::Reassociates;
  return solver.isZero(context, counted) == Solver::Answer::Yes;
}

bool SumChecker::equal(const SumForm &first, const SumForm &second,
                       const FormulaRef &context, const SumProof &proof,
                       unsigned depth) {
  if (proof.same) {
    // An unknown term, which prints as '?', equals nothing.
    std::string text = getCanonicalText(first);
    return (text == getCanonicalText(second) &&
            text.find('?') == std::string::npos) ||
           refuse("sums are not identical");
  }
  if (depth == maxDepth)
    return refuse("functions are nested too deeply");
  SumForm a = first, b = second;
  if (proof.writtenOut) {
    floatClass |= rule::Reassociates;
    writeOutSmallRanges(a);
    writeOutSmallRanges(b);
  }
  if (!clear(a, b, context, proof.denominators, depth))
    return false;
  if (proof.terms.size() != a.terms.size() + b.terms.size())
    return refuse("terms have no proof");
  std::vector<Class> classes;
  for (size_t n = 0; n < proof.terms.size(); ++n) {
    bool isFirst = n < a.terms.size();
    const Term &term = isFirst ? a.terms[n] : b.terms[n - a.terms.size()];
    if (!add(classes, term, isFirst, context, proof.terms[n], depth))
      return false;
  }
  if (classes.size() > 1)
    floatClass |= rule::Reassociates;
  for (auto [number, members] : llvm::enumerate(classes))
    if (!isBalanced(members, context)) {
      unbalanced = number;
      return refuse("no proof that both sides count '" +
                    members.representative.str() + "' equally often");
    }
  return true;
}
