//===- Compile.h - from a model's file to an artifact --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_COMPILE_H
#define TENON_DRIVER_COMPILE_H

#include "tenon/Dialect/Kernel/IR/Targets.h"
#include "tenon/Differentiate/Passes.h"
#include "tenon/Optimize/Passes.h"
#include "tenon/Place/Passes.h"

#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class MLIRContext;
class PassManager;
} // namespace mlir

namespace tenon {

/// The phases of a compilation, in their order.
enum class CompilePhase { Import, Optimize, Place, Lower, Emit };

/// What a compilation writes.
enum class EmitKind { SharedLibrary, Object, Mlir, Onnx };

#define GEN_COMPILE_DECL
#include "tenon/Driver/CompileOptions.h.inc"

/// The options of tenon-compile, as CompileOptions.td has them, and more.
struct CompileOptions : CompileArguments {
  /// The names of the options that the user gave, with their dashes. If a model
  /// is past the phase of such an option, it is refused. Options that are set
  /// but not named here are then without effect.
  std::set<std::string, std::less<>> given;
  /// The profile of this machine's CPU, a file; empty: none. It takes the place
  /// of "cpu" if neither a profile nor costs of a CPU are named.
  std::string calibration;
  /// Omit remarks about patterns that are not used, and about kernels that were
  /// not measured, because the caller knows them.
  bool quietPlace = false;
  /// Called with the pass manager of each unit; null: nothing.
  std::function<mlir::LogicalResult(mlir::PassManager &)> configurePasses;
  /// Say on standard error what goes on, if that is a terminal and takes long.
  bool progress = false;
  /// Written into the manifest, e.g. "tenon-compile 0.1.0".
  std::string toolVersion;
};

/// Runs the pipeline. Failures are reported as diagnostics, and leave no output
/// behind. `context` must hold all dialects (registerAllDialects).
mlir::LogicalResult compile(const CompileOptions &options,
                            mlir::MLIRContext &context);

} // namespace tenon

#endif // TENON_DRIVER_COMPILE_H
