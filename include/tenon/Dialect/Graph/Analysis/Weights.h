//===- Weights.h - what depends only on parameters and constants ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A weight is a value that ops without memory effects compute from parameters
// and constants alone. It is the same in every run, so it can be folded,
// transformed or packed when a model is loaded. A state that is read is no
// weight.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_ANALYSIS_WEIGHTS_H
#define TENON_DIALECT_GRAPH_ANALYSIS_WEIGHTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tenon::graph {

/// A further condition that an op must meet so that its results count as
/// weights, for example static sizes. Null: no condition.
using WeightCondition = llvm::function_ref<bool(mlir::Operation *)>;

/// Returns whether the results of an op are weights. Null operands (of ops
/// outside of a graph) are not. Visits all ops that the op depends on.
bool givesWeights(mlir::Operation *op, WeightCondition condition = nullptr);

/// Returns whether a value is a weight. Arguments and null are not.
bool isWeight(mlir::Value value, WeightCondition condition = nullptr);

/// The same for all ops of a block at once, in linear time. The ops may be in
/// any order; the answers are valid until the ops change.
class WeightAnalysis {
public:
  explicit WeightAnalysis(mlir::Block &block,
                          WeightCondition condition = nullptr);

  /// For ops of the block.
  bool givesWeights(mlir::Operation *op) const { return !others.contains(op); }
  bool isWeight(mlir::Value value) const {
    mlir::Operation *op = value ? value.getDefiningOp() : nullptr;
    return op && givesWeights(op);
  }

private:
  llvm::DenseSet<mlir::Operation *> others; // the other ops of the block
};

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_ANALYSIS_WEIGHTS_H
