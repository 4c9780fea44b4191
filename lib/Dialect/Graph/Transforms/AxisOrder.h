//===- AxisOrder.h - permutations of axes ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_TRANSFORMS_AXISORDER_H
#define TENON_LIB_DIALECT_GRAPH_TRANSFORMS_AXISORDER_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

using Perm = llvm::SmallVector<int64_t>;

/// [n, c, spatial...] -> [n, spatial..., c].
Perm toLast(size_t rank);

Perm invert(llvm::ArrayRef<int64_t> perm);

Shape permute(const Shape &shape, llvm::ArrayRef<int64_t> perm);

mlir::Value transpose(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                      llvm::ArrayRef<int64_t> perm);

/// The permutation of a transpose, if the value is one.
std::optional<Perm> getPerm(mlir::Value value);

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_TRANSFORMS_AXISORDER_H
