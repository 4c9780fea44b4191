//===- Equation.h - that two values are equal, as a rule --------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_EQUATION_H
#define TENON_LIB_PROVE_EQUATION_H

#include "Cone.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// A permutation of axes; empty: the axes keep their order.
using Perm = llvm::SmallVector<int64_t, 4>;

/// A value of the rewritten function in terms of one of the original: equal to
/// `value`, or to its transpose by `perm`. If `view` is not empty, `value` is
/// reshaped to these sizes before. Sizes of 1 may differ from the image's type.
struct Image {
  mlir::Value value;
  Perm perm;
  llvm::SmallVector<int64_t> view;
};

/// What a rewrite claims: the value `after` is the image of `before` by `perm`,
/// if the leaves of both cones have any values.
struct Equation {
  mlir::Value before, after;
  Perm perm;
  /// How `before` and `after` are computed.
  Cone source, target;
  /// For each leaf of `source`, a value of the original function that is equal
  /// to it: leaves of equal values are one operand.
  llvm::SmallVector<mlir::Value> sourceLeaves;
  /// For each leaf of `target`, what it is in terms of such values.
  llvm::SmallVector<Image> targetLeaves;
};

/// States the equation as a rule, whose operands are the leaves. `facts` are
/// conditions on sizes that hold whenever the function runs; those that are
/// about sizes of the equation become conditions of the rule. Returns null,
/// with a reason, if that is not possible: a size has no name, for example.
mlir::OwningOpRef<rule::RuleOp>
makeStatement(const Equation &equation,
              llvm::ArrayRef<graph::SizeCondition> facts, std::string &reason);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_EQUATION_H
