//===- Onnx.h - ONNX models to the graph dialect --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_IMPORT_ONNX_H
#define TENON_IMPORT_ONNX_H

#include "tenon/Artifact/TensorData.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tenon {

struct OnnxImportOptions {
  /// The safetensors file that receives the weights. Needed when the model has
  /// weights (initializers of floating-point type with more than 64 elements),
  /// unless `discardParams`.
  std::string paramsPath;
  /// What the module's `graph.params` says; empty: the file name of
  /// `paramsPath`.
  std::string paramsName;
  /// Inputs that are fixed to a constant, by name. They are no arguments of the
  /// function; dimension symbols of their shapes take the constant's sizes.
  std::map<std::string, artifact::TensorData> binds;
  /// Dimensions that are fixed to a size before shapes are computed, by the
  /// model's name (dim_param) or by that of the symbol made of it. A name that
  /// no axis of an input has is an error.
  std::map<std::string, int64_t> sizes;
  /// Makes `graph.parameter` ops without writing their data.
  bool discardParams = false;
  /// If set, gets the files beside the model that were read.
  std::vector<std::string> *filesRead = nullptr;
};

/// Reads the ONNX model `path` (opset 6 to `newestOnnxOpset`) into a module
/// with a function `@main`. Arguments are the graph's inputs, without those
/// that are initializers or bound, and carry `graph.name`, as results do.
/// Everything that the model has and Tenon does not support is reported in one
/// run, each with the node's name and operator; then the result is failure.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnx(llvm::StringRef path, mlir::MLIRContext *context,
           const OnnxImportOptions &options);

/// The same for a model in memory; `name` stands for it in diagnostics.
/// External data is refused.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnxBytes(llvm::StringRef bytes, llvm::StringRef name,
                mlir::MLIRContext *context, const OnnxImportOptions &options);

/// Names of the model's inputs, in order, without those that are initializers.
mlir::FailureOr<std::vector<std::string>>
listOnnxInputs(llvm::StringRef path, mlir::MLIRContext *context);

/// Reads a file with one ONNX TensorProto, such as a test's input_0.pb.
mlir::FailureOr<artifact::TensorData> readOnnxTensorFile(llvm::StringRef path,
                                                         mlir::Location loc);

constexpr int64_t oldestOnnxOpset = 6;
constexpr int64_t newestOnnxOpset = 28;

/// Writes docs/onnx-support.md: one row per operator of the standard.
void listOnnxOperators(llvm::raw_ostream &os);

} // namespace tenon

#endif // TENON_IMPORT_ONNX_H
