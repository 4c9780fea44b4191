//===- Statements.h - parts of the text of rules --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_STATEMENTS_H
#define TENON_DISCOVER_STATEMENTS_H

#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::discover {

/// The positive and the negative terms of a difference, whose coefficients are
/// multiples of `divisor`.
std::pair<graph::SymInt, graph::SymInt>
separate(const graph::SymInt &difference, int64_t divisor = 1);

/// `value` >= 0, without negative terms: `h >= r + 1`.
rule::ConditionAttr stateAtLeastZero(mlir::MLIRContext *context,
                                     const graph::SymInt &value);

/// The text of a rule as a file has it: types that follow from those of the
/// operands are left out.
std::string writeRule(rule::RuleOp rule);

} // namespace tenon::discover

#endif // TENON_DISCOVER_STATEMENTS_H
