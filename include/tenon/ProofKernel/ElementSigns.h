//===- ElementSigns.h - which elements are numbers, before sums -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same questions as Signs.h asks of normal forms, for expressions as they
// stand: a square is one there, and a sum of mixed products once it is
// multiplied out. Elements of operands are real numbers.
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

/// Operands of which a rule, or an op of its source, states the sign.
struct OperandSigns {
  std::set<unsigned> positive, notNegative;
};

class ElementSigns {
public:
  /// What is asked of an element of a floating-point type.
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
  /// Keeps memoized nodes alive, so that no other gets their address.
  std::vector<graph::Expr> kept;
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_ELEMENTSIGNS_H
