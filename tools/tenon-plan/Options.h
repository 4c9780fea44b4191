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

struct CommandLine {
  std::string input, output, cluster, trace, json, report, measured;
  unsigned devices = 0;
  int64_t miniBatch = 0;
  PlannerKind planner = PlannerKind::Graph;
  bool forwardOnly = false, perMicroBatchNorm = false, sameMicroBatch = false;
  bool neverRecompute = false, neverEager = false, force = false;
  /// Bytes of gradients and states for each byte of parameters.
  double stateFactor = 3;
  int64_t microBatch = 0, mostK = 4;
  unsigned operators = 128;
  std::optional<int64_t> budget;
  std::vector<std::string> binds;
};

/// The name of a planner on the command line.
const char *getName(PlannerKind planner);

/// Parses; returns the exit status if there is nothing left to do.
std::optional<int> parse(int argc, char **argv, CommandLine &line);

#endif // TENON_TOOLS_TENON_PLAN_OPTIONS_H
