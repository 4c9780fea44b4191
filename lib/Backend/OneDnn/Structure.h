//===- Structure.h - pieces of a given form -------------------------------===//
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

/// A piece of a given form, and the call that it is.
struct SiteMatch {
  Piece piece;
  Site site;
  llvm::SmallVector<mlir::Value> inputs; // of the site's operands
};

/// Appends the forms that end in `last` (of layer normalization: whose quotient
/// `last` is). Composites are primitives by then.
void matchSoftmax(mlir::Operation *last,
                  llvm::SmallVectorImpl<SiteMatch> &matches);
void matchLrn(mlir::Operation *last, llvm::SmallVectorImpl<SiteMatch> &matches);
void matchLayerNorm(mlir::Operation *quotient,
                    llvm::SmallVectorImpl<SiteMatch> &matches);

bool isF32(mlir::Value value);

/// The number that a constant, possibly broadcast, holds everywhere.
std::optional<double> getSplat(mlir::Value value);

/// The ops of a piece, collected from its end backwards.
class Structure {
public:
  explicit Structure(mlir::Operation *last) : ops{last} {}

  /// The op of this kind that computes the value; null: another does.
  template <typename OpTy> OpTy take(mlir::Value value) {
    auto op = value ? value.getDefiningOp<OpTy>() : OpTy();
    if (op)
      add(op);
    return op;
  }
  void add(mlir::Operation *op);
  /// What is broadcast to this value from a size of 1 on the last axis (the
  /// other axes keep theirs).
  mlir::Value takeRows(mlir::Value value);
  /// What is broadcast to this value along all axes but the last.
  mlir::Value takeVector(mlir::Value value);
  /// Of a value that is the same number everywhere: the number.
  std::optional<double> takeSplat(mlir::Value value);
  /// Of a commutative op with such an operand: the number; `other` is the other
  /// operand.
  std::optional<double> takeSplatOf(mlir::Operation *op, mlir::Value &other);
  /// The value that is summed along the last axis to this one.
  mlir::Value takeSum(mlir::Value value);

  /// Whether only the end's result is read outside.
  bool isClosed() const;
  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }

private:
  llvm::SmallVector<mlir::Operation *> ops; // the end first
};

/// Whether a reduction keeps its axis and has just the last one.
template <typename OpTy> bool isAlongLast(OpTy reduce) {
  auto axes = reduce.getAxes().getConstants();
  int64_t rank = graph::getShape(reduce.getX()).size();
  return reduce.getKeepdims() && axes && axes->size() == 1 &&
         axes->front() == rank - 1;
}

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_ONEDNN_STRUCTURE_H
