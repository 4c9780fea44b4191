//===- Prepared.h - values computed once, at load -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H
#define TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H

#include "tenon/Dialect/Graph/Analysis/Weights.h"

namespace tenon::kernel {

/// Whether a value is a weight of static shape whose ops have static shapes as
/// well, so that it is available once a model is loaded.
bool isPrepared(mlir::Value value);

/// Whether an op runs at load: its results are prepared.
bool runsAtLoad(mlir::Operation *op);

/// Computes this for all ops of a block at once, in linear time. The ops may be
/// in any order; the answers are valid until the ops change.
class LoadAnalysis {
public:
  explicit LoadAnalysis(mlir::Block &block);

  bool runsAtLoad(mlir::Operation *op) const {
    return weights.givesWeights(op);
  }
  bool isPrepared(mlir::Value value) const { return weights.isWeight(value); }

private:
  graph::WeightAnalysis weights;
};

/// Uses the answer of `known` if it is not null.
inline bool runsAtLoad(mlir::Operation *op, const LoadAnalysis *known) {
  return known ? known->runsAtLoad(op) : runsAtLoad(op);
}
inline bool isPrepared(mlir::Value value, const LoadAnalysis *known) {
  return known ? known->isPrepared(value) : isPrepared(value);
}

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H
