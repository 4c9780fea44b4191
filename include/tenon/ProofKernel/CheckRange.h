//===- CheckRange.h - rules that keep the range -----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule is of the class rule::ChangesRange unless it is derived that it is
// not:
//
//  1. Both sides do the same operations on the same values; or
//  2. the bounds of their rounding errors are equal, and no intermediate of the
//     target leaves the range where none of the source does.
//
// lib/ProofKernel/ErrorForm.h and Magnitudes.h say what that means.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_CHECKRANGE_H
#define TENON_PROOFKERNEL_CHECKRANGE_H

#include "tenon/ProofKernel/Kernel.h"

namespace tenon::prove {

/// The claims that the error bounds of both sides are equal, where that of the
/// target may be larger than the least one that is known; nothing, with a
/// reason, if a side has none.
std::optional<Statement> getErrorStatement(Solver &solver,
                                           const Statement &statement,
                                           bool isUpper, std::string &reason);

/// The element types for which it is not derived that the rule keeps the range,
/// with the reason; "f32" stands for the types of the rule. `isExact` says
/// whether the rule's own types are of the first kind.
std::map<std::string, std::string>
findRangeChanges(Solver &solver, rule::RuleOp rule, const Statement &statement,
                 const Witness &witness, bool isExact);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_CHECKRANGE_H
