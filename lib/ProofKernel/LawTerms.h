//===- LawTerms.h - helpers for laws of normal forms ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROOFKERNEL_LAWTERMS_H
#define TENON_LIB_PROOFKERNEL_LAWTERMS_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/ProofKernel/Laws.h"
#include "tenon/ProofKernel/Normalize.h"

#include "llvm/ADT/STLExtras.h"

namespace tenon::prove {

bool isApply(const Factor &factor, graph::ScalarFn fn);
/// Whether `form` is just this function of some arguments.
bool isOnly(const SumForm &form, graph::ScalarFn fn);
/// Applies the function of `like`, which has one argument, to `arg`.
SumForm applyTo(const Factor &like, SumForm arg);
SumForm negate(SumForm form);
/// Whether f(-a) = -f(a) for real numbers (F2 in Laws.h).
bool isOdd(graph::ScalarFn fn);
/// Chooses one of a number and its negative, by the sign of the terms with the
/// least key. Returns true if it negated `form`.
bool takeSign(SumForm &form);
/// The only term, if it is a coefficient times factors; otherwise null.
const Term *getProduct(const SumForm &form);
/// The value, if it is an integer that does not depend on operands.
std::optional<int64_t> getInteger(const SumForm &form);
/// The same value, as a machine integer of that type.
std::optional<int64_t> getWrapped(const SumForm &form, mlir::IntegerType type);

} // namespace tenon::prove

#endif // TENON_LIB_PROOFKERNEL_LAWTERMS_H
