//===- OperatorCosts.h - numbers of an operator -----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_OPERATORCOSTS_H
#define TENON_LIB_PARALLELIZE_OPERATORCOSTS_H

#include "tenon/Parallelize/ModelGraph.h"

#include "llvm/ADT/DenseSet.h"

namespace tenon::parallelize {

/// The parameters that a value without samples is computed from.
void collectParameters(mlir::Value value,
                       llvm::SetVector<mlir::Operation *> &found);

/// Seconds of ops by the roofline of a device, each as a kernel of its own, and
/// bytes that they keep.
class OperatorCosts {
public:
  OperatorCosts(const ModelOptions &options, const graph::BatchAxes &axes,
                mlir::Block &body);

  /// Adds the costs of one op, but neither weights nor what is kept.
  void add(mlir::Operation *op, Operator &sum) const;
  double getBytesPerSample(mlir::Type type) const;
  /// The values with samples that the backward tasks of `op` read, without
  /// views of them.
  llvm::SmallVector<mlir::Value> getSaved(mlir::Operation *op) const;
  /// How many bytes inference of tasks of `samples` samples keeps beside each
  /// byte of a parameter that an op reads.
  double countPackedCopies(mlir::Operation *op, double samples) const;
  /// Adds what the tasks of one op work on at a time.
  void addWork(mlir::Operation *op, Operator &sum) const;

private:
  /// Seconds of `samples` samples.
  double getSeconds(mlir::Operation *op, double samples) const;
  TaskCost getCost(mlir::Operation *op) const;

  const ModelOptions &options;
  const graph::BatchAxes &axes;
  /// Costs for one, some, and many samples.
  std::vector<cost::CostModel> models;
  /// Values that depend on a parameter, and so have a gradient.
  llvm::DenseSet<mlir::Value> hasGradient;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_OPERATORCOSTS_H
