//===- StreamedReduction.h - reductions bound by memory -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of a vector and a matrix, or a sum over the rows of a matrix, reads
// each element of the matrix once. It takes as long as reading takes, so that
// results in registers gain nothing, while blocks of columns read pieces of
// every row. Such reductions add whole rows to the results instead, which stay
// in the first-level cache.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_STREAMEDREDUCTION_H
#define TENON_LIB_LOWER_STREAMEDREDUCTION_H

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

#include <optional>

namespace tenon::lower {

/// Returns true if the plan is one reduction that reads a matrix which is large
/// for a cache, and each of its elements once, in the order of memory. Requires
/// linear loads.
bool isStreamed(const kernel::LoopPlan &plan);

/// A plan as two: partial results of shape `shape`, which the other plan reads
/// as its only input.
struct SplitPlan {
  kernel::LoopPlan partial, joined;
  graph::Shape shape;
  mlir::Type type;
};

/// Splits a streamed reduction with a single row of results into parts, each of
/// which reads its own rows of the matrix, so that threads do not read pieces
/// of the same rows.
std::optional<SplitPlan> splitStreamed(const kernel::LoopPlan &plan);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_STREAMEDREDUCTION_H
