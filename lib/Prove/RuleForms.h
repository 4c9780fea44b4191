//===- RuleForms.h - what the two sides of a rule mean --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_RULEFORMS_H
#define TENON_LIB_PROVE_RULEFORMS_H

#include "ElementSigns.h"
#include "Normalize.h"
#include "Solver.h"

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// Replaces composite ops below `region` by what they mean, until only
/// primitives are left. False, with a reason, where an op has no index form.
bool expandComposites(mlir::Region &region, std::string &reason);

/// The index form of every result that `region`, a side of a rule, yields, over
/// its arguments; those whose elements a condition states are replaced by them.
/// Requires that expandComposites succeeded.
std::optional<llvm::SmallVector<graph::IndexForm>>
composeForms(mlir::Region &region, std::string &reason);

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

#endif // TENON_LIB_PROVE_RULEFORMS_H
