//===- CommandLine.h - the command line of tenon-interpret --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_INTERPRET_COMMANDLINE_H
#define TENON_TOOLS_TENON_INTERPRET_COMMANDLINE_H

#include "tenon/Artifact/Compare.h"
#include "tenon/Artifact/InputSpec.h"
#include "tenon/Interpret/Interpreter.h"
#include "tenon/Support/Numerics.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

struct CommandLine {
  std::string model;
  /// The public function to run; empty: @main or the only one.
  std::string entry;
  std::vector<tenon::artifact::InputSpec> inputs, expects;
  /// Output (empty: the next one in order) and file.
  std::vector<std::pair<std::string, std::string>> outputs;
  /// Input and file.
  std::vector<std::pair<std::string, std::string>> binds;
  /// Dimensions that are fixed to a size.
  std::map<std::string, int64_t> sizes;
  tenon::artifact::Tolerance tolerance;
  tenon::interpret::Domain domain;
  std::string paramsPath;
  /// Files of states, before and after the run; empty: none.
  std::string statePath, saveStatePath;
  std::optional<uint64_t> paramsSeed;
  bool naive = false;
  /// If set, run generated kernels for GPUs in the emulator, by these numerics.
  std::optional<tenon::Numerics> emulate;
  /// By the numerics of the module.
  bool emulatesAsPlaced = false;
  unsigned threads = 0;
};

/// A status to exit with, or nullopt to go on.
std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line);

#endif // TENON_TOOLS_TENON_INTERPRET_COMMANDLINE_H
