//===- DeterminedSizes.h - symbols that a rule's equations give -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_ANALYSIS_DETERMINEDSIZES_H
#define TENON_DIALECT_RULE_ANALYSIS_DETERMINEDSIZES_H

#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::rule {

/// A condition `symbol == value` of a rule.
struct DeterminedSize {
  /// The side that is a symbol; the left one if both are.
  std::string symbol;
  graph::SymInt value;
};

/// The equations of a rule that have a symbol alone on one side, in the order
/// of its conditions. Whoever chooses sizes for a rule sets these symbols
/// last, since other choices hardly ever satisfy an equation; the conditions
/// are still to be checked, because a value may be negative, or have a symbol
/// that a later equation determines.
llvm::SmallVector<DeterminedSize> getDeterminedSizes(RuleOp rule);

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_ANALYSIS_DETERMINEDSIZES_H
