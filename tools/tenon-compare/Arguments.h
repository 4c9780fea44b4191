//===- Arguments.h - the command line of tenon-compare -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_COMPARE_ARGUMENTS_H
#define TENON_TOOLS_TENON_COMPARE_ARGUMENTS_H

#include "tenon/Artifact/InputSpec.h"
#include "tenon/Compare/Comparison.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::compare {

#define GEN_COMPARE_DECL
#include "tenon-compare/Options.inc"

/// Whether the file is read as a model, by its ending; else as an artifact.
bool isModelFile(const std::string &path);

/// A status to exit with, or nullopt to go on.
std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments);

} // namespace tenon::compare

#endif // TENON_TOOLS_TENON_COMPARE_ARGUMENTS_H
