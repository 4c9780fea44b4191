//===- ForwardPass.h - what a backward pass reads of a forward pass -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_FORWARDPASS_H
#define TENON_LIB_DIFFERENTIATE_FORWARDPASS_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Differentiate/RecomputePlan.h"

#include "llvm/ADT/DenseMap.h"

namespace tenon::differentiate {

/// The ops of a forward pass that depend on the inputs of a run, numbered in
/// their order, and the values that they hand on. A *place* p is before op
/// number p. Sizes are in bytes; of symbols, by the estimate of the cost model.
class ForwardPass {
public:
  /// All ops of the block up to `lastForward`; the backward pass is the rest.
  /// Gives the backward pass views of its own, so that it reads only what ops
  /// compute.
  ForwardPass(mlir::Block &block, mlir::Operation *lastForward);

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  /// Nothing for other ops, and for null.
  std::optional<unsigned> getNumber(mlir::Operation *op) const;
  /// Whether a value depends on the inputs of a run: others are weights, or
  /// states such as parameters.
  bool isDynamic(mlir::Value value) const { return dynamic.contains(value); }
  /// Whether an op of the backward pass computes the value from inputs.
  bool isBackward(mlir::Value value) const;
  /// The uses that a copy can replace: those of the backward pass, without
  /// results of the function and states.
  llvm::SmallVector<mlir::OpOperand *> getBackwardUses(mlir::Value value) const;
  /// Values that ops before a place compute and ops after it read.
  llvm::SmallVector<mlir::Value> getBoundary(unsigned place) const;
  bool hasKnownSizes() const;
  /// The predicted time of an op, and of all ops of the block.
  double getWork(mlir::Operation *op) const;
  double getAllWork() const { return allWork; }

  /// Places between which ops are not divided, from 0 to the number of ops:
  /// where no neighbouring place has a smaller boundary. If there are very
  /// many, some.
  llvm::SmallVector<unsigned> findPlaces() const;
  /// The ops between two places each.
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

#endif // TENON_LIB_DIFFERENTIATE_FORWARDPASS_H
