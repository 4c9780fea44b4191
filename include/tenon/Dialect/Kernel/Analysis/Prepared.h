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

#include <memory>

namespace tenon::kernel {

/// Whether a value is a parameter, a constant, or computed from only those and
/// of static shape: it exists once a model is loaded. Operands that are null
/// (of ops that stand outside of a graph) are none.
bool isPrepared(mlir::Value value);

/// Whether all operands of an op are prepared, and its results static: then it
/// runs at load.
bool runsAtLoad(mlir::Operation *op);

/// While it lives, the questions above are answered from a table for the ops
/// that stand in the block now, on this thread: else each may walk back through
/// all of a graph. These ops must stay, with the operands that they have;
/// others may come and go.
class PreparedScope {
public:
  explicit PreparedScope(mlir::Block &block);
  ~PreparedScope();
  PreparedScope(const PreparedScope &) = delete;
  PreparedScope &operator=(const PreparedScope &) = delete;

private:
  struct State;
  std::unique_ptr<State> state;
};

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
