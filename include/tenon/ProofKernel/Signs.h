//===- Signs.h - signs of elements in normal form -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The side conditions of laws. Elements of operands are real numbers, and so
// are sums, products and everywhere defined functions of them. A maximum is
// real only if its set is not empty, and a logarithm only if its argument is
// positive. The infinities that masks consist of are not real.
//
// All questions are about elements of floating-point types: integers wrap, so a
// square may be negative.
//
// `false` means that no proof was found.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_SIGNS_H
#define TENON_PROOFKERNEL_SIGNS_H

#include "tenon/ProofKernel/ElementSigns.h"
#include "tenon/ProofKernel/SumForm.h"

namespace tenon::prove {

class Signs {
public:
  /// All answers assume that `known` holds.
  Signs(Solver &solver, FormulaRef known, const OperandSigns &operands)
      : solver(solver), known(std::move(known)), operands(operands) {}

  /// Whether `form` is a real number wherever `where` holds.
  bool isReal(const SumForm &form, const FormulaRef &where);
  /// Whether it is a real number and at least 0.
  bool isNotNegative(const SumForm &form, const FormulaRef &where);
  /// Whether it is a real number above 0.
  bool isPositive(const SumForm &form, const FormulaRef &where);
  /// Whether a product in `form`, or a sum over a set, has a factor that may
  /// not be a real number, such as a quotient. Then the laws of sums and
  /// products may turn a non-number into a number (0 * x = 0 in a sum of no
  /// elements), or the reverse. A sum or product alone has no such problem: in
  /// any order, it has the same elements.
  bool mayMixInfinities(const SumForm &form);
  /// Whether a sum or product in `form` has infinite parts that may make it a
  /// non-number: two summands, or a factor next to others. Laws may move one of
  /// them elsewhere, or remove it.
  bool mayBeNoNumber(const SumForm &form);
  /// Whether `condition` never holds.
  bool isImpossible(const FormulaRef &condition) {
    return solver.isImpossible(Formula::conjunction(known, condition));
  }

private:
  bool isReal(const Term &term, const FormulaRef &where);
  bool mayMixInfinities(const FormulaRef &condition);
  bool mayBeNoNumber(const FormulaRef &condition);
  bool isReal(const Factor &factor, const FormulaRef &where);
  bool isRealExtremum(const Factor &extremum, const FormulaRef &where);
  bool isNotNegative(const Term &term, const FormulaRef &where);
  bool isNotNegative(const Factor &factor, const FormulaRef &where);
  bool hasPositiveFactors(const Term &term, const FormulaRef &where);
  bool isPositive(const Factor &factor, const FormulaRef &where);

  Solver &solver;
  FormulaRef known;
  const OperandSigns &operands;
};

/// Negative (or positive) infinity as a number.
bool isInfinity(const SumForm &form, bool negative);
SumForm getInfinity(bool negative, mlir::Type type);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_SIGNS_H
