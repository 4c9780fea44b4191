//===- OnnxExport.h - export of ONNX models -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_IMPORT_ONNXEXPORT_H
#define TENON_IMPORT_ONNXEXPORT_H

#include "tenon/Artifact/OutputFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tenon {

struct OnnxExportOptions {
  /// The safetensors file with the module's parameters; required if it has any.
  std::string paramsPath;
  /// Writes the parameters to a file next to the model (its name plus ".data").
  /// This is also done if they have more than 1 GiB.
  bool externalData = false;
  /// Replaces that file even if Tenon did not write it.
  bool force = false;
  /// Complete files that are published together with the model.
  std::vector<artifact::FinishedFile> finishedFiles;
};

/// Writes `@main` of `module` as the ONNX model `path`, in opset 18 or the
/// oldest later one that it requires. Ops without an ONNX operator are
/// decomposed; all remaining ones are reported in one run. The module is not
/// changed.
mlir::LogicalResult exportOnnx(mlir::ModuleOp module, llvm::StringRef path,
                               const OnnxExportOptions &options);

} // namespace tenon

#endif // TENON_IMPORT_ONNXEXPORT_H
