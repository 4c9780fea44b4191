//===- Signs.h - which elements are numbers, and of which sign ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The side conditions of laws. Elements of operands are real numbers, and so is
// what sums, products and functions defined everywhere make of them. A maximum
// is one only over a set with an element; a logarithm only of what is positive;
// the infinities that masks are made of are none.
//
// All questions are about elements of floating-point types: integers wrap, so
// that a square may be below 0.
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
  /// All answers hold where `known` does.
  Signs(Solver &solver, FormulaRef known, const OperandSigns &operands)
      : solver(solver), known(std::move(known)), operands(operands) {}

  /// Whether `form` is a real number wherever `where` holds.
  bool isReal(const SumForm &form, const FormulaRef &where);
  /// Whether it is a real number, and 0 or above.
  bool isNotNegative(const SumForm &form, const FormulaRef &where);
  /// Whether it is a real number above 0.
  bool isPositive(const SumForm &form, const FormulaRef &where);
  /// Whether a product of `form`, or a sum over a set, has a factor that may be
  /// no real number, such as a quotient: then the laws of sums and products may
  /// make a number of what is none (0 * x = 0 for a sum over nothing), or none
  /// of a number. A sum or a product by itself has no such part: whatever its
  /// order, it is made of the same elements.
  bool mayMixInfinities(const SumForm &form);
  /// Whether a sum or product of `form` has infinite parts that may make it no
  /// number: two summands, or a factor beside others. Laws may move one of them
  /// elsewhere, or leave it out.
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

/// Minus (or plus) infinity as a number of its own.
bool isInfinity(const SumForm &form, bool negative);
SumForm getInfinity(bool negative, mlir::Type type);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_SIGNS_H
