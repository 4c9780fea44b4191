//===- NormalizeExtremum.cpp - normalizing maxima and minima --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Laws.h"
#include "tenon/ProofKernel/Normalize.h"

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Rule/IR/Certificate.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace tenon;
using namespace tenon::prove;
using graph::ScalarFn;

/// The maximum number of maxima within minima to multiply out.
static constexpr unsigned maxNested = 6;

/// Returns the factor with this function, if `form` is just that factor.
static const Factor *getApplied(const SumForm &form, ScalarFn fn) {
  const Factor *only = getOnlyFactor(form);
  return only && only->kind == Factor::Kind::Apply && only->fn == fn ? only
                                                                     : nullptr;
}

/// D2: drops an argument of a maximum that is a minimum with further arguments
/// than another: max(a, min(a, b)) = a. Returns whether there was one.
static bool absorb(std::vector<SumForm> &args) {
  std::vector<std::set<std::string>> parts;
  for (const SumForm &arg : args) {
    std::set<std::string> &texts = parts.emplace_back();
    if (const Factor *least = getApplied(arg, ScalarFn::Min))
      for (const SumForm &part : least->args)
        texts.insert(part.str());
    else
      texts.insert(arg.str());
  }
  std::vector<SumForm> kept;
  for (size_t n = 0; n < args.size(); ++n) {
    bool isAbsorbed = false;
    for (size_t other = 0; other < args.size(); ++other)
      isAbsorbed |= parts[other].size() < parts[n].size() &&
                    std::includes(parts[n].begin(), parts[n].end(),
                                  parts[other].begin(), parts[other].end());
    if (!isAbsorbed)
      kept.push_back(args[n]);
  }
  bool changed = kept.size() < args.size();
  args = std::move(kept);
  return changed;
}

std::optional<SumForm> Normalizer::getExtremum(Factor factor,
                                               std::vector<SumForm> args,
                                               unsigned depth) {
  // The function is associative and commutative: max(max(a, b), c) is max(a, b,
  // c).
  std::vector<SumForm> flat;
  for (SumForm &arg : args) {
    if (const Factor *inner = getApplied(arg, factor.fn))
      flat.insert(flat.end(), inner->args.begin(), inner->args.end());
    else
      flat.push_back(std::move(arg));
  }
  bool isMax = factor.fn == ScalarFn::Max;
  if (laws)
    Laws::dropNeutral(isMax, factor.type, flat);
  std::sort(flat.begin(), flat.end(), [](const SumForm &a, const SumForm &b) {
    std::string left = a.getKey(), right = b.getKey();
    return left != right ? left < right : a.str() < b.str();
  });
  flat.erase(std::unique(flat.begin(), flat.end(),
                         [](const SumForm &a, const SumForm &b) {
                           return a.str() == b.str();
                         }),
             flat.end());
  bool hasSets = llvm::any_of(flat, [&](const SumForm &arg) {
    return getSet(arg, factor.fn) != nullptr;
  });
  if (laws && !hasSets)
    if (std::optional<SumForm> known =
            laws->rewriteExtremum(*this, factor, flat))
      return known;
  if (laws && !isMax && !hasSets && depth < maxNested) {
    auto nested = llvm::find_if(flat, [](const SumForm &arg) {
      const Factor *most = getApplied(arg, ScalarFn::Max);
      return most && llvm::none_of(most->args, [&](const SumForm &part) {
               return getSet(part, ScalarFn::Max) != nullptr;
             });
    });
    if (nested != flat.end()) {
      // D1.
      std::vector<SumForm> parts, rest = flat;
      rest.erase(rest.begin() + (nested - flat.begin()));
      for (const SumForm &part : getOnlyFactor(*nested)->args) {
        std::vector<SumForm> least = rest;
        least.push_back(part);
        std::optional<SumForm> one =
            getOpaque(factor, std::move(least), depth + 1);
        if (!one)
          return std::nullopt;
        parts.push_back(std::move(*one));
      }
      factor.fn = ScalarFn::Max;
      return getOpaque(std::move(factor), std::move(parts), depth + 1);
    }
  }
  // The absorbed argument may have been NaN.
  if (laws && isMax && !hasSets && absorb(flat) && graph::isFloat(factor.type))
    floatClass |= rule::NeedsFinite;
  // The maximum of one element is the element, but that of a set is kept.
  if (flat.size() == 1 && !hasSets)
    return flat[0];
  factor.args = std::move(flat);
  return getFactorSum(std::move(factor));
}
