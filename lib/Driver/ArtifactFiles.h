//===- ArtifactFiles.h - from programs to an artifact's files -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_ARTIFACTFILES_H
#define TENON_LIB_DRIVER_ARTIFACTFILES_H

#include "PhaseTimes.h"
#include "tenon/Artifact/OutputFile.h"
#include "tenon/Driver/Certificate.h"
#include "tenon/Driver/CompileModule.h"
#include "tenon/Emit/Emit.h"

namespace tenon {

/// The files around one artifact.
struct ArtifactFiles {
  std::string output;
  /// The safetensors file with the weights; empty: none.
  std::string params;
  /// Whether that file may become the artifact's own.
  bool ownsParams = false;
  /// Complete files that appear together with the artifact.
  std::vector<artifact::FinishedFile> finished;
  /// For pipelines: the file with the proved programs, and the memory of a
  /// device.
  emit::CertificateFile certificate;
  RankMemoryLimit limit;
};

/// Emits a compiled module.
mlir::LogicalResult emitArtifact(const CompiledModule &compiled,
                                 const CompileOptions &options,
                                 const ArtifactFiles &files, PhaseTimes &times);

} // namespace tenon

#endif // TENON_LIB_DRIVER_ARTIFACTFILES_H
