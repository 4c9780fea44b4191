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

/// Seconds of ops, and bytes that they keep. Seconds are measured ones, or
/// else by the roofline of a device, each op as a kernel of its own.
class OperatorCosts {
public:
  OperatorCosts(const ModelOptions &options, const graph::BatchAxes &axes,
                mlir::Block &body);

  /// Takes the measurements of ModelOptions for what is added from now on.
  /// Fails if these fail.
  mlir::LogicalResult measure(mlir::func::FuncOp model);

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
  /// Costs for a number of samples.
  struct AtSamples {
    int64_t samples;
    cost::CostModel model;
    llvm::DenseMap<mlir::Operation *, double> measured;
  };

  void setSamples(llvm::ArrayRef<int64_t> numbers);
  /// Gives each op of kernels its part of their seconds.
  void divide(llvm::ArrayRef<MeasuredKernel> kernels, AtSamples &at) const;
  double getSeconds(mlir::Operation *op, const AtSamples &at) const;
  TaskCost getCost(mlir::Operation *op) const;

  const ModelOptions &options;
  const graph::BatchAxes &axes;
  /// For one, some, and many samples.
  std::vector<AtSamples> costs;
  bool isMeasured = false;
  /// Values that depend on a parameter, and so have a gradient.
  llvm::DenseSet<mlir::Value> hasGradient;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_OPERATORCOSTS_H
