//===- BatchFinder.h - finds the axes of samples ----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_ANALYSIS_BATCHFINDER_H
#define TENON_LIB_DIALECT_GRAPH_ANALYSIS_BATCHFINDER_H

#include "OpenForms.h"
#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Dialect/Graph/IR/IndexUses.h"

#include <map>

namespace tenon::graph {

/// The values that the elements of a sample are computed from.
struct Reads {
  /// Rows and blocks of operands with samples, whose axes may differ.
  std::optional<SampleAxis> samples;
  /// Operands without samples that must have equal rows along an axis.
  mlir::SmallVector<std::pair<mlir::Value, unsigned>> uniform;
  /// Operands without samples that are read whichever sample it is.
  mlir::SmallVector<mlir::Value> whole;
  /// Whether their number matters, as for the divisor of a mean.
  bool usesNumber = false;
};

class BatchFinder {
public:
  /// If the block is the meaning of an op, `outer` is that op, and `parent` has
  /// found the samples of its operands.
  BatchFinder(const BatchOptions &options, BatchAxes &found,
              mlir::Operation *outer = nullptr, BatchFinder *parent = nullptr)
      : options(options), found(found), outer(outer), parent(parent) {}

  mlir::LogicalResult run(mlir::Block &body);

private:
  friend class PooledForm;

  /// Why an op is refused: it couples samples, or is not proved not to.
  struct Refusal {
    mlir::Operation *op = nullptr;
    bool couples = false;
    std::string reason;
  };

  mlir::LogicalResult checkArguments(mlir::Block &body);
  mlir::LogicalResult visit(mlir::Operation *op);
  mlir::LogicalResult couple(mlir::Operation *op, const llvm::Twine &reason);
  mlir::LogicalResult notProved(mlir::Operation *op, const llvm::Twine &reason);
  void report();

  mlir::LogicalResult visitOp(mlir::Operation *op);
  mlir::LogicalResult visitReshape(ReshapeOp op);
  std::optional<SampleAxis> getReshaped(const SampleAxis &samples,
                                        const Shape &from,
                                        const Shape &to) const;
  mlir::LogicalResult visitForm(mlir::OpResult result, const IndexForm &form);
  mlir::LogicalResult visitComposite(DecomposableInterface op);
  mlir::LogicalResult visitReturned(mlir::Operation *end);
  /// Says why no axis of a result has the samples.
  mlir::LogicalResult refuseForm(mlir::OpResult result, const IndexForm &form);
  /// Leaves the results to the ops that read them, if these can have their
  /// forms.
  bool leaveUncut(mlir::Operation *op);
  /// Finds the samples of a result by its form over settled values.
  bool visitOpen(mlir::OpResult result);

  /// Finds whether the results are sums or means over all samples.
  bool pool(mlir::Operation *op);
  std::optional<Pooling> findPooling(mlir::OpResult result);
  std::string describePooling(mlir::Operation *op);

  /// The first axis of a value, and its size, that has the number of samples in
  /// its size, as stated or inferred, and no samples; or samples, but not their
  /// number.
  std::optional<std::pair<unsigned, SymInt>>
  findWrongSize(mlir::Value value, const SampleAxis &samples) const;
  mlir::LogicalResult checkSizes(mlir::OpResult result,
                                 const SampleAxis &samples);
  /// The operand with indices of which more are valid if there are more
  /// samples.
  mlir::Value findCountedIndices(mlir::Operation *op);
  bool isInRange(const IndexUse &use, size_t entry, const IndexRange &range);

  bool read(mlir::Operation *op, const Expr &expr, unsigned axis, Reads &reads);
  /// The reads of an open form over the indices of a shape, if an axis of it
  /// has the samples as stated.
  std::optional<Reads> readOpen(Shape shape, const Expr &open,
                                const SampleAxis &samples);
  bool readOpen(const Expr &expr, unsigned sample, const IndexRanges &ranges,
                Reads &reads);
  bool isOwnRow(const Expr &index, const SampleAxis &samples, unsigned sample,
                const IndexRanges &ranges, Reads &reads);
  /// Makes `axis` of a value without samples one that has equal rows for each
  /// of them, if it has.
  bool makeUniform(mlir::Value value, const SampleAxis &axis);
  bool tryUniform(mlir::Value value, unsigned axis);
  /// Whether an element does not depend on its index along the axis.
  bool hasEqualRows(mlir::Value value, unsigned axis);
  /// Whether a value is the same however many samples there are.
  bool isIndependent(mlir::Value value);
  /// Whether open forms have the elements of the value, not its form.
  bool isLeaf(mlir::Value value);
  /// The rows that each sample has along an axis of this size.
  std::optional<SymInt> getRows(const SymInt &size) const;

  const BatchOptions &options;
  BatchAxes &found;
  mlir::Operation *outer;
  BatchFinder *parent;
  /// The operands that arguments of the block are.
  llvm::DenseMap<mlir::Value, mlir::Value> operands;
  Refusal refusal;
  /// Why uncut and pooled values have no axis.
  llvm::DenseMap<mlir::Value, Refusal> reasons;
  /// The most blocks of samples that are looked at one by one.
  static constexpr int64_t kMostBlocks = 64;

  OpenForms forms{
      [this](mlir::Value value) { return isLeaf(value); },
      [this](mlir::Operation *op) { return !findCountedIndices(op); }};
  llvm::DenseMap<mlir::Value, bool> independent;
  Counts counts;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, bool> equalRows;
};

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_ANALYSIS_BATCHFINDER_H
