//===- BatchAxes.h - which axes hold the samples ----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model may be cut along its batch if it does with every sample the same,
// whatever other samples there are, and however many: the model of a slice of
// the samples is that slice of the model's results. The model of a slice is the
// same model for fewer samples: their number is replaced in all of its sizes.
// That this is so follows from the index forms of the ops. By induction on the
// ops of a block, every value has either one axis that holds the samples, or
// none, and is the same for all of them:
//
//  - an op reads, for the index v of its result along that axis, only the index
//    v of operands that have samples, and v decides nothing else;
//  - a reshape keeps what belongs to a sample together, in `rows` consecutive
//    indices;
//  - what has no samples but one row for each of them has equal rows;
//  - the number of samples n is a factor of the size of that axis, which is
//    n * rows, and nothing else depends on n: neither `rows`, nor the other
//    sizes of a value with samples, nor any size or attribute of what a value
//    without samples is computed from, nor which indices are valid.
//
// An op of another kind couples samples, which is an error that names it. If n
// is a constant, it is unknown which other sizes depend on it. Then there is no
// model for fewer samples, and only the reads above are checked.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_BATCHAXES_H
#define TENON_DIALECT_GRAPH_ANALYSIS_BATCHAXES_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tenon::graph {

/// Sample s is at the indices [s * rows, (s + 1) * rows) of the axis.
struct SampleAxis {
  unsigned axis = 0;
  SymInt rows = 1;
  /// Whether all samples have the same rows, which depend on none of them, such
  /// as those of a bias that was broadcast.
  bool isUniform = false;
};

struct BatchAxes {
  /// The number of samples: a constant, or a symbol, which is called n here.
  SymInt size;
  /// Values without an entry are the same for all samples.
  llvm::DenseMap<mlir::Value, SampleAxis> axes;

  std::optional<SampleAxis> get(mlir::Value value) const {
    auto it = axes.find(value);
    return it == axes.end() ? std::nullopt
                            : std::optional<SampleAxis>(it->second);
  }
  /// Whether the value depends on samples.
  bool hasSamples(mlir::Value value) const {
    auto it = axes.find(value);
    return it != axes.end() && !it->second.isUniform;
  }
  /// Whether a size may change if the number of samples does, and nothing else.
  bool dependsOnNumber(const SymInt &value) const;
};

struct BatchOptions {
  /// In training, batch norm uses the statistics of its batch, and dropout
  /// draws for each position.
  bool isTraining = false;
  /// Whether batch norm may use the statistics of a micro-batch instead, which
  /// changes what is trained.
  bool batchNormPerMicroBatch = false;
};

/// The axes that a model has by convention: the number of samples is the size
/// of axis 0 of the first argument, and the first axis of equal size has the
/// samples of an argument; of a constant size, only axis 0. Fails with an error
/// if the first argument has no axis.
mlir::FailureOr<BatchAxes> getArgumentBatchAxes(mlir::Block &body,
                                                mlir::Location loc);

/// Adds the axes of all values of a block of graph ops, whose arguments have
/// those of `axes`. What the block returns has samples, or equal rows for each
/// of them, or is the same for all of them. Fails with an error at the argument
/// that can't be cut, or at the op that couples samples.
mlir::LogicalResult findBatchAxes(mlir::Block &body,
                                  const BatchOptions &options, BatchAxes &axes);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_BATCHAXES_H
