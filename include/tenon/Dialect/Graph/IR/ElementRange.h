//===- ElementRange.h - ranges of the elements of values ------------------===//
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
/// sizes and inputs. A bound that is not known is absent. Elements of
/// floating-point types may also be NaN.
struct ElementRange {
  std::optional<SymInt> low, high;
};

/// Derives a range from the ops that compute the value: positions (iota,
/// argmax, top_k), constants, bounds (minimum, maximum, clip, mod), and
/// arithmetic, movement and casts of these.
ElementRange getElementRange(mlir::Value value);

/// Whether a <= b for all sizes; false if this is not known.
bool isKnownLessEqual(const SymInt &a, const SymInt &b);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_ELEMENTRANGE_H
