//===- SizeEstimate.h - numbers in place of symbolic sizes ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number that a choice between correct kernels uses for a size that is not
// known when a model is compiled. The cost model takes sizes from its user
// instead (cost::Sizes), with a smaller default for whole graphs.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_SIZEESTIMATE_H
#define TENON_DIALECT_GRAPH_ANALYSIS_SIZEESTIMATE_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

/// What every dimension symbol counts as: more than a vector or a warp, so that
/// a kernel is made for large sizes, and less than what fills a device.
inline constexpr int64_t kEstimatedSymbol = 128;

/// Returns the value of a size with every symbol `kEstimatedSymbol`, at least
/// 1; 1 if it has no value (an overflow).
int64_t estimateSize(const SymInt &size);

/// Returns the product of the estimates; in double, since it may exceed 64
/// bits.
double estimateElements(llvm::ArrayRef<SymInt> shape);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_SIZEESTIMATE_H
