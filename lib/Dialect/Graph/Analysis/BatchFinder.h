//===- BatchFinder.h - finds the axes of samples ----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_ANALYSIS_BATCHFINDER_H
#define TENON_LIB_DIALECT_GRAPH_ANALYSIS_BATCHFINDER_H

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Dialect/Graph/IR/IndexForm.h"

namespace tenon::graph {

/// What an element at index v of an axis is computed from.
struct Reads {
  /// The rows of a sample, if operands with samples are read, all at index v.
  std::optional<SymInt> rows;
  /// Operands without samples that must have equal rows along an axis.
  mlir::SmallVector<std::pair<mlir::Value, unsigned>> uniform;
  /// Operands without samples that are read whatever v is.
  mlir::SmallVector<mlir::Value> whole;
  /// Whether their number matters, as for the divisor of a mean.
  bool usesNumber = false;
};

class BatchFinder {
public:
  /// `outer`: the op that errors are about, if the block is its meaning.
  BatchFinder(const BatchOptions &options, BatchAxes &found,
              mlir::Operation *outer)
      : options(options), found(found), outer(outer) {}

  mlir::LogicalResult checkArguments(mlir::Block &body);
  mlir::LogicalResult visit(mlir::Operation *op);

private:
  mlir::InFlightDiagnostic fail(mlir::Operation *op) {
    return (outer ? outer : op)
        ->emitOpError("couples the samples of a batch: ");
  }
  mlir::LogicalResult visitReshape(ReshapeOp op);
  std::optional<SampleAxis> getReshaped(const SampleAxis &samples,
                                        const Shape &from,
                                        const Shape &to) const;
  mlir::LogicalResult visitForm(mlir::Operation *op, unsigned result,
                                const IndexForm &form);
  mlir::LogicalResult visitComposite(DecomposableInterface op);
  mlir::LogicalResult visitReturned(mlir::Operation *end);
  /// The first axis of a value, and its size, that has the number of samples in
  /// its size, as stated or inferred, and no samples; or samples, but not their
  /// number.
  std::optional<std::pair<unsigned, SymInt>>
  findWrongSize(mlir::Value value, const SampleAxis &samples) const;
  mlir::LogicalResult checkSizes(mlir::OpResult result,
                                 const SampleAxis &samples);
  /// The operand with indices of which more are valid if there are more
  /// samples.
  mlir::Value findCountedIndices(mlir::Operation *op) const;
  bool read(mlir::Operation *op, const Expr &expr, unsigned axis, Reads &reads);
  /// Makes `axis` of a value without samples one that has equal rows for each
  /// of them, if it has.
  bool makeUniform(mlir::Value value, const SampleAxis &axis);
  bool tryUniform(mlir::Value value, unsigned axis);
  /// Whether an element does not depend on its index along the axis.
  bool hasEqualRows(mlir::Value value, unsigned axis);
  /// Whether a value is the same however many samples there are.
  bool isIndependent(mlir::Value value);
  /// The rows that each sample has along an axis of this size.
  std::optional<SymInt> getRows(const SymInt &size) const;

  const BatchOptions &options;
  BatchAxes &found;
  mlir::Operation *outer;
  llvm::DenseMap<mlir::Value, bool> independent;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, bool> equalRows;
};

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_ANALYSIS_BATCHFINDER_H
