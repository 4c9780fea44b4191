//===- DeterminedSizes.cpp - symbols that a rule's equations give ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Rule/Analysis/DeterminedSizes.h"

using namespace mlir;
using namespace tenon::rule;
using tenon::graph::SymInt;

SmallVector<DeterminedSize> tenon::rule::getDeterminedSizes(RuleOp rule) {
  SmallVector<DeterminedSize> sizes;
  for (ConditionAttr condition : rule.getConditionList()) {
    if (condition.getKind() != ConditionKind::Equal)
      continue;
    SymInt lhs = condition.getLhs(), rhs = condition.getRhs();
    if (!lhs.getSymbol())
      std::swap(lhs, rhs);
    if (std::optional<StringRef> symbol = lhs.getSymbol())
      sizes.push_back({symbol->str(), rhs});
  }
  return sizes;
}
