//===- SplitReduction.h - reductions in parts -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_SPLITREDUCTION_H
#define TENON_LIB_LOWER_SPLITREDUCTION_H

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

#include <optional>

namespace tenon::lower {

using kernel::KernelLoop;
using kernel::LoopPlan;

/// Returns the number of terms of a reduction, if no extent depends on another
/// of its variables. Sizes that are not known are estimated.
std::optional<int64_t> countTerms(const graph::Expr &reduce);

/// Returns the axis of a reduction with the most terms, if no extent depends on
/// another axis.
std::optional<unsigned> findLongestAxis(const graph::Expr &reduce);

/// Returns the largest divisor of an axis' size among the upper half of
/// [1, parts], because equal parts need no guard. Otherwise returns `parts`.
int64_t toEqualParts(const graph::SymInt &extent, int64_t parts);

/// Splits the kernel loop into two: partial results, along a new leading axis,
/// and their combination. `number` is the number of the load of the former, and
/// variables from `freshVar` on are unused.
std::pair<KernelLoop, KernelLoop> splitReduction(const KernelLoop &loop,
                                                 unsigned axis, int64_t parts,
                                                 unsigned number,
                                                 unsigned freshVar);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_SPLITREDUCTION_H
