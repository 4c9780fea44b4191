//===- ExplainSums.cpp - explaining why sums were not matched -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchSums.h"

#include <algorithm>
#include <set>

using namespace tenon;
using namespace tenon::prove;

/// Longer terms are truncated in messages.
static constexpr size_t maxText = 300;

static std::string quote(const Term &term) {
  std::string text = term.str();
  if (text.size() > maxText)
    text = text.substr(0, maxText) + "...";
  return "'" + text + "'";
}

/// Collects the functions that occur in `term`.
static void collectFunctions(const Term &term,
                             std::set<graph::ScalarFn> &functions) {
  for (const Factor &factor : term.factors) {
    if (factor.kind == Factor::Kind::Apply)
      functions.insert(factor.fn);
    if (factor.kind == Factor::Kind::Reciprocal)
      functions.insert(graph::ScalarFn::Div);
    for (const SumForm &arg : factor.args)
      for (const Term &inner : arg.terms)
        collectFunctions(inner, functions);
  }
}

/// Describes the known laws of the functions that only one of the terms has.
static std::string describeLaws(const Term &a, const Term &b) {
  std::set<graph::ScalarFn> left, right, differ;
  collectFunctions(a, left);
  collectFunctions(b, right);
  std::set_symmetric_difference(left.begin(), left.end(), right.begin(),
                                right.end(),
                                std::inserter(differ, differ.end()));
  std::string text;
  for (graph::ScalarFn fn : differ) {
    llvm::StringRef known = Laws::getNames(fn);
    text +=
        "; " + (known.empty()
                    ? "no law of '" + graph::stringify(fn).str() + "' is known"
                    : "the laws of '" + graph::stringify(fn).str() + "' are " +
                          known.str());
  }
  return text;
}

void SumMatcher::explain(const std::vector<Class> &classes, unsigned depth) {
  const Class &unbalanced = classes[*kernel.unbalanced];
  const Term &term = unbalanced.representative;
  std::string first = depth == 0 ? "the source" : "one side";
  std::string second = depth == 0 ? "the target" : "the other";
  if (unbalanced.fromFirst != 0 && unbalanced.fromSecond != 0) {
    reason = "no proof that both sides count " + quote(term) + " equally often";
    return;
  }
  bool inFirst = unbalanced.fromFirst != 0;
  for (const Class &other : classes)
    if (inFirst ? other.fromFirst == 0 : other.fromSecond == 0) {
      const Term &counterpart = other.representative;
      reason = quote(inFirst ? term : counterpart) + " of " + first + " and " +
               quote(inFirst ? counterpart : term) + " of " + second +
               " could not be reconciled" + describeLaws(term, counterpart);
      return;
    }
  reason = quote(term) + " occurs only in " + (inFirst ? first : second);
}
