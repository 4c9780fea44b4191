//===- Question.h - questions to the solver ---------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROOFKERNEL_QUESTION_H
#define TENON_LIB_PROOFKERNEL_QUESTION_H

#include "tenon/ProofKernel/Solver.h"

namespace tenon::prove {

/// Whether `goal` holds, or else (if it is null) whether `sum` is 0, wherever
/// all of `known` hold.
struct Question {
  std::vector<FormulaRef> known;
  FormulaRef goal;
  CountedTerms sum;

  /// Questions of equal text are equal.
  std::string str() const;
  /// The question with its symbols and index variables named in the order of
  /// their first occurrence, so that questions that differ in names alone are
  /// often equal. A question about elements keeps its names, since texts of
  /// elements contain names of their own.
  Question withCanonicalNames() const;
  /// Moves the formulas of `conjuncts` that share a name with the goal or the
  /// sum, directly or through others, to `known`.
  void takeRelevant(std::vector<FormulaRef> &conjuncts);
};

} // namespace tenon::prove

#endif // TENON_LIB_PROOFKERNEL_QUESTION_H
