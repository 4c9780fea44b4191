//===- Structure.h - subgraphs of a given form ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_ONEDNN_STRUCTURE_H
#define TENON_LIB_BACKEND_ONEDNN_STRUCTURE_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// A subgraph of a given form, and its call. `inputs` has the values of its
/// operands instead of the numbers in `call.inputs`.
struct FormMatch {
  Subgraph subgraph;
  LibraryCall call;
  llvm::SmallVector<mlir::Value> inputs;
};

/// Append the forms that end in `last` (for layer normalization: whose quotient
/// is `last`). Composite ops have been decomposed before.
void matchSoftmax(mlir::Operation *last,
                  llvm::SmallVectorImpl<FormMatch> &matches);
void matchLrn(mlir::Operation *last, llvm::SmallVectorImpl<FormMatch> &matches);
void matchLayerNorm(mlir::Operation *quotient,
                    llvm::SmallVectorImpl<FormMatch> &matches);

bool isF32(mlir::Value value);

/// Returns the number that all elements of a constant, possibly broadcast,
/// have.
std::optional<double> getSplat(mlir::Value value);

/// The ops of a subgraph, collected backwards from its end.
class Structure {
public:
  explicit Structure(mlir::Operation *last) : ops{last} {}

  /// Returns the op that computes the value, if it is an OpTy; otherwise null.
  template <typename OpTy> OpTy take(mlir::Value value) {
    auto op = value ? value.getDefiningOp<OpTy>() : OpTy();
    if (op)
      add(op);
    return op;
  }
  void add(mlir::Operation *op);
  /// Returns the value that is broadcast to this one from a size of 1 on the
  /// last axis (the other axes keep their sizes).
  mlir::Value takeRows(mlir::Value value);
  /// Returns the value that is broadcast to this one along all axes but the
  /// last.
  mlir::Value takeVector(mlir::Value value);
  /// Returns the number if all elements of the value are the same number.
  std::optional<double> takeSplat(mlir::Value value);
  /// For a commutative op with such an operand, returns the number and sets
  /// `other` to the other operand.
  std::optional<double> takeSplatOf(mlir::Operation *op, mlir::Value &other);
  /// Returns the value whose sum along the last axis is this one.
  mlir::Value takeSum(mlir::Value value);

  /// Returns whether only the end's result is read outside.
  bool isClosed() const;
  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }

private:
  llvm::SmallVector<mlir::Operation *> ops; // in reverse order, from the end
};

/// Returns whether a reduction keeps its axis and reduces only the last one.
template <typename OpTy> bool isAlongLast(OpTy reduce) {
  auto axes = reduce.getAxes().getConstants();
  int64_t rank = graph::getShape(reduce.getX()).size();
  return reduce.getKeepdims() && axes && axes->size() == 1 &&
         axes->front() == rank - 1;
}

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_ONEDNN_STRUCTURE_H
