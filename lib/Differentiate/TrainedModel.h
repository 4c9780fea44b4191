//===- TrainedModel.h - a model that is to be trained ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIFFERENTIATE_TRAINEDMODEL_H
#define TENON_LIB_DIFFERENTIATE_TRAINEDMODEL_H

#include "TrainStep.h"

#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Differentiate/WeightRoles.h"

#include <optional>

namespace tenon::differentiate {

/// The function of --graph-train, what its options say of its parameters, and
/// the functions that are made of it.
class TrainedModel {
public:
  TrainedModel(mlir::ModuleOp module, const GraphTrainOptions &options)
      : module(module), options(options) {}

  /// Checks the options and finds the function; fails with a diagnostic.
  mlir::LogicalResult find();
  /// Adds a state for each parameter that training changes, which starts as its
  /// weight. Returns the number of those that are trained.
  mlir::FailureOr<unsigned> addStates();

  /// Adds a function that is like the source.
  mlir::FailureOr<mlir::func::FuncOp> addEntry(llvm::StringRef name);
  /// Replaces the results by the loss, or adds it behind them, and adds the
  /// argument of the target.
  mlir::LogicalResult addLoss(mlir::func::FuncOp entry, bool keepResults);
  /// Replaces the parameters of an entry that training changes by reads of
  /// their states. Returns those that are trained.
  Trained readStates(mlir::func::FuncOp entry) const;
  bool hasDecay(llvm::StringRef name) const;

  mlir::func::FuncOp getSource() const { return source; }

private:
  mlir::LogicalResult checkOptions();
  mlir::LogicalResult findSource();
  mlir::LogicalResult findResult();
  /// Whether it is trained, or a statistic that follows the batches.
  bool isState(graph::ParameterOp parameter) const;
  auto error() { return module.emitError() << "graph-train: "; }

  mlir::ModuleOp module;
  const GraphTrainOptions &options;
  mlir::func::FuncOp source;
  unsigned number = 0; // of the result that `of` names
  WeightPatterns undecayed{{}};
  std::optional<WeightRoles> roles;
};

/// Erases ops whose results are not used, last first.
void eraseUnused(mlir::Block &block);

} // namespace tenon::differentiate

#endif // TENON_LIB_DIFFERENTIATE_TRAINEDMODEL_H
