//===- MlirOptions.h - MLIR's options on Tenon's command lines ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_MLIROPTIONS_H
#define TENON_DRIVER_MLIROPTIONS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace tenon {

/// Adds `--debug-only` to LLVM's options, which has it itself only if it was
/// built with assertions.
void registerDebugOnly();

/// Turns on what `--debug-only` says. Fails if it was given to a build without
/// assertions.
llvm::Error enableDebugOnly();

/// Takes MLIR's options from the arguments of a tool that has its own: those
/// that begin with `--mlir-`, and `--debug-only`, each with its value behind
/// `=`. `argv` keeps the others.
std::vector<std::string> takeMlirOptions(std::vector<char *> &argv);

/// Reads what takeMlirOptions took: how passes are printed, timed, counted and
/// reproduced, how modules are printed, and whether contexts have threads. Call
/// it once, before a context is made.
llvm::Error parseMlirOptions(const std::vector<std::string> &arguments);

/// Lets a pass manager do what parseMlirOptions has read.
mlir::LogicalResult applyMlirOptions(mlir::PassManager &passes);

} // namespace tenon

#endif // TENON_DRIVER_MLIROPTIONS_H
