//===- SizeValues.h - numeric values of sizes -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_SIZEVALUES_H
#define TENON_COST_SIZEVALUES_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::cost {

/// Evaluates sizes of types and attributes. Static sizes, the common case, are
/// read without building a SymInt.
class SizeValues {
public:
  SizeValues(const Sizes &sizes, int64_t defaultSize)
      : sizes(sizes), defaultSize(defaultSize) {}

  double get(const graph::SymInt &size) const;
  double get(graph::DimsAttr list, size_t position) const;
  /// The product of a list's entries.
  double getProduct(graph::DimsAttr list) const;
  /// The size of one axis of a tensor; negative axes count from the end.
  double getSize(mlir::RankedTensorType type, int64_t axis) const;
  /// The product of the sizes of the axes from `first` on.
  double getElements(mlir::RankedTensorType type, int64_t first = 0) const;

private:
  const Sizes &sizes;
  int64_t defaultSize;
};

/// The number of bits that an element takes in memory.
unsigned getStoredBits(mlir::Type elementType);

} // namespace tenon::cost

#endif // TENON_COST_SIZEVALUES_H
