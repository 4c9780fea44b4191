//===- ModelInput.h - reading models -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_MODELINPUT_H
#define TENON_LIB_DRIVER_MODELINPUT_H

#include "Contracts.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace tenon {

/// A model as graph ops.
struct ModelInput {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The file of the weights; empty: the model has none.
  std::string paramsPath;
  /// Files beside the model that were read with it.
  std::vector<std::string> filesRead;
};

struct ModelInputOptions {
  std::string path;
  /// Where the weights of an ONNX model are written when it has some; empty:
  /// nowhere.
  std::string paramsPath;
  /// What `graph.params` then says; empty: the file name of `paramsPath`.
  std::string paramsName;
  /// The weights of an .mlir model; empty: those that it names, which lie in
  /// its folder.
  std::string weights;
  std::vector<std::string> binds;
  bool verifyEach = false;
  /// Whether training or a module for it is made of an ONNX model. All
  /// weights are parameters then (OnnxImportOptions::inlinesSmallWeights), and
  /// batch norms have statistics (trainsBatchNorms).
  bool trains = true;
};

/// Reads .onnx, .mlir and .mlirbc; models of tosa ops become graph ops. The
/// result fulfils `checkGraph`, or `checkLowered`. Emits diagnostics on
/// failure.
mlir::FailureOr<ModelInput> readModel(const ModelInputOptions &options,
                                      llvm::SourceMgr &sources,
                                      mlir::MLIRContext &context);

} // namespace tenon

#endif // TENON_LIB_DRIVER_MODELINPUT_H
