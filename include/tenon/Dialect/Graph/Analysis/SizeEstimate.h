//===- SizeEstimate.h - numbers in place of symbolic sizes ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates of symbolic sizes. Code generation and the clusterer of placement
// use them in heuristics (tile sizes, grain of parallel loops, split
// reductions, fusion). They affect the speed of the generated code and, except
// under --fp=strict, the order in which floating-point numbers are added. The
// code is correct for all sizes. The cost model does not use them: it has the
// sizes that its caller states (`cost::Sizes`), and a default for all others.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_SIZEESTIMATE_H
#define TENON_DIALECT_GRAPH_ANALYSIS_SIZEESTIMATE_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

/// The assumed value of every symbol. It exceeds the threads of a warp (32), so
/// that kernels are tiled and distributed as for long axes, and is far below
/// the number of threads that keep a GPU busy, so that one axis by itself is
/// not assumed to do so.
inline constexpr int64_t kEstimatedSymbol = 128;

/// Evaluates `size` with every symbol equal to `kEstimatedSymbol`, and returns
/// the value, but at least 1. Returns 1 if `size` is unknown, divides by 0 or
/// overflows int64_t. Since all symbols have the same value, the estimate of a
/// difference such as n - m is 1.
int64_t estimateSize(const SymInt &size);

/// Returns the estimated number of elements of a tensor of this shape: the
/// product of `estimateSize` over its axes. The result is a double, because the
/// product may exceed int64_t.
double estimateElements(llvm::ArrayRef<SymInt> shape);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_SIZEESTIMATE_H
