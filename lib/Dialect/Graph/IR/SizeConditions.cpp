//===- SizeConditions.cpp - what sizes must satisfy at run time -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon::graph;

/// Where inference on this thread notes what it can't decide. Its interface is
/// MLIR's, which has no room for another result.
static thread_local SmallVectorImpl<SizeCondition> *collector = nullptr;

void tenon::graph::requireNotNegative(const SymInt &value, const Twine &text) {
  if (!collector || value.isUnknown())
    return;
  std::optional<int64_t> least = value.lowerBound();
  if (!least || *least < 0)
    collector->push_back({value, text.str()});
}

void tenon::graph::requireNotNegativeIfAny(const SymInt &count,
                                           const SymInt &value,
                                           const Twine &text) {
  std::optional<int64_t> least = count.lowerBound();
  requireNotNegative(least && *least >= 1 ? value : SymInt::max(value, -count),
                     text);
}

void tenon::graph::requireEqual(const SymInt &expected, const SymInt &found) {
  if (!collector || expected == found)
    return;
  SymInt difference = expected - found;
  requireNotNegative(SymInt::min(difference, -difference),
                     "expected size " + expected.str() + ", but got " +
                         found.str());
}

/// Repeats the inference of an op while conditions are collected.
static void inferAgain(InferTypeOpInterface op) {
  SmallVector<Type> inferred;
  if (succeeded(op.inferReturnTypes(
          op->getContext(), std::nullopt, op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), inferred)))
    (void)areCompatible(inferred, op->getResultTypes());
}

SmallVector<SizeCondition>
tenon::graph::collectSizeConditions(Operation *root) {
  SmallVector<SizeCondition> found, conditions;
  collector = &found;
  llvm::scope_exit stop([] { collector = nullptr; });
  llvm::StringSet<> seen;
  root->walk([&](InferTypeOpInterface op) {
    found.clear();
    inferAgain(op);
    for (SizeCondition &condition : found)
      if (seen.insert(condition.value.str()).second) {
        condition.text =
            (op->getName().getStringRef() + ": " + condition.text).str();
        conditions.push_back(std::move(condition));
      }
  });
  return conditions;
}
