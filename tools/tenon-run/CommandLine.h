//===- CommandLine.h - what tenon-run is asked to do --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_RUN_COMMANDLINE_H
#define TENON_TOOLS_TENON_RUN_COMMANDLINE_H

#include "tenon/Artifact/Compare.h"
#include "tenon/Artifact/InputSpec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::run {

/// The limit of tenon_options.threads, too.
constexpr int32_t mostThreads = 4096;

#define GEN_TRAINING_DECL
#include "tenon-run/Options.inc"
#define GEN_RUN_DECL
#include "tenon-run/Options.inc"

/// Whether other processes under mpirun run other ranks.
bool isOneOfProcesses(const CommandLine &line);

/// The command line, or nothing when the program is to exit with `status`: help
/// and version were printed, or the usage is wrong and was explained.
std::optional<CommandLine> parseCommandLine(int argc, char **argv, int &status);

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_COMMANDLINE_H
