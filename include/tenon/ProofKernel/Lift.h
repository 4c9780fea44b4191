//===- Lift.h - rules with further leading axes ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_LIFT_H
#define TENON_PROOFKERNEL_LIFT_H

#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// The same rule with `count` further leading axes on the operands that it
/// lifts. Gives the symbols of their sizes, which the rule doesn't use. Null,
/// with a reason, where an op does not carry them.
mlir::OwningOpRef<rule::RuleOp> getLiftedRule(rule::RuleOp rule, unsigned count,
                                              std::vector<std::string> &names,
                                              std::string &reason);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_LIFT_H
