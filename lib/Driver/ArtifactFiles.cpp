//===- ArtifactFiles.cpp - from programs to an artifact's files -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArtifactFiles.h"
#include "ModelInput.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;

LogicalResult tenon::emitArtifact(const CompiledModule &compiled,
                                  const CompileOptions &options,
                                  const ArtifactFiles &files,
                                  PhaseTimes &times) {
  emit::EmitOptions emitOptions;
  emitOptions.symbolPrefix = options.symbolPrefix;
  emitOptions.toolVersion = options.toolVersion;
  emitOptions.paramsSource = files.params;
  emitOptions.ownsParamsSource = files.ownsParams;
  emitOptions.threads = options.threads;
  emitOptions.finishedFiles = files.finished;
  emitOptions.certificate = files.certificate;
  if (!files.certificate.name.empty() || !files.limit.bytes.empty())
    emitOptions.checkLibrary = [&](const std::string &library) {
      return checkMemory(library, files.limit, compiled.module.get().getLoc());
    };
  emitOptions.onPhase = [&](emit::EmitPhase phase) {
    switch (phase) {
    case emit::EmitPhase::Translate:
      return times.enter(Phase::Translate);
    case emit::EmitPhase::Codegen:
      return times.enter(Phase::Codegen);
    case emit::EmitPhase::Link:
      return times.enter(Phase::Link);
    case emit::EmitPhase::Weights:
      return times.enter(Phase::Weights);
    }
  };
  emit::EmitStatistics statistics;
  ModuleOp module = compiled.module.get();
  LogicalResult result =
      options.emit == EmitKind::Object
          ? emit::emitObjectFile(module, emitOptions, files.output, &statistics)
          : emit::emitSharedLibrary(module, emitOptions, files.output,
                                    &statistics);
  times.add(Phase::Translate, statistics.translateSeconds);
  times.add(Phase::Codegen, statistics.codegenSeconds);
  times.add(Phase::Link, statistics.linkSeconds);
  times.add(Phase::Weights, statistics.weightsSeconds);
  return result;
}

LogicalResult tenon::emitModule(const CompiledModule &compiled,
                                const CompileOptions &options,
                                const std::string &paramsPath,
                                const std::string &output) {
  ArtifactFiles files;
  files.output = output;
  files.params = paramsPath;
  PhaseTimes times(nullptr);
  return emitArtifact(compiled, options, files, times);
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::readModule(const CompileOptions &options, const std::string &paramsPath,
                  std::string &paramsFound, MLIRContext &context) {
  ModelInputOptions input;
  input.path = options.input;
  input.binds = options.binds;
  input.verifyEach = options.verifyEach;
  input.weights = options.weights;
  input.trains = options.trains;
  input.paramsPath = paramsPath;
  input.paramsName = llvm::sys::path::filename(paramsPath).str();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  FailureOr<ModelInput> read = readModel(input, sources, context);
  if (failed(read))
    return failure();
  paramsFound = std::move(read->paramsPath);
  return std::move(read->module);
}
