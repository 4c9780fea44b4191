//===- ForwardGraph.h - what a backward pass reads of a forward pass ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_FORWARDGRAPH_H
#define TENON_LIB_DIFFERENTIATE_FORWARDGRAPH_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Differentiate/RecomputePlan.h"

#include "llvm/ADT/DenseMap.h"

namespace tenon::differentiate {

/// The ops of a forward pass that depend on the inputs of a run, numbered in
/// their order, and the values that later ops and the backward pass read. A
/// *place* p is before op number p. Sizes are in bytes; symbolic dimensions
/// have the default size of the cost model.
class ForwardGraph {
public:
  /// Takes all ops of the block up to `lastForward`; the backward pass is the
  /// rest. Modifies `block`: the backward pass gets copies of views, so that it
  /// reads only what ops compute.
  ForwardGraph(mlir::Block &block, mlir::Operation *lastForward);

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  /// Returns std::nullopt for other ops and for nullptr.
  std::optional<unsigned> getNumber(mlir::Operation *op) const;
  /// Returns whether a value depends on the inputs of a run. States of integers
  /// (the count of steps) are inputs; weights, constants and other states are
  /// not.
  bool isDynamic(mlir::Value value) const { return dynamic.contains(value); }
  /// Returns whether an op of the backward pass computes the value from inputs.
  bool isBackward(mlir::Value value) const;
  /// Returns the uses of a value in the backward pass, without results of the
  /// function and writes of states.
  llvm::SmallVector<mlir::OpOperand *> getBackwardUses(mlir::Value value) const;
  /// Returns the values that ops before a place compute and ops after it read.
  llvm::SmallVector<mlir::Value> getBoundary(unsigned place) const;
  /// Returns whether all sizes are numbers.
  bool hasKnownSizes() const;
  /// Returns the predicted time of an op: the roofline of the profile `cpu`,
  /// for every target.
  double getWork(mlir::Operation *op) const;
  /// Returns the sum over all ops of the block, also of the backward pass.
  double getAllWork() const { return allWork; }

  /// Returns the places where ops are divided, from 0 to the number of ops:
  /// those whose neighbours have no smaller boundary. If there are more than
  /// 128, those with the smallest boundaries.
  llvm::SmallVector<unsigned> findPlaces() const;
  /// Returns a step for each pair of neighbouring places.
  std::vector<ForwardStep> getSteps(llvm::ArrayRef<unsigned> places) const;

private:
  /// A value that an op computes, with its views.
  struct Tensor {
    mlir::Value value;
    int64_t bytes = 0;
    unsigned definition = 0, lastUse = 0; // numbers of ops
    bool isRead = false;                  // by the backward pass
  };

  void findDynamic();
  void copyViews();
  void findTensors();
  bool isForward(mlir::Operation *op) const;

  mlir::Block &block;
  mlir::Operation *lastForward;
  cost::CostModel costs;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::DenseSet<mlir::Value> dynamic;
  std::vector<Tensor> tensors; // by definition
  double allWork = 0;
};

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_FORWARDGRAPH_H
