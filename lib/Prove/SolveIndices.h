//===- SolveIndices.h - bijections from equations of indices --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_SOLVEINDICES_H
#define TENON_LIB_PROVE_SOLVEINDICES_H

#include "tenon/ProofKernel/SumForm.h"
#include "tenon/ProofKernel/Witness.h"

namespace tenon::prove {

/// Pairs of integer terms that must be equal.
using Equations = std::vector<std::pair<SymInt, SymInt>>;

/// Collects equations under which the loads of two lists of factors with equal
/// keys address the same elements, as far as the factors' structure shows.
void collectEquations(const std::vector<Factor> &a,
                      const std::vector<Factor> &b, Equations &equations);

/// Drops from `equations` the quotients of which `domain` states that they are
/// 0.
void dropZeroQuotients(Equations &equations, const FormulaRef &domain);

/// Solves for `unknowns` by substitution, using equations in which an unknown
/// occurs alone with coefficient 1 or -1. Unknowns that no equation determines
/// become the remaining variables of `free`, in order. The solution is affine
/// with determinant 1 or -1: a bijection from integer points over `free` to
/// integer points over `unknowns`. Returns nullopt if no solution was found.
std::optional<ChangeOfVars> solve(const Equations &equations,
                                  const std::vector<std::string> &unknowns,
                                  const std::vector<std::string> &free);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_SOLVEINDICES_H
