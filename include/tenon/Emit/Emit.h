//===- Emit.h - object files and shared libraries ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMIT_EMIT_H
#define TENON_EMIT_EMIT_H

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Emit/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <string>
#include <vector>

namespace tenon::emit {

enum class EmitPhase { Translate, Codegen, Link, Weights };

/// A file beside an artifact, which the manifest names.
struct CertificateFile {
  std::string name; // without folder; empty: there is no such file
  std::string digest;
  std::string plan; // what ranks run, as JSON; empty: it is not known
};

struct EmitOptions {
  /// Written into the manifest, for example "tenon-compile 0.1.0".
  std::string toolVersion;
  /// The safetensors file that holds the program's parameters. If it is empty,
  /// no file is written, and an artifact with parameters needs them from
  /// elsewhere.
  std::string paramsSource;
  /// Whether that file exists only for this emission, so that it may be moved
  /// to the artifact instead of being copied.
  bool ownsParamsSource = false;
  /// Complete files to put in place together with the artifact.
  std::vector<artifact::FinishedFile> finishedFiles;
  CertificateFile certificate;
  /// Prefix of the names of the artifact's functions, which must be a C name:
  /// with `tenon`, `tenon_run`; with `mine`, `mine_run`.
  std::string symbolPrefix = "tenon";
  /// The static library of the runtime; empty: searched for beside this
  /// program.
  std::string runtimeLibrary;
  /// Number of threads that optimize and generate code.
  unsigned threads = 2;
  /// If set, called with the linked library before it is put in place, which a
  /// failure prevents.
  std::function<mlir::LogicalResult(const std::string &library)> checkLibrary;
  /// If set, called when a phase begins.
  std::function<void(EmitPhase)> onPhase;
};

/// What was emitted, and how long it took.
struct EmitStatistics {
  int64_t arenaBytes = 0; // of the first program; -1: depends on inputs' sizes
  int64_t constantBytes = 0; // as above
  size_t objectBytes = 0;
  double translateSeconds = 0, codegenSeconds = 0, linkSeconds = 0,
         weightsSeconds = 0;
};

/// Writes `output` (any name; usually ends in .so), and beside it a file of the
/// same name with .h, and one with .safetensors if the programs have parameters
/// and `options.paramsSource` holds them. All three depend only on the programs
/// and their targets. On failure, emits a diagnostic and leaves no files
/// behind; existing files of these names are not changed.
///
/// `module` has the artifact's name, its `kernel.target`, and one or more
/// program.target ops: the same model for several devices, the default first.
/// They must have the same entries and states, and parameters of the same name
/// must have the same type. At most one is for the CPU. For a GPU, `images` are
/// used and kernels are ignored.
mlir::LogicalResult emitSharedLibrary(mlir::ModuleOp module,
                                      const EmitOptions &options,
                                      llvm::StringRef output,
                                      EmitStatistics *statistics = nullptr);

/// Like the above, but writes one object file (without the runtime) instead of
/// the shared library.
mlir::LogicalResult emitObjectFile(mlir::ModuleOp module,
                                   const EmitOptions &options,
                                   llvm::StringRef output,
                                   EmitStatistics *statistics = nullptr);

} // namespace tenon::emit

#endif // TENON_EMIT_EMIT_H
