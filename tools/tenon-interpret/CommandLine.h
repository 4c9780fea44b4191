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

#define GEN_INTERPRET_DECL
#include "tenon-interpret/Options.inc"

/// A status to exit with, or nullopt to go on.
std::optional<int> parseCommandLine(int argc, char **argv, CommandLine &line);

#endif // TENON_TOOLS_TENON_INTERPRET_COMMANDLINE_H
