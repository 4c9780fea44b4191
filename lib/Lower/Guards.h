//===- Guards.h - what the guard of a reduction bounds ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GUARDS_H
#define TENON_LIB_LOWER_GUARDS_H

#include "AffineOffsets.h"

namespace tenon::lower {

/// The range of a variable outside of which a condition fails; null: no bound.
struct Bounds {
  graph::Expr from, to;
};

graph::Expr toExpr(const AffineForm &form);

/// Turns a comparison that is linear in `var` into bounds of `var`.
bool tighten(Bounds &bounds, const graph::Expr &comparison, unsigned var);

/// Calls `visit` for the conditions of which a condition is the conjunction.
void forEachConjunct(const graph::Expr &condition,
                     llvm::function_ref<void(graph::Expr)> visit);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GUARDS_H
