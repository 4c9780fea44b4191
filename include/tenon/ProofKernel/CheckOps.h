//===- CheckOps.h - what rules assume, and whether ops are valid ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_CHECKOPS_H
#define TENON_PROOFKERNEL_CHECKOPS_H

#include "tenon/ProofKernel/ElementSigns.h"
#include "tenon/ProofKernel/Normalize.h"
#include "tenon/ProofKernel/Solver.h"

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// What the ops of a side, composites among them, ask of the sizes: that
/// windows fit, groups divide channels, and the like.
llvm::SmallVector<graph::SizeCondition> getSizeConditions(mlir::Region &side);

/// A condition over sizes; `a divides b` says that a is at least 1, too.
FormulaRef getFormula(rule::ConditionAttr condition);

/// What a rule lets its proofs assume: its conditions, that operands have sizes
/// of at least 0, and what the ops of its source ask for. A rule fires where
/// its source is computed, so where its source has a meaning.
FormulaRef getAssumptions(rule::RuleOp rule);

/// The operands whose elements a condition states to be above 0, or an op of
/// the source, composites among them, asks not to be below: as windows that
/// fit, this is assumed. Before composites are expanded.
OperandSigns getOperandSigns(rule::RuleOp rule);

/// The index of a result lies in its shape: 0 <= %axis < shape[axis].
FormulaRef getIndexDomain(const graph::Shape &shape);

enum class Validity { Valid, Invalid, Unknown, Unsupported };

/// Whether the sizes satisfy what the ops of `region` ask for.
Validity checkSizeConditions(Solver &solver, mlir::Region &region,
                             const FormulaRef &assumptions,
                             std::string &reason);

/// Whether the ops of `region` are valid for all sizes: results have the
/// stated shapes, sizes are at least 0, and every element read lies inside its
/// operand.
Validity checkOps(Solver &solver, mlir::Region &region,
                  const FormulaRef &assumptions, std::string &reason);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_CHECKOPS_H
