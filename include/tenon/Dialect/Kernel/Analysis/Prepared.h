//===- Prepared.h - what is computed once, at load ------------------------===//
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
/// of static shape: it exists once a model is loaded. Operands that are null
/// (of ops that stand outside of a graph) are none.
bool isPrepared(mlir::Value value);

/// Whether all operands of an op are prepared, and its results static: then it
/// runs at load.
bool runsAtLoad(mlir::Operation *op);

/// The same for all ops of a block at once, in linear time. The ops may stand
/// in any order; what is said holds until they change.
class LoadAnalysis {
public:
  explicit LoadAnalysis(mlir::Block &block);

  bool runsAtLoad(mlir::Operation *op) const { return !inRuns.contains(op); }
  bool isPrepared(mlir::Value value) const {
    mlir::Operation *op = value ? value.getDefiningOp() : nullptr;
    return op && runsAtLoad(op);
  }

private:
  /// The others of the block.
  llvm::DenseSet<mlir::Operation *> inRuns;
};

/// As `known` says, if it is there.
inline bool runsAtLoad(mlir::Operation *op, const LoadAnalysis *known) {
  return known ? known->runsAtLoad(op) : runsAtLoad(op);
}
inline bool isPrepared(mlir::Value value, const LoadAnalysis *known) {
  return known ? known->isPrepared(value) : isPrepared(value);
}

} // namespace tenon::kernel

#endif // TENON_DIALECT_KERNEL_ANALYSIS_PREPARED_H
