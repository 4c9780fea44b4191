//===- LoopSegments.h - loops without branches ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Concatenation and padding select by the position. A loop is divided where a
// condition on its variable changes, so that no part of it branches.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_LOOPSEGMENTS_H
#define TENON_LIB_LOWER_LOOPSEGMENTS_H

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

#include <optional>

namespace tenon::lower {

/// Replaces every select whose condition follows from the comparisons that
/// `decide` can decide by the chosen operand.
graph::Expr
resolveSelects(const graph::Expr &root,
               llvm::function_ref<std::optional<bool>(graph::Expr)> decide);

/// Calls `visit` for every comparison of indices in a select's condition.
void forEachComparison(const graph::Expr &root,
                       llvm::function_ref<void(graph::Expr)> visit);

/// A part [from, to) of a loop, and the element that it computes.
struct Segment {
  int64_t from, to;
  graph::Expr element;
};

/// Divides a loop over `var` at the positions where the condition of a select
/// changes. Segments may keep some conditions. Returns none if nothing changes,
/// if the size is not constant, or if together they would be much more code
/// than the loop.
llvm::SmallVector<Segment> cutAtConditions(const graph::Expr &body,
                                           unsigned var,
                                           const graph::SymInt &size);

/// The same for the last dimension of a reduction's results, unless that is a
/// row dimension. Also returns none if there are more than a few segments, each
/// of which has all of its loops.
llvm::SmallVector<Segment> cutReduction(const kernel::LoopPlan &plan,
                                        unsigned loop);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_LOOPSEGMENTS_H
