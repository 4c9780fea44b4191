//===- ClearDenominators.cpp - quotients that were multiplied out ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchSums.h"

#include "tenon/Dialect/Rule/IR/Certificate.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;

/// Powers of one denominator that are multiplied by.
static constexpr size_t maxPower = 3;

/// The denominator that `factor` is the reciprocal of, if it is the same for
/// all values of the term's variables.
static const SumForm *getDenominator(const Factor &factor, const Term &term) {
  if (factor.kind != Factor::Kind::Reciprocal)
    return nullptr;
  std::map<std::string, unsigned> used;
  collectVars(factor, used);
  bool inner = llvm::any_of(
      term.vars, [&](const std::string &var) { return used.count(var) != 0; });
  return inner ? nullptr : &factor.args.front();
}

namespace {
/// One denominator, and which factors of which terms are its reciprocals.
struct Denominator {
  SumForm value;
  std::map<const Term *, std::vector<size_t>> places;
  size_t power = 0;
};
} // namespace

bool SumMatcher::clearDenominators(SumForm &a, SumForm &b,
                                   const FormulaRef &context) {
  std::vector<const Term *> terms;
  for (const SumForm *side : {&a, &b})
    for (const Term &term : side->terms)
      terms.push_back(&term);
  std::vector<Denominator> found;
  for (const Term *term : terms)
    for (auto [place, factor] : llvm::enumerate(term->factors)) {
      const SumForm *value = getDenominator(factor, *term);
      if (!value)
        continue;
      auto it = llvm::find_if(found, [&](const Denominator &known) {
        return known.value.getKey() == value->getKey() &&
               equal(known.value, *value, context);
      });
      if (it == found.end())
        it = found.insert(found.end(), {*value, {}, 0});
      std::vector<size_t> &places = it->places[term];
      places.push_back(place);
      it->power = std::max(it->power, places.size());
    }
  llvm::erase_if(found, [&](const Denominator &candidate) {
    bool everywhere = llvm::all_of(terms, [&](const Term *term) {
      auto it = candidate.places.find(term);
      return it != candidate.places.end() &&
             it->second.size() == candidate.power;
    });
    return everywhere || candidate.power > maxPower ||
           !laws->signs.isPositive(candidate.value, context);
  });
  if (found.empty())
    return true;
  floatClass |= rule::Reassociates | rule::NeedsFinite;
  for (SumForm *side : {&a, &b}) {
    SumForm cleared;
    for (const Term &term : side->terms) {
      std::vector<bool> drop(term.factors.size(), false);
      for (const Denominator &denominator : found)
        if (auto it = denominator.places.find(&term);
            it != denominator.places.end())
          for (size_t place : it->second)
            drop[place] = true;
      SumForm rest;
      rest.terms.push_back(term);
      std::vector<Factor> &factors = rest.terms.front().factors;
      factors.clear();
      for (auto [place, factor] : llvm::enumerate(term.factors))
        if (!drop[place])
          factors.push_back(factor);
      for (const Denominator &denominator : found) {
        auto it = denominator.places.find(&term);
        size_t has = it == denominator.places.end() ? 0 : it->second.size();
        for (size_t n = has; n < denominator.power; ++n) {
          std::optional<SumForm> product =
              normalizer.multiply(rest, denominator.value);
          if (!product) {
            reason = normalizer.reason;
            return false;
          }
          rest = std::move(*product);
        }
      }
      cleared.terms.insert(cleared.terms.end(), rest.terms.begin(),
                           rest.terms.end());
    }
    *side = std::move(cleared);
  }
  return true;
}
