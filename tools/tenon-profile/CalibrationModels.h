//===- CalibrationModels.h - kernels of all kinds and sizes ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_CALIBRATIONMODELS_H
#define TENON_TOOLS_TENON_PROFILE_CALIBRATIONMODELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

/// A model of independent ops, each with inputs and an output of its own, so
/// that each becomes a kernel of its own.
struct CalibrationModel {
  std::string name;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The models whose kernels give the rates of classes: products, convolutions,
/// reductions, functions and movements of data, at sizes that occur in vision
/// and language models at batch 1.
std::vector<CalibrationModel>
buildCalibrationModels(mlir::MLIRContext *context);

#endif // TENON_TOOLS_TENON_PROFILE_CALIBRATIONMODELS_H
