//===- BatchValues.h - what a cut along a batch does to values --*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROOFKERNEL_BATCHVALUES_H
#define TENON_LIB_PROOFKERNEL_BATCHVALUES_H

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"

#include "mlir/IR/IRMapping.h"

namespace tenon::prove {

using ReplaceSize = llvm::function_ref<graph::SymInt(const graph::SymInt &)>;

mlir::RankedTensorType replaceSizes(mlir::RankedTensorType type,
                                    ReplaceSize replace);
/// An op with other sizes in its types and attributes.
mlir::Operation *cloneWithSizes(mlir::OpBuilder &builder, mlir::Operation *op,
                                mlir::IRMapping &values, ReplaceSize replace);
/// What belongs to the samples [begin, begin + count) of a value that has `all`
/// of them where `samples` says.
mlir::Value sliceSamples(mlir::OpBuilder &builder, mlir::Value value,
                         const graph::SampleAxis &samples,
                         const graph::SymInt &all, const graph::SymInt &begin,
                         const graph::SymInt &count);
/// The value for another number of samples.
graph::SymInt replaceNumber(const graph::SymInt &value,
                            const graph::SymInt &number,
                            const graph::SymInt &other);
/// A symbol that no op has, with `name` at its front.
graph::SymInt getUnusedSymbol(llvm::ArrayRef<mlir::Operation *> ops,
                              llvm::StringRef name);

/// Whether an op only rounds pooled numbers to those of a floating-point type:
/// as real numbers, they are the same.
bool isPooledCast(mlir::Operation *op, const graph::BatchAxes &axes);

/// Which values of a block a cut along the batch divides, keeps, or computes
/// once more. The number of samples must be a symbol.
class BatchValues {
public:
  explicit BatchValues(const graph::BatchAxes &axes)
      : axes(axes), symbol(*axes.size.getSymbol()) {}

  bool usesNumber(const graph::SymInt &size) const;
  /// The first axis of a value that has the number of samples in its size, but
  /// is not an axis of so many samples; std::nullopt if there is none.
  std::optional<unsigned> findOtherAxis(mlir::Value value) const;
  /// Whether a value is the same whatever the number of samples is.
  bool isSame(mlir::Value value);
  /// Whether a cut divides a value, keeps it, or pools it.
  bool isKnown(mlir::Value value) {
    return axes.get(value) || axes.getPooling(value) || isSame(value);
  }

  /// The ops that the theorem of an op is about: that op last, and, if it has
  /// operands of which no cut is known, those that compute these,
  /// counts, and numbers between bounds. `leaves` become what they read else,
  /// each once.
  llvm::SmallVector<mlir::Operation *>
  getCone(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Value> &leaves);

private:
  const graph::BatchAxes &axes;
  llvm::StringRef symbol;
  llvm::DenseMap<mlir::Value, bool> same;
  graph::Counts counts;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROOFKERNEL_BATCHVALUES_H
