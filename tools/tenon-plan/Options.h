//===- Options.h - the command line of tenon-plan ---------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PLAN_OPTIONS_H
#define TENON_TOOLS_TENON_PLAN_OPTIONS_H

#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

enum class PlannerKind { Graph, Sequential, PipeDream, Piper };

#define GEN_PLAN_DECL
#include "tenon-plan/Options.inc"

/// The name of a planner on the command line.
const char *getName(PlannerKind planner);

/// Parses; returns the exit status if there is nothing left to do.
std::optional<int> parse(int argc, char **argv, CommandLine &line);

#endif // TENON_TOOLS_TENON_PLAN_OPTIONS_H
