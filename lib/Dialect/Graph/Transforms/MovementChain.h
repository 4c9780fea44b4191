//===- MovementChain.h - what a chain of reshapes and transposes does -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshapes, transposes and slices move the parts of axes as wholes. A chain of
// them is followed as a list of parts, in the order of the source, and a list
// of parts for each axis of the result. From the two lists, the same movement
// is one reshape, one slice, one transpose and one reshape.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_TRANSFORMS_MOVEMENTCHAIN_H
#define TENON_LIB_DIALECT_GRAPH_TRANSFORMS_MOVEMENTCHAIN_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::graph {

/// The elements that a movement takes of its source: those of a reshape to
/// `parts`, sliced, with the parts in another order, reshaped.
struct Movement {
  Shape parts, starts, counts, steps;
  llvm::SmallVector<int64_t> order;

  bool slices() const;
  bool transposes() const;
};

class MovementChain {
public:
  explicit MovementChain(llvm::ArrayRef<SymInt> source);

  /// Appends the op that computes `value`, or of a split the part. Returns
  /// false, after which the chain must not be used, if the op is not a
  /// movement, splits an axis at other places than those where parts end, or
  /// has sizes without names or of 0.
  bool append(mlir::Value value);

  /// Parts that stay side by side in an axis of the result are one.
  Movement get() const;

  /// Makes every part of the axes before the last an axis, in the order of the
  /// source. Returns where these axes were, in the order in which they were, or
  /// nothing if they are in order.
  std::optional<llvm::SmallVector<int64_t>> sortRows();
  Shape getShape() const;

private:
  struct Part {
    /// The elements that the source has, and which of them are taken.
    SymInt size, start, count, step;

    bool isUnit() const { return count.getConstant() == 1; }
    bool isWhole() const;
  };
  using Parts = llvm::SmallVector<unsigned>;

  bool reshape(llvm::ArrayRef<SymInt> shape);
  bool slice(llvm::ArrayRef<SymInt> starts, llvm::ArrayRef<SymInt> sizes,
             llvm::ArrayRef<SymInt> steps);
  bool takePart(SplitOp op, unsigned part);
  std::optional<unsigned> split(unsigned part, const SymInt &outer);
  void transpose(llvm::ArrayRef<int64_t> perm);

  llvm::SmallVector<Part, 0> parts;
  /// The order in the source, and the axes of the result.
  Parts source;
  llvm::SmallVector<Parts> axes;
};

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_TRANSFORMS_MOVEMENTCHAIN_H
