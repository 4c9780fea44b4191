//===- Emit.h - object files and shared libraries ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMIT_EMIT_H
#define TENON_EMIT_EMIT_H

#include "tenon/Emit/Target.h"
#include "tenon/Lower/LoweredProgram.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace tenon::emit {

struct EmitOptions {
  Target target;
  FpMode fp = FpMode::Reassociate;
  /// Written into the manifest, e.g. "tenon-compile 0.1.0".
  std::string toolVersion;
  /// The safetensors file that holds the program's parameters; empty: none, so
  /// that the artifact needs parameters from elsewhere when it has some.
  std::string paramsSource;
  /// Whether that file is there for this emission alone, so that it may become
  /// the artifact's own instead of being copied.
  bool ownsParamsSource = false;
  /// The static library with the runtime; empty: looked up beside this program.
  std::string runtimeLibrary;
  /// Threads that optimize and generate code.
  unsigned threads = 2;
};

/// What was emitted, and how long it took.
struct EmitStatistics {
  int64_t arenaBytes = 0; // -1: depends on the inputs' sizes
  int64_t constantBytes = 0;
  size_t objectBytes = 0;
  double translateSeconds = 0, codegenSeconds = 0, linkSeconds = 0,
         weightsSeconds = 0;
};

/// Writes `output` (any name; usually ends in .so), and beside it the same name
/// with .h, and with .safetensors when the program has parameters and
/// `options.paramsSource` holds them. All three depend only on the program and
/// the target. On failure, emits a diagnostic and leaves nothing behind; files
/// of these names that existed before are untouched.
mlir::LogicalResult emitSharedLibrary(lower::LoweredProgram &program,
                                      const EmitOptions &options,
                                      llvm::StringRef output,
                                      EmitStatistics *statistics = nullptr);

/// As above, with one object file (without the runtime) in place of the shared
/// library. Consumes the program's kernels.
mlir::LogicalResult emitObjectFile(lower::LoweredProgram &program,
                                   const EmitOptions &options,
                                   llvm::StringRef output,
                                   EmitStatistics *statistics = nullptr);

} // namespace tenon::emit

#endif // TENON_EMIT_EMIT_H
