//===- Differences.h - where the sides of a rule differ -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two graphs are partially equivalent if most elements of their results are
// equal (PET, OSDI'21, section 3). PET finds the elements that differ by tests
// at a point and its neighbours in each box. Here, both graphs are evaluated at
// several sizes, in the prime field, and the boxes that stand out are stated
// for all sizes. They are a conjecture: that the graphs are equal elsewhere is
// proved like any rule (see Corrections.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_DIFFERENCES_H
#define TENON_DISCOVER_DIFFERENCES_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include <map>
#include <string>
#include <vector>

namespace tenon::discover {

/// Indices of a result: on each axis, from `begin` to `end` (excluded).
struct Box {
  graph::Shape begin, end;
  /// `[1:n, 0:o, 0:t, 0:w]`
  std::string str() const;
};

/// A grid over the elements of a result, for all sizes of a rule. The cells
/// between its bounds are in row-major order.
struct Grid {
  /// Of each axis, in growing order: from 0 to the size of the axis.
  llvm::SmallVector<graph::Shape, 4> bounds;
  /// Whether elements of a cell may differ; the elements of the others are
  /// equal.
  std::vector<bool> differs;
  /// Of all elements that were compared, those in cells that may differ, and
  /// those that differ.
  uint64_t covered = 0, differing = 0;
  /// Choices of the rule's symbols at which all cells are seen.
  std::vector<std::map<std::string, int64_t>> instances;

  size_t countCells(size_t axis) const { return bounds[axis].size() - 1; }
  bool isEmpty() const { return !llvm::is_contained(differs, true); }
  /// The cells that differ, or those that do not, joined to larger boxes along
  /// the last axes.
  std::vector<Box> getBoxes(bool thatDiffer) const;
  /// The grid without bounds inside of an axis: what differs somewhere along it
  /// counts as if it did everywhere.
  Grid without(size_t axis) const;
};

struct DifferenceOptions {
  uint64_t seed = 1;
  /// The number of choices of sizes.
  unsigned instances = 3000;
};

/// Finds where the results of the sides of `rule`, which has one, differ.
/// Fails, with a reason, if the ops are not those of a field, if too few sizes
/// are valid for both sides, or if no grid of bounds that are numbers, or sums
/// of few sizes and numbers of the rule, covers what differs at all of them.
mlir::FailureOr<Grid> findDifferences(rule::RuleOp rule,
                                      const DifferenceOptions &options,
                                      std::string &reason);

} // namespace tenon::discover

#endif // TENON_DISCOVER_DIFFERENCES_H
