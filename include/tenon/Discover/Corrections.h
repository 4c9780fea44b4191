//===- Corrections.h - partial equality made whole ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A partial rule has a target that equals its source except in some boxes of
// the result. A correction computes these boxes as the source does, from only
// the elements that they need, and joins them with the rest (PET, OSDI'21,
// section 4.3). PET takes the boxes from tests; here they are a conjecture, and
// the whole rule, with its correction, is an equation to be proved for all
// sizes.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_CORRECTIONS_H
#define TENON_DISCOVER_CORRECTIONS_H

#include "tenon/Discover/Differences.h"

#include "mlir/IR/OwningOpRef.h"

namespace tenon::discover {

/// A rule with a correction.
struct CorrectedRule {
  mlir::OwningOpRef<rule::RuleOp> rule;
  /// How many pieces the result is joined of.
  unsigned numPieces = 0;
  /// Conditions that the correction adds; perhaps not all are needed.
  llvm::SmallVector<rule::ConditionAttr> added;
};

/// Adds the correction of what differs in `grid` to the target of `partial`.
/// Pieces are taken along the axis that needs the fewest of them. Fails, with a
/// reason, if a part of the source can't be computed alone.
mlir::FailureOr<CorrectedRule> correct(rule::RuleOp partial, const Grid &grid,
                                       llvm::StringRef name,
                                       std::string &reason);

/// States that both sides of `partial` are equal in a box.
mlir::FailureOr<mlir::OwningOpRef<rule::RuleOp>>
stateEqualIn(rule::RuleOp partial, const Box &box, llvm::StringRef name);

/// The rule without one of its conditions.
mlir::OwningOpRef<rule::RuleOp> dropCondition(rule::RuleOp rule,
                                              rule::ConditionAttr condition);

} // namespace tenon::discover

#endif // TENON_DISCOVER_CORRECTIONS_H
