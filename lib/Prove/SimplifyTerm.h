//===- SimplifyTerm.h - other variables for the same sums -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sides of a rule may sum the same products over variables of different
// kinds: a dilated kernel's taps over i, those of the dense kernel with zeros
// between over d * i.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_SIMPLIFYTERM_H
#define TENON_LIB_PROVE_SIMPLIFYTERM_H

#include "tenon/ProofKernel/CheckSums.h"

namespace tenon::prove {

/// Applies steps to `term`, whose variables have the role Term, by which it has
/// fewer or simpler variables, and adds them to `steps`:
/// - a variable v of which the domain says that (c + v) mod d (or c - v) is 0
///   becomes d * k - c;
/// - one that the domain fixes goes;
/// - one that only its range mentions becomes a factor.
void simplifyTerm(Term &term, std::vector<TermStep> &steps, SumChecker &kernel,
                  const FormulaRef &context, unsigned depth);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_SIMPLIFYTERM_H
