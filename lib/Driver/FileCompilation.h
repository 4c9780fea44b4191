//===- FileCompilation.h - files in, files out ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_FILECOMPILATION_H
#define TENON_LIB_DRIVER_FILECOMPILATION_H

#include "ArtifactFiles.h"
#include "CompileSession.h"
#include "ModelInput.h"
#include "PendingOutputs.h"
#include "tenon/Dialect/Pipe/IR/Pipe.h"
#include "tenon/Driver/CompileModule.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace tenon {

/// One compilation from a model's file to the files of its result.
class FileCompilation {
public:
  FileCompilation(const CompileOptions &options, mlir::MLIRContext &context,
                  CompileSession &session)
      : options(options), context(context), session(session) {}

  mlir::LogicalResult run();

private:
  bool toStandardOutput() const {
    return options.output.empty() || options.output == "-";
  }
  bool writesMlir() const {
    return options.stopAfter < CompilePhase::Emit ||
           options.emit == EmitKind::Mlir;
  }
  mlir::InFlightDiagnostic error() {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  }
  mlir::LogicalResult import();
  mlir::LogicalResult prepareRanks(pipe::ProgramOp program);
  mlir::LogicalResult prepareMesh(mlir::func::FuncOp first);
  mlir::LogicalResult addCertificate(pipe::ProgramOp program);
  mlir::FailureOr<CompiledModule> compile();
  mlir::LogicalResult exportModule(mlir::ModuleOp module);
  mlir::LogicalResult emitArtifact(const CompiledModule &compiled);
  // Files (OutputFiles.cpp).
  mlir::LogicalResult checkFiles();
  mlir::LogicalResult prepareOutputs();
  mlir::LogicalResult writeTexts(const CompiledModule &compiled);
  mlir::LogicalResult writeParams(mlir::ModuleOp module);
  mlir::LogicalResult writeModule(mlir::ModuleOp module);
  mlir::LogicalResult finishModule(mlir::ModuleOp module);
  bool writesWeights() const;
  bool isReachable() const;
  std::string getCertificatePath() const { return besideOutput(".proof.mlir"); }
  std::string getRelativeWeights() const;
  std::string besideOutput(llvm::StringRef extension) const {
    llvm::SmallString<256> name(options.output);
    llvm::sys::path::replace_extension(name, extension);
    return name.str().str();
  }

  const CompileOptions &options;
  mlir::MLIRContext &context;
  CompileSession &session;
  /// Once it is compiled, without its module.
  ModelInput model;
  PendingOutputs outputs;
  /// Weights of an ONNX model on their way to the artifact; empty: none.
  std::string weights;
  /// For pipelines: the file with the proved programs, and the memory of a
  /// device.
  emit::CertificateFile certificate;
  RankMemoryLimit limit;
};

} // namespace tenon

#endif // TENON_LIB_DRIVER_FILECOMPILATION_H
