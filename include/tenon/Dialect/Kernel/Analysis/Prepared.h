//===- Prepared.h - values computed once, at load -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H
#define TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace tenon::kernel {

/// Whether a value is a parameter, a constant, or computed from only those and
/// of static shape, so that it is available once a model is loaded. Null
/// operands (of ops outside of a graph) are not prepared.
bool isPrepared(mlir::Value value);

/// Whether an op runs at load: all its operands are prepared, and its results
/// are static.
bool runsAtLoad(mlir::Operation *op);

/// Computes this for all ops of a block at once, in linear time. The ops may be
/// in any order; the answers are valid until the ops change.
class LoadAnalysis {
public:
  explicit LoadAnalysis(mlir::Block &block);

  bool runsAtLoad(mlir::Operation *op) const { return !inRuns.contains(op); }
  bool isPrepared(mlir::Value value) const {
    mlir::Operation *op = value ? value.getDefiningOp() : nullptr;
    return op && runsAtLoad(op);
  }

private:
  /// The other ops of the block.
  llvm::DenseSet<mlir::Operation *> inRuns;
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
