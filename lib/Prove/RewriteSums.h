//===- RewriteSums.h - other variables for the same sums ---------*- C++
//-*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sides of a rule may sum the same products over variables of different
// kinds: a dilated kernel's taps over i, those of the dense kernel with zeros
// between over d * i; a 3 x 3 kernel over two variables, nine matmuls over
// none.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_REWRITESUMS_H
#define TENON_LIB_PROVE_REWRITESUMS_H

#include "Normalize.h"
#include "Solver.h"

namespace tenon::prove {

/// Replaces a variable v of which the domain says that (c + v) mod d (or c - v)
/// is 0 by d * k - c, for all integers k: with d >= 1 these are the same
/// integers. False where no such variable is left.
bool eliminateCongruence(Term &term, Solver &solver, Normalizer &normalizer,
                         const FormulaRef &context);

/// Writes sums over small constant ranges out: the sum over 0 <= i < 3 is that
/// of three terms. False where there is none, or the terms become too many.
bool writeOutSmallRanges(SumForm &form);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_REWRITESUMS_H
