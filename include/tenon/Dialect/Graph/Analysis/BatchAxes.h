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
//  - an op reads, for an index of its result that belongs to sample s, only
//    what belongs to s of operands that have samples, and s decides nothing
//    else;
//  - what has no samples but one row for each of them has equal rows;
//  - the number of samples n is a factor of the size of that axis, which is
//    outer * n * rows, and nothing else depends on n: neither `outer` and
//    `rows`, nor the other sizes of a value with samples, nor any size or
//    attribute of what a value without samples is computed from, nor which
//    indices are valid.
//
// For some ops this holds only together with those that compute their operands:
// a gather reads its own samples if its indices are a count of them. So what is
// computed from a count of samples, and from nothing that is the same for all
// of them or has an axis of them, belongs to each op that reads it: the index
// form of that op has the forms of these values in place of their elements.
//
// A value without an axis of samples may still be made of all of them, as a
// loss is, if a batch gives what its parts give together:
//
//   a sum:   v(n) is the sum of the values of the parts;
//   a mean:  v(n) is the mean of the values of the parts, each of which counts
//            as often as it has samples.
//
// A sum over all rows of an axis of samples is a sum; a sum divided by n is a
// mean; and what is affine in them is one again: c * v, v + w, a sum over other
// axes, and, of means, v + c. What else reads such a value couples samples.
//
// An op of which this is known to be wrong couples samples; of another one it
// is not proved. Both are errors that name the op. If n is a constant, it is
// unknown which other sizes depend on it. Then there is no model for fewer
// samples, and only the reads above are checked.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_BATCHAXES_H
#define TENON_DIALECT_GRAPH_ANALYSIS_BATCHAXES_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace tenon::graph {

/// The axis is `outer` blocks of n * rows indices. In each block, sample s is
/// at the indices [s * rows, (s + 1) * rows).
struct SampleAxis {
  unsigned axis = 0;
  SymInt rows = 1;
  /// Whether all samples have the same rows, which depend on none of them, such
  /// as those of a bias that was broadcast.
  bool isUniform = false;
  SymInt outer = 1;

  /// Whether the indices of some samples in a row are some indices in a row.
  bool isContiguous() const { return outer == SymInt(1); }
};

/// How the value of a batch follows from those of its parts.
enum class Pooling { Sum, Mean };

/// How often the value of a part counts in a pooled one, for the samples of the
/// part and of the batch.
inline double getWeight(Pooling pooling, int64_t part, int64_t batch) {
  return pooling == Pooling::Sum
             ? 1
             : static_cast<double>(part) / static_cast<double>(batch);
}

struct BatchAxes {
  /// The number of samples: a constant, or a symbol, which is called n here.
  SymInt size;
  /// Values without an entry are the same for all samples, are a count of them,
  /// are uncut or pooled.
  llvm::DenseMap<mlir::Value, SampleAxis> axes;
  /// Values that are computed from samples and from a count of them, such as
  /// the indices of a gather. They have no axis of samples: they belong to the
  /// ops that read them.
  llvm::DenseSet<mlir::Value> uncut;
  /// Values that are made of all samples, such as a loss.
  llvm::DenseMap<mlir::Value, Pooling> pooled;

  std::optional<SampleAxis> get(mlir::Value value) const {
    auto it = axes.find(value);
    return it == axes.end() ? std::nullopt
                            : std::optional<SampleAxis>(it->second);
  }
  /// Whether the value depends on samples.
  bool hasSamples(mlir::Value value) const {
    auto it = axes.find(value);
    return it == axes.end() ? uncut.contains(value) || pooled.contains(value)
                            : !it->second.isUniform;
  }
  std::optional<Pooling> getPooling(mlir::Value value) const {
    auto it = pooled.find(value);
    return it == pooled.end() ? std::nullopt
                              : std::optional<Pooling>(it->second);
  }
  /// Whether parts of the samples are contiguous parts of the value, so that it
  /// can be passed on in parts.
  bool canPassParts(mlir::Value value) const {
    auto it = axes.find(value);
    return it == axes.end() ? !uncut.contains(value) && !pooled.contains(value)
                            : it->second.isContiguous();
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

/// Values whose elements are integers that follow from their index, such as
/// positions, and what is computed from these.
class Counts {
public:
  bool contains(mlir::Value value);

private:
  llvm::DenseMap<mlir::Value, bool> known;
};

/// Whether a value is numbers of i64 between bounds, moved or not. If a gather
/// reads at a count of samples and such numbers, the bounds decide whether it
/// reads its own sample: they are looked at together.
bool isBoundedIndex(mlir::Value value);

/// The number of samples that a model has by convention: the size of axis 0 of
/// the first argument or, if that is a constant, the first size of an argument
/// that is a symbol, if there is one, as where a sequence comes first. Unknown
/// if the first argument has no axis.
SymInt getSampleNumber(mlir::Block &body);

/// The axes that a model has by convention: the first axis of that size has the
/// samples of an argument; of a constant size, only axis 0. Fails with an error
/// if the first argument has no axis.
mlir::FailureOr<BatchAxes> getArgumentBatchAxes(mlir::Block &body,
                                                mlir::Location loc);

/// Adds the axes of all values of a block of graph ops, whose arguments have
/// those of `axes`. What the block returns has samples, or equal rows for each
/// of them, is the same for all of them, or is a number that is pooled. Fails
/// with an error at the argument that can't be cut, or at the op that couples
/// samples or is not proved not to.
mlir::LogicalResult findBatchAxes(mlir::Block &body,
                                  const BatchOptions &options, BatchAxes &axes);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_BATCHAXES_H
