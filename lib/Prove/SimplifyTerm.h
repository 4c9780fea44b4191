//===- SimplifyTerm.h - simplifying the variables of sums -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two sides of a rule may sum the same products over different variables:
// one over the taps i of a dilated kernel, the other over the positions d * i
// of the dense kernel with zeros in between.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_SIMPLIFYTERM_H
#define TENON_LIB_PROVE_SIMPLIFYTERM_H

#include "tenon/ProofKernel/CheckSums.h"

namespace tenon::prove {

/// Applies steps to `term`, whose variables have the role Term, that reduce or
/// simplify its variables, and adds them to `steps`:
/// - a variable v becomes d * k - c if the domain states that (c + v) mod d (or
///   c - v) is 0;
/// - a variable that the domain fixes is removed;
/// - a variable that occurs only in its range becomes a factor.
void simplifyTerm(Term &term, std::vector<TermStep> &steps, SumChecker &kernel,
                  const FormulaRef &context, unsigned depth);

/// The same for a variable v that is read at (v + c) floordiv d, as the index
/// of a reshaped axis is: v + c becomes a * d + b, with a variable for the
/// quotient and one for the remainder. Returns whether there was one.
bool splitQuotients(Term &term, std::vector<TermStep> &steps,
                    SumChecker &kernel, const FormulaRef &context,
                    unsigned depth);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_SIMPLIFYTERM_H
