//===- ModelGraph.h - operators of a model and their costs ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What planners know of a model (Plan.h), made from its ops.
//
//  - Ops that compute values without samples (weights and what follows from
//    them) belong to all operators that read them: each stage computes them
//    for itself.
//  - Ops that pass on a value in which parts of the samples are not contiguous
//    (BatchAxes.h) are not cut apart; nor are batch norms that train the same
//    statistics.
//  - Other ops are merged until no operator has less than a share of the work,
//    along the series-parallel structure of the model, which is kept.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_MODELGRAPH_H
#define TENON_PARALLELIZE_MODELGRAPH_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Parallelize/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace tenon::parallelize {

/// Seconds of a kernel, and the ops of a model that it is computed for.
struct MeasuredKernel {
  llvm::SmallVector<mlir::Operation *> ops;
  double seconds = 0;
};

struct ModelOptions {
  cost::DeviceProfile device;
  /// The kernels of inference of a model for values of its symbols; null: all
  /// seconds are predicted by `device`. Asked for 1, 16 and 64 samples.
  std::function<mlir::FailureOr<std::vector<MeasuredKernel>>(
      mlir::func::FuncOp, const cost::Sizes &)>
      measure;
  /// Values of the model's symbols other than the number of samples.
  cost::Sizes sizes;
  graph::BatchOptions batch;
  int64_t miniBatch = 1;
  /// Ops are merged into an operator up to this share of all work.
  double leastShare = 1.0 / 128;
};

struct ModelGraph {
  OperatorGraph graph;
  /// For each operator, the ops whose results have samples, in their order.
  std::vector<std::vector<mlir::Operation *>> ops;
  /// For each operator, the first parameter that it reads, or the name of its
  /// first op.
  std::vector<std::string> names;
  /// Of the operators, their ops, sizes and order: what is measured of one
  /// model is no cost of another.
  std::string digest;
  graph::BatchAxes batchAxes;
  /// Symbols of inputs other than the first that were taken to be the number of
  /// samples, too.
  llvm::SmallVector<std::string> sampleSymbols;
  /// Whether batch norms normalize by their batch (PlannerOptions::evenParts).
  bool hasBatchStatistics = false;
  /// TrainingOptions::givenBytes.
  int64_t givenBytes = 0;
  /// The names of Operator::sharedParameters.
  std::vector<std::string> sharedParameters;
};

/// Replaces symbols of `model` that are the number of samples as well
/// (unifySampleSymbols). Fails with an error if ops couple samples or are not
/// proved not to (BatchAxes.h), a symbol has no value, the number of samples is
/// a constant other than the mini-batch, or no value has samples.
mlir::FailureOr<ModelGraph> buildModelGraph(mlir::func::FuncOp model,
                                            const ModelOptions &options);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_MODELGRAPH_H
