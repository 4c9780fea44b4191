//===- SimplifyIndices.h - index forms where ranges decide ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_SIMPLIFYINDICES_H
#define TENON_DIALECT_GRAPH_ANALYSIS_SIMPLIFYINDICES_H

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"

namespace tenon::graph {

/// The same expression where variables are in their ranges: elements of i64
/// that are computed from indices are indices, in linear form where they have
/// one, and what the ranges decide of conditions, bounds, quotients and
/// remainders is decided. With `mayReadData`, elements that are loaded become
/// indices, too, where others are computed from them.
Expr simplifyIndices(const Expr &expr, const IndexRanges &ranges,
                     bool mayReadData = true);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_SIMPLIFYINDICES_H
