//===- BatchModels.h - random models over samples ---------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GENERATE_BATCHMODELS_H
#define TENON_GENERATE_BATCHMODELS_H

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <string>
#include <vector>

namespace tenon::generate {

/// A module with one function @main, whose first argument has n samples along
/// axis 0.
struct BatchModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The axes that are meant to have the samples. With tricks, this may be
  /// wrong.
  graph::BatchAxes claimed;
  /// How the number of samples, or another sample, gets to where it may change
  /// results. If there are none, the model does with each sample the same.
  std::vector<std::string> tricks;
  /// For arguments that are indices: how many are valid.
  std::map<unsigned, graph::SymInt> limits;

  mlir::func::FuncOp getFunction() const {
    mlir::ModuleOp owned = module.get();
    return *owned.getOps<mlir::func::FuncOp>().begin();
  }
};

/// A model of `ops` steps, each of which is an op or a few. Half of the models
/// have a trick or two.
BatchModel generateBatchModel(mlir::MLIRContext *context, uint64_t seed,
                              unsigned ops);

} // namespace tenon::generate

#endif // TENON_GENERATE_BATCHMODELS_H
