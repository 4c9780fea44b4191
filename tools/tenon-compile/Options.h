//===- Options.h - the command line of tenon-compile ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_COMPILE_OPTIONS_H
#define TENON_TOOLS_TENON_COMPILE_OPTIONS_H

#include "tenon/Driver/Compile.h"

#include <optional>
#include <string>
#include <vector>

/// The parsed command line.
struct CommandLine {
  tenon::CompileOptions compile;
  /// MLIR's own options.
  std::vector<std::string> mlir;
};

/// Reads the arguments. Returns the exit status if nothing is left to do.
std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line);

/// What is wrong with the names of devices and backends; empty: nothing.
/// Plug-ins must be loaded.
std::string checkCommandLine(const CommandLine &line,
                             mlir::MLIRContext &context);

#endif // TENON_TOOLS_TENON_COMPILE_OPTIONS_H
