//===- Onnx.h - import of ONNX models -------------------------------------===//
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
  /// The safetensors file to which weights are written. Required if the model
  /// has weights, unless `discardParams` is set.
  std::string paramsPath;
  /// The value of the module's `graph.params`; if empty, the file name of
  /// `paramsPath`.
  std::string paramsName;
  /// Inputs that are replaced by a constant, by name. They are not arguments of
  /// the function; dimension symbols of their shapes get the constant's sizes.
  std::map<std::string, artifact::TensorData> binds;
  /// Dimensions with a fixed size, by the model's name (dim_param) or by the
  /// name of the symbol that replaces it. The sizes are fixed before shapes are
  /// computed. It is an error if no axis of an input has the name.
  std::map<std::string, int64_t> sizes;
  /// Makes constants of weights with up to 64 elements, so that a compile for
  /// inference can compute with them. Otherwise every floating-point
  /// initializer that has an axis is a weight, except those of one element that
  /// PyTorch's exporter named (val_7); masks, tables and the like have a
  /// `buffer`.
  bool inlinesSmallWeights = false;
  /// Imports a batch norm with training_mode = 1 as a `graph.batch_norm` of its
  /// running statistics, if these are weights: only training normalizes by the
  /// batch, then. Otherwise the op normalizes by the batch that it is given, as
  /// the standard says.
  bool trainsBatchNorms = false;
  /// Creates `graph.parameter` ops without writing their data.
  bool discardParams = false;
  /// If set, receives the names of the files with external data that were read.
  std::vector<std::string> *filesRead = nullptr;
};

/// Imports the ONNX model `path` (opset 6 to `newestOnnxOpset`) as a module
/// with a function `@main`. The arguments are the graph's inputs, without those
/// that are initializers or bound. Arguments and results have a `graph.name`.
/// If the model has something that Tenon does not support, the import fails,
/// and all such cases are reported in one run, each with the node's name and
/// operator.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnx(llvm::StringRef path, mlir::MLIRContext *context,
           const OnnxImportOptions &options);

/// The same for a model in memory; diagnostics refer to it as `name`. External
/// data is rejected.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnxBytes(llvm::StringRef bytes, llvm::StringRef name,
                mlir::MLIRContext *context, const OnnxImportOptions &options);

/// Returns the names of the model's inputs, in order, without those that are
/// initializers.
mlir::FailureOr<std::vector<std::string>>
listOnnxInputs(llvm::StringRef path, mlir::MLIRContext *context);

/// Reads a file with one ONNX TensorProto, such as input_0.pb of a test.
mlir::FailureOr<artifact::TensorData> readOnnxTensorFile(llvm::StringRef path,
                                                         mlir::Location loc);

constexpr int64_t oldestOnnxOpset = 6;
constexpr int64_t newestOnnxOpset = 28;

/// Writes docs/onnx-support.md, which has one row per operator of the standard.
void listOnnxOperators(llvm::raw_ostream &os);

} // namespace tenon

#endif // TENON_IMPORT_ONNX_H
