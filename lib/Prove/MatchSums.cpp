//===- MatchSums.cpp - finding witnesses that sums are equal --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchSums.h"
#include "SimplifyTerm.h"
#include "SolveIndices.h"

#include <numeric>

using namespace tenon;
using namespace tenon::prove;

/// The number of orders of like factors to try.
static constexpr unsigned maxOrders = 120;
/// The number of pairs of terms that one comparison of sums may try, in the
/// sums that are nested in them, too: each level multiplies it.
static constexpr unsigned maxPairs = 20000;
/// The maximum nesting of functions in functions to compare.
static constexpr unsigned maxDepth = 16;

bool SumMatcher::isSpent() {
  if (numPairs < maxPairs)
    return false;
  reason = "comparing the sums takes more than " + std::to_string(maxPairs) +
           " pairs of terms";
  return true;
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

bool SumMatcher::matchFactor(const Factor &a, const Factor &b,
                             const FormulaRef &context, FactorProof &proof,
                             unsigned depth) {
  bool isSet = a.kind == Factor::Kind::Reduce ||
               (a.kind == Factor::Kind::Apply && !a.isOrdered &&
                (a.fn == graph::ScalarFn::Max || a.fn == graph::ScalarFn::Min));
  if (isSet && a.kind == b.kind && a.fn == b.fn)
    return matchSets(a, b, context, proof, depth);
  if (a.args.size() != b.args.size())
    return false;
  bool allSame = true;
  for (const auto &[x, y] : llvm::zip(a.args, b.args)) {
    SumProof one;
    if (!match(x, y, context, one, depth))
      return false;
    allSame &= one.same;
    proof.args.push_back(std::move(one));
  }
  if (allSame)
    proof.args.clear();
  // Compare kinds, indices and numbers first.
  bool equal = kernel.equal(a, b, context, proof, depth);
  if (!equal)
    reason = kernel.reason;
  kernel.reason.clear();
  return equal;
}

bool SumMatcher::matchSets(const Factor &a, const Factor &b,
                           const FormulaRef &context, FactorProof &proof,
                           unsigned depth) {
  std::vector<Term> representatives;
  for (const Factor *side : {&a, &b})
    for (size_t n = 0; n < side->args.size(); ++n) {
      Term term = side->kind == Factor::Kind::Reduce
                      ? getSetTerm(*side)
                      : getExtremumTerm(side->args[n], side->fn);
      term = nameVars(normalizer.freshen(term), VarRole::Term, depth);
      TermProof &one = proof.elements.emplace_back();
      if (solver.isImpossible(Formula::conjunction(context, term.domain))) {
        one.never = true;
        continue;
      }
      for (unsigned number = 0; number < representatives.size(); ++number)
        if (align(representatives[number], term, context, one, depth)) {
          one.joins = number;
          break;
        }
      if (!one.joins)
        representatives.push_back(nameVars(term, VarRole::Class, depth));
    }
  bool equal = kernel.equal(a, b, context, proof, depth);
  if (!equal)
    reason = kernel.reason;
  kernel.reason.clear();
  return equal;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// Reorders `factors`, sorted by key, within runs of equal keys: computes the
/// next order, or returns false after the last.
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

bool SumMatcher::align(const Term &representative, const Term &term,
                       const FormulaRef &context, TermProof &proof,
                       unsigned depth) {
  if (representative.factors.size() != term.factors.size())
    return false;
  std::vector<std::string> keys;
  for (const auto &[a, b] : llvm::zip(representative.factors, term.factors)) {
    keys.push_back(a.getKey());
    if (keys.back() != b.getKey())
      return false;
  }
  std::vector<unsigned> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<unsigned> identity = order;
  for (unsigned tries = 0; tries < maxOrders; ++tries) {
    if (isSpent())
      return false;
    ++numPairs;
    std::vector<Factor> factors;
    for (unsigned position : order)
      factors.push_back(term.factors[position]);
    Equations equations;
    collectEquations(representative.factors, factors, equations);
    dropZeroQuotients(equations, representative.domain);
    dropZeroQuotients(equations, term.domain);
    if (std::optional<ChangeOfVars> change =
            solve(equations, term.vars, representative.vars)) {
      Substitution values;
      for (const auto &[var, value] : llvm::zip(term.vars, change->values))
        values[var] = value;
      FormulaRef inside =
          Formula::conjunction(context, substitute(term.domain, values));
      std::vector<FactorProof> proofs(factors.size());
      bool equal = true, isPlain = true;
      for (size_t n = 0; n < factors.size() && equal; ++n) {
        equal = matchFactor(representative.factors[n],
                            substitute(factors[n], values), inside, proofs[n],
                            depth + 1);
        isPlain &= proofs[n].args.empty() && proofs[n].elements.empty();
      }
      if (equal) {
        proof.change = std::move(*change);
        if (order != identity)
          proof.order = order;
        if (!isPlain)
          proof.factors = std::move(proofs);
        return true;
      }
    }
    if (!getNextOrder(keys, order))
      break;
  }
  return false;
}

bool SumMatcher::add(std::vector<Class> &classes, const Term &original,
                     bool isFirst, const FormulaRef &context, TermProof &proof,
                     unsigned depth, bool splits, bool &wasSplit) {
  Term term = nameVars(normalizer.freshen(original), VarRole::Term, depth);
  if (splits)
    wasSplit |= splitQuotients(term, proof.steps, kernel, context, depth);
  simplifyTerm(term, proof.steps, kernel, context, depth);
  term.sortFactors();
  if (term.str().find('?') != std::string::npos) {
    reason = "an index leaves 64 bits or divides by zero";
    return false;
  }
  if (solver.isImpossible(Formula::conjunction(context, term.domain))) {
    proof.never = true;
    return true;
  }
  for (unsigned number = 0; number < classes.size() && !proof.joins; ++number)
    if (align(classes[number].representative, term, context, proof, depth))
      proof.joins = number;
  if (!proof.joins) {
    proof.change = {};
    classes.emplace_back().representative =
        nameVars(term, VarRole::Class, depth);
  }
  Class &home = classes[proof.joins.value_or(classes.size() - 1)];
  ++(isFirst ? home.fromFirst : home.fromSecond);
  return true;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

bool SumMatcher::match(const SumForm &first, const SumForm &second,
                       const FormulaRef &context, SumProof &proof,
                       unsigned depth) {
  proof = {};
  if (isSpent())
    return false;
  proof.same = true;
  if (kernel.equal(first, second, context, proof, depth))
    return true;
  kernel.reason.clear();
  proof.same = false;
  if (depth == maxDepth) {
    reason = "functions are nested too deeply";
    return false;
  }
  bool splits = false;
  if (matchTerms(first, second, context, proof, depth, splits))
    return true;
  if (solver.failed || isSpent())
    return false;
  // Try again with the indices of reshaped axes split.
  std::string before = reason;
  splits = true;
  proof = {};
  if (matchTerms(first, second, context, proof, depth, splits))
    return true;
  if (!splits)
    reason = std::move(before);
  // Try again with the sums over small ranges expanded.
  SumForm a = first, b = second;
  bool changed = writeOutSmallRanges(a);
  changed |= writeOutSmallRanges(b);
  if (!changed || solver.failed || isSpent())
    return false;
  proof = {};
  proof.writtenOut = true;
  splits = false;
  return matchTerms(a, b, context, proof, depth, splits);
}

bool SumMatcher::matchTerms(const SumForm &first, const SumForm &second,
                            const FormulaRef &context, SumProof &proof,
                            unsigned depth, bool &splits) {
  SumForm a = first, b = second;
  if (laws)
    proof.denominators = findDenominators(a, b, context, depth);
  if (!kernel.clear(a, b, context, proof.denominators, depth)) {
    reason = kernel.reason;
    kernel.reason.clear();
    return false;
  }
  std::vector<Class> classes;
  bool wanted = splits;
  splits = false;
  for (const SumForm *side : {&a, &b})
    for (const Term &term : side->terms)
      if (!add(classes, term, side == &a, context, proof.terms.emplace_back(),
               depth, wanted, splits))
        return false;
  if (wanted && !splits)
    return false;
  // The kernel decides whether the classes are counted equally often.
  kernel.unbalanced.reset();
  bool equal = kernel.equal(first, second, context, proof, depth);
  if (!equal && kernel.unbalanced)
    explain(classes, depth);
  else if (!equal)
    reason = kernel.reason;
  kernel.reason.clear();
  return equal && !solver.failed;
}
