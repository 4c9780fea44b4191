//===- Options.h - the command line of tenon-profile ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_OPTIONS_H
#define TENON_TOOLS_TENON_PROFILE_OPTIONS_H

#include "tenon/Driver/Compile.h"

#include <optional>
#include <string>
#include <vector>

#define GEN_PROFILE_DECL
#include "tenon-profile/Options.inc"

/// The parsed command line.
struct CommandLine : ProfileArguments {
  /// What costs are of, once it is checked.
  llvm::SmallVector<tenon::kernel::DeviceTarget> devices;
};

/// Reads the arguments. Returns the exit status if nothing is left to do.
std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line);

/// What is wrong with the names of devices and backends; empty: nothing.
/// Plug-ins must be loaded.
std::string checkCommandLine(CommandLine &line, mlir::MLIRContext &context);

#endif // TENON_TOOLS_TENON_PROFILE_OPTIONS_H
