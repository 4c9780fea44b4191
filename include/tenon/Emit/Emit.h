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

struct EmitOptions {
  /// Of all host code: a CPU program's kernels, and the functions for sizes.
  Target target;
  /// Per program, the target as the user wrote it ("cuda:sm_80"), for the
  /// manifest. Where an entry is missing: the name of `target`, or for a GPU
  /// program "cuda:" and the architectures of its images.
  llvm::SmallVector<std::string> targetNames;
  FpMode fp = FpMode::Reassociate;
  /// What f32 tensors are computed and stored in, for the manifest.
  std::string precision = "f32";
  /// Written into the manifest, e.g. "tenon-compile 0.1.0".
  std::string toolVersion;
  /// The safetensors file that holds the program's parameters; empty: none, so
  /// that the artifact needs parameters from elsewhere when it has some.
  std::string paramsSource;
  /// Whether that file is there for this emission alone, so that it may become
  /// the artifact's own instead of being copied.
  bool ownsParamsSource = false;
  /// Complete files that appear together with the artifact.
  std::vector<artifact::FinishedFile> finishedFiles;
  /// What the names of the artifact's functions begin with: `tenon_run`, or
  /// with the prefix `mine` `mine_run`. A name in C.
  std::string symbolPrefix = "tenon";
  /// The static library with the runtime; empty: looked up beside this program.
  std::string runtimeLibrary;
  /// Threads that optimize and generate code.
  unsigned threads = 2;
  /// Told when a phase begins, if set.
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

/// Writes `output` (any name; usually ends in .so), and beside it the same name
/// with .h, and with .safetensors when the programs have parameters and
/// `options.paramsSource` holds them. All three depend only on the programs and
/// their targets. On failure, emits a diagnostic and leaves nothing behind;
/// files of these names that existed before are untouched.
///
/// `module` has the artifact's name, and one program.target or more: one model
/// for several devices, the default first, with the same entries and states,
/// and parameters of one type where they have one name. At most one is for the
/// CPU. Of a GPU's, `images` are taken and kernels are not looked at.
mlir::LogicalResult emitSharedLibrary(mlir::ModuleOp module,
                                      const EmitOptions &options,
                                      llvm::StringRef output,
                                      EmitStatistics *statistics = nullptr);

/// As above, with one object file (without the runtime) in place of the shared
/// library.
mlir::LogicalResult emitObjectFile(mlir::ModuleOp module,
                                   const EmitOptions &options,
                                   llvm::StringRef output,
                                   EmitStatistics *statistics = nullptr);

} // namespace tenon::emit

#endif // TENON_EMIT_EMIT_H
