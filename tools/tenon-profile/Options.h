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

/// The parsed command line.
struct CommandLine {
  enum class Mode { Measure, Merge, PrintCosts, Bundle, Calibrate };
  Mode mode = Mode::Measure;
  /// Models, or with --merge files of costs.
  std::vector<std::string> inputs;
  std::string output;
  /// The folder that --emit-bundle makes.
  std::string bundle;
  /// The options of every compilation: input and output are set per model.
  tenon::CompileOptions compile;
  /// Plug-ins to load.
  std::vector<std::string> backends;
  unsigned threads = 1;
  unsigned repeat = 20;
  /// The largest number of plans under which a model is measured; 1: only as it
  /// would be placed.
  unsigned plans = 24;
  /// After which a kernel of a plug-in counts as one that hangs.
  unsigned limitSeconds = 30;
  bool resume = false;
  /// The profile that predictions come from (empty: that of the target), and
  /// measured costs to print.
  std::string profile;
  std::string costs;
  bool help = false, version = false;
  /// What costs are of, once it is checked.
  llvm::SmallVector<tenon::kernel::DeviceTarget> devices;
};

/// Reads the arguments; on wrong usage says so on standard error and returns
/// none.
std::optional<CommandLine> parseCommandLine(int argc, char **argv);

/// What is wrong with the names of devices and backends; empty: nothing.
/// Plug-ins must be loaded.
std::string checkCommandLine(CommandLine &line, mlir::MLIRContext &context);

void printHelp();

#endif // TENON_TOOLS_TENON_PROFILE_OPTIONS_H
