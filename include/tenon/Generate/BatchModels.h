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
  /// wrong. Values that a proof has no words for, such as merged axes with
  /// other indices before the samples, are not there.
  graph::BatchAxes claimed;
  /// The same for all values, at least for arguments and results.
  graph::BatchAxes cut;
  /// The kinds of its steps, and the steps that were added. Those of another
  /// kind than "basic" are called KIND/NAME.
  std::vector<std::string> kinds, steps;
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

/// The kinds of steps: "basic" and the further ones.
std::vector<std::string> listBatchKinds();

/// A model of `ops` steps of the given kinds, each of which is an op or a few.
/// Half of the models have a trick or two.
BatchModel generateBatchModel(mlir::MLIRContext *context, uint64_t seed,
                              unsigned ops, llvm::ArrayRef<std::string> kinds);

} // namespace tenon::generate

#endif // TENON_GENERATE_BATCHMODELS_H
