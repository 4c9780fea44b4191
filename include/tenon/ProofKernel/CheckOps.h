//===- CheckOps.h - assumptions of rules and validity of ops --------------===//
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

/// The conditions that the ops of a side, including composites, impose on
/// sizes: that windows fit, that groups divide channels, and so on.
llvm::SmallVector<graph::SizeCondition> getSizeConditions(mlir::Region &side);

/// A condition over sizes; `a divides b` implies that a is at least 1.
FormulaRef getFormula(rule::ConditionAttr condition);

/// Everything that proofs of a rule assume of its symbols, beside its
/// conditions (`where`): each value is at least 0. These are the symbols
/// themselves, the divisors minus 1 in the sizes and parameters of the source
/// and in the conditions, the size conditions of the source's ops as inference
/// states them for symbols, and the sizes of the operands; in this order, so
/// that a value is defined if those before it are at least 0. (For a symbol
/// that an op may broadcast if it is 1, inference requires that it equals the
/// other size: the theorem is then about that case alone.) A match evaluates
/// the list, which is part of the certificate.
std::vector<SymInt> getHypotheses(rule::RuleOp rule);

/// The hypotheses and the conditions of a rule, as one formula.
FormulaRef getAssumptions(rule::RuleOp rule);

/// The operands whose elements must be positive according to a condition, or
/// non-negative according to an op of the source (including composites). As for
/// conditions on sizes, this is assumed. Call this before composites are
/// expanded.
OperandSigns getOperandSigns(rule::RuleOp rule);

/// The condition that a result's index is in its shape: 0 <= %axis <
/// shape[axis].
FormulaRef getIndexDomain(const graph::Shape &shape);

enum class Validity { Valid, Invalid, Unknown, Unsupported };

/// Whether the sizes satisfy the conditions of the ops of `region`.
Validity checkSizeConditions(Solver &solver, mlir::Region &region,
                             const FormulaRef &assumptions,
                             std::string &reason);

/// Whether the ops of `region` are valid for all sizes: results have the stated
/// shapes, sizes are at least 0, and every element that is read is inside its
/// operand.
Validity checkOps(Solver &solver, mlir::Region &region,
                  const FormulaRef &assumptions, std::string &reason);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_CHECKOPS_H
