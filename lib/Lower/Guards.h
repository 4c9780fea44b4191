//===- Guards.h - bounds from the guard of a reduction --------------------===//
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

/// The range of a variable outside of which a condition fails. A null end is
/// unbounded.
struct Bounds {
  graph::Expr from, to;
};

graph::Expr toExpr(const AffineForm &form);

/// Tightens `bounds` by a comparison that is linear in `var`. Returns false if
/// the comparison is not of that form.
bool tighten(Bounds &bounds, const graph::Expr &comparison, unsigned var);

/// Calls `visit` for every condition of the conjunction `condition`, which may
/// also be a single condition, or true, which has none.
void forEachConjunct(const graph::Expr &condition,
                     llvm::function_ref<void(graph::Expr)> visit);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GUARDS_H
