//===- MatchExact.h - matching of identical operations --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROOFKERNEL_MATCHEXACT_H
#define TENON_LIB_PROOFKERNEL_MATCHEXACT_H

#include "tenon/ProofKernel/Normalize.h"
#include "tenon/ProofKernel/Solver.h"

namespace tenon::prove {

/// Whether both expressions are proved to do the same operations on the same
/// elements in the same order wherever `context` holds. Then they agree bit by
/// bit, for every element type. Selections are decided by the solver. No
/// variable may be bound in both, and all variables must have numbers below
/// `next`.
bool matchExact(Solver &solver, unsigned next, const graph::Expr &a,
                const graph::Expr &b, const FormulaRef &context);

} // namespace tenon::prove

#endif // TENON_LIB_PROOFKERNEL_MATCHEXACT_H
