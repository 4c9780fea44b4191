//===- ModelSide.h - a model that is compared ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_COMPARE_MODELSIDE_H
#define TENON_TOOLS_TENON_COMPARE_MODELSIDE_H

#include "../tenon-interpret/ModelFile.h"
#include "Side.h"

#include "tenon/Compare/ReferenceGraph.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <optional>

namespace tenon::compare {

class ModelSide {
public:
  explicit ModelSide(const mlir::DialectRegistry &registry)
      : context(registry, mlir::MLIRContext::Threading::DISABLED),
        handler(sources, &context) {}

  /// These report their errors.
  mlir::LogicalResult open(const std::string &path, const Arguments &arguments);
  mlir::FailureOr<Trace> run(const std::vector<artifact::TensorData> &inputs);
  mlir::LogicalResult judge(const std::vector<artifact::TensorData> &inputs,
                            std::optional<ReferenceGraph> &graph);

  const Signature &getSignature() const { return signature; }
  mlir::MLIRContext *getContext() { return &context; }
  /// The weights that are read; empty: none, or those of an ONNX file.
  const std::string &getParamsPath() const { return paramsPath; }

  /// The line of the model's text that a place names; empty: there is none.
  std::string getLine(llvm::StringRef place) const;

private:
  mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
  convert(const std::vector<artifact::TensorData> &inputs);
  mlir::LogicalResult readSignature();

  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler;
  ModelFile file;
  std::string paramsPath;
  mlir::func::FuncOp function;
  interpret::Options options;
  Signature signature;
  llvm::SmallVector<llvm::StringRef> lines;
};

} // namespace tenon::compare

#endif // TENON_TOOLS_TENON_COMPARE_MODELSIDE_H
