//===- FindDenominators.cpp - finding denominators to multiply by ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchSums.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::prove;

/// The highest power of one denominator to multiply by.
static constexpr size_t maxPower = 3;

/// Returns the denominator whose reciprocal `factor` is, if it has the same
/// value for all values of the term's variables.
static const SumForm *getDenominator(const Factor &factor, const Term &term) {
  if (factor.kind != Factor::Kind::Reciprocal)
    return nullptr;
  std::map<std::string, unsigned> used;
  collectVars(factor, used);
  bool inner = llvm::any_of(
      term.vars, [&](const std::string &var) { return used.count(var) != 0; });
  return inner ? nullptr : &factor.args.front();
}

std::vector<Denominator> SumMatcher::findDenominators(const SumForm &a,
                                                      const SumForm &b,
                                                      const FormulaRef &context,
                                                      unsigned depth) {
  std::vector<const Term *> terms;
  for (const SumForm *side : {&a, &b})
    for (const Term &term : side->terms)
      terms.push_back(&term);
  std::vector<Denominator> found;
  for (unsigned number = 0; number < terms.size(); ++number)
    for (unsigned place = 0; place < terms[number]->factors.size(); ++place) {
      const Factor &factor = terms[number]->factors[place];
      if (!getDenominator(factor, *terms[number]))
        continue;
      FactorProof proof;
      auto it = llvm::find_if(found, [&](const Denominator &known) {
        auto [term, other] = known.places.front();
        const Factor &first = terms[term]->factors[other];
        proof = {};
        return first.getKey() == factor.getKey() &&
               matchFactor(first, factor, context, proof, depth);
      });
      if (it == found.end()) {
        found.emplace_back().places.push_back({number, place});
        continue;
      }
      it->places.push_back({number, place});
      it->equal.push_back(std::move(proof));
    }
  llvm::erase_if(found, [&](Denominator &candidate) {
    std::vector<unsigned> has(terms.size(), 0);
    for (auto [number, place] : candidate.places)
      candidate.power = std::max<unsigned>(candidate.power, ++has[number]);
    bool everywhere = llvm::all_of(
        has, [&](unsigned count) { return count == candidate.power; });
    auto [number, place] = candidate.places.front();
    return everywhere || candidate.power > maxPower ||
           !laws->signs.isPositive(terms[number]->factors[place].args.front(),
                                   context);
  });
  return found;
}
