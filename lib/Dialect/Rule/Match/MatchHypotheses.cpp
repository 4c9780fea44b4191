//===- MatchHypotheses.cpp - what proofs assume, at a match ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule fires only if everything that its proof assumes is known to hold for
// the sizes of the match. Constants are computed. If the model has symbols, it
// is known that sizes of tensors are at least 0, and that the conditions of the
// matched ops hold: a run checks them.
//
//===----------------------------------------------------------------------===//

#include "Matcher.h"

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "llvm/ADT/StringSet.h"

#include <deque>

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::SymInt;

bool Matcher::isNotNegative(const SymInt &value) const {
  if (value.isUnknown())
    return false;
  if (graph::provablyAtLeast(value, SymInt(0)))
    return true;
  if (value.isConstant())
    return false;
  std::deque<graph::SizeAssumption> facts;
  llvm::StringSet<> seen;
  auto add = [&](const SymInt &known) {
    std::optional<int64_t> least = known.lowerBound();
    if (!known.isUnknown() && !(least && *least >= 0) &&
        seen.insert(known.str()).second)
      facts.emplace_back(known);
  };
  for (Value known : values)
    if (auto type = known ? dyn_cast<RankedTensorType>(known.getType())
                          : RankedTensorType())
      for (const SymInt &size : graph::getShape(type))
        add(size);
  for (Operation *op : ops)
    if (op)
      for (const graph::SizeCondition &condition :
           graph::collectSizeConditions(op))
        add(condition.value);
  return !facts.empty() && graph::provablyAtLeast(value, SymInt(0));
}

bool Matcher::holds(const Hypothesis &hypothesis) const {
  if (hypothesis.symbol >= 0) {
    const std::optional<Size> &bound = symbols[hypothesis.symbol];
    if (!bound)
      return false;
    if (bound->ofTensor)
      return true;
    return bound->constant ? *bound->constant >= 0
                           : isNotNegative(bound->other);
  }
  if (std::optional<int64_t> value = hypothesis.value.evaluate(
          [&](StringRef name) { return lookupConstant(name); }))
    return *value >= 0;
  return isNotNegative(
      hypothesis.value.substitute([&](StringRef name) -> std::optional<SymInt> {
        if (std::optional<SymInt> bound = lookup(name))
          return bound;
        // A name that the match does not bind must not be taken for a symbol
        // of the model.
        if (!batch || !pattern.rule ||
            name != pattern.rule->certificate.liftSymbol)
          return SymInt::unknown();
        SymInt product(1);
        for (const SymInt &size : *batch)
          product = product * size;
        return product;
      }));
}

bool Matcher::checkHypotheses() const {
  return llvm::all_of(
      pattern.getHypotheses(/*isLifted=*/batch && !batch->empty()),
      [&](const Hypothesis &hypothesis) { return holds(hypothesis); });
}
