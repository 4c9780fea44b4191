//===- ModelFile.h - reads the model to interpret -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_INTERPRET_MODELFILE_H
#define TENON_TOOLS_TENON_INTERPRET_MODELFILE_H

#include "CommandLine.h"

#include "tenon/Artifact/TemporaryFolder.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>

namespace llvm {
class SourceMgr;
} // namespace llvm

/// A model, and the weights that came with it.
class ModelFile {
public:
  ModelFile() = default;
  ModelFile(const ModelFile &) = delete;

  /// Reports its errors. Inputs that an ONNX model's shapes depend on are
  /// fixed to the values given for them; they are no inputs then.
  mlir::LogicalResult read(CommandLine &line, llvm::SourceMgr &sources,
                           mlir::MLIRContext &context);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Empty: none.
  std::string paramsPath;

private:
  mlir::LogicalResult readOnnx(CommandLine &line, mlir::MLIRContext &context);

  std::optional<tenon::artifact::TemporaryFolder> temporary;
};

#endif // TENON_TOOLS_TENON_INTERPRET_MODELFILE_H
