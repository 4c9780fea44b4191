//===- ElementSigns.h - signs of elements before normalization ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers the questions of Signs.h for expressions that are not yet in normal
// form. Here a square is still a product; in the normal form it may be a sum of
// mixed products. Elements of operands are real numbers.
//
// Answers hold for all values of the index variables; `false` means that no
// proof was found.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_ELEMENTSIGNS_H
#define TENON_PROOFKERNEL_ELEMENTSIGNS_H

#include "tenon/ProofKernel/Solver.h"

#include "tenon/Dialect/Graph/IR/IndexForm.h"

#include "llvm/ADT/DenseMap.h"

#include <set>

namespace tenon::prove {

/// Operands whose sign is stated by a rule, or by an op of its source.
struct OperandSigns {
  std::set<unsigned> positive, notNegative;
};

/// Whether the product of two expressions is that of one with itself.
bool isSquare(const graph::Expr &a, const graph::Expr &b);

class ElementSigns {
public:
  /// The possible questions about an element of a floating-point type.
  enum Sign { Real, NotNegative, Positive };

  ElementSigns(Solver &solver, FormulaRef known, const OperandSigns &operands)
      : solver(solver), known(std::move(known)), operands(operands) {}

  bool has(Sign sign, const graph::Expr &element);

private:
  bool compute(Sign sign, const graph::Expr &element);
  bool hasSize(Sign sign, const graph::Expr &element);
  bool computeApply(Sign sign, const graph::Expr &apply);

  Solver &solver;
  FormulaRef known;
  const OperandSigns &operands;
  llvm::DenseMap<std::pair<const graph::ExprNode *, unsigned>, bool> done;
  /// Keeps memoized nodes alive, so that no other node gets the same address.
  std::vector<graph::Expr> kept;
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_ELEMENTSIGNS_H
