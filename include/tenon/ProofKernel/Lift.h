//===- Lift.h - adding leading axes to rules ------------------------------===//
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

/// Adds `count` leading axes to the operands that the rule lifts. Returns the
/// new symbols of their sizes in `names`. Returns null, with a reason, if an op
/// does not pass them through.
mlir::OwningOpRef<rule::RuleOp> getLiftedRule(rule::RuleOp rule, unsigned count,
                                              std::vector<std::string> &names,
                                              std::string &reason);

/// A copy of the rule that says the same of all ranks of any mesh. If the rule
/// has collectives, operands and results are stacked: before their own axes,
/// they have one for each axis that collectives name, whose size is a new
/// symbol; collectives are what they mean. Returns null, with a reason, if an
/// op does not pass these axes through.
mlir::OwningOpRef<rule::RuleOp> getRuleOverRanks(rule::RuleOp rule,
                                                 std::string &reason);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_LIFT_H
