//===- Splats.h - tensors of one number -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_TRANSFORMS_SPLATS_H
#define TENON_LIB_DIALECT_GRAPH_TRANSFORMS_SPLATS_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

/// The number that all elements of a constant of floats, or of one that is
/// broadcast, are equal to.
std::optional<double> getSplatNumber(mlir::Value value);

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_TRANSFORMS_SPLATS_H
