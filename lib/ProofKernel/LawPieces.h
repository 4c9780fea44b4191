//===- LawPieces.h - what laws ask of normal forms ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROOFKERNEL_LAWPIECES_H
#define TENON_LIB_PROOFKERNEL_LAWPIECES_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/ProofKernel/Laws.h"
#include "tenon/ProofKernel/Normalize.h"

#include "llvm/ADT/STLExtras.h"

namespace tenon::prove {

bool isApply(const Factor &factor, graph::ScalarFn fn);
/// Whether `form` is this function of something, and nothing else.
bool isOnly(const SumForm &form, graph::ScalarFn fn);
/// The function of `like`, of one argument.
SumForm applyTo(const Factor &like, SumForm arg);
SumForm negate(SumForm form);
/// Whether f(-a) = -f(a) for real numbers (F2 in Laws.h).
bool isOdd(graph::ScalarFn fn);
/// Chooses one of a number and its negative, by the sign of the terms with the
/// least key: negates `form` where it is not the one, and says so.
bool takeSign(SumForm &form);
/// The only term, if it is a coefficient times factors; else null.
const Term *getProduct(const SumForm &form);
/// An integer that no operand decides; else nothing.
std::optional<int64_t> getInteger(const SumForm &form);
/// The same as a machine's integer of that type.
std::optional<int64_t> getWrapped(const SumForm &form, mlir::IntegerType type);

} // namespace tenon::prove

#endif // TENON_LIB_PROOFKERNEL_LAWPIECES_H
