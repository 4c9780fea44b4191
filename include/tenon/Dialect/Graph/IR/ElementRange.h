//===- ElementRange.h - between what the elements of a value lie ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_ELEMENTRANGE_H
#define TENON_DIALECT_GRAPH_IR_ELEMENTRANGE_H

#include "mlir/IR/Value.h"
#include "tenon/Dialect/Graph/IR/SymInt.h"

#include <optional>

namespace tenon::graph {

/// Every element that is a number is at least `low` and at most `high`, for all
/// sizes and inputs; an end that is not known is absent. Elements of
/// floating-point types may be NaN besides.
struct ElementRange {
  std::optional<SymInt> low, high;
};

/// What follows from how the value was made: positions (iota, argmax, top_k),
/// constants, bounds (minimum, maximum, clip, mod), and arithmetic, movement
/// and casts of such.
ElementRange getElementRange(mlir::Value value);

/// Whether a <= b for all sizes; false if it is not known.
bool isKnownLessEqual(const SymInt &a, const SymInt &b);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_ELEMENTRANGE_H
