//===- Options.cpp - the command line of tenon-plan -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "tenon/Artifact/OptionTable.h"
#include "tenon/Parallelize/Plan.h"

#include "llvm/ADT/StringRef.h"

using namespace tenon;

#define GEN_PLAN_DEF
#include "tenon-plan/Options.inc"

const char *getName(PlannerKind planner) {
  switch (planner) {
  case PlannerKind::Graph:
    return "graph";
  case PlannerKind::Sequential:
    return "sequential";
  case PlannerKind::PipeDream:
    return "pipedream";
  case PlannerKind::Piper:
    return "piper";
  }
  return "";
}

/// Checks that involve more than one option. Returns what is wrong, or an empty
/// text.
static std::string check(const CommandLine &line,
                         const artifact::OptionTable &table) {
  if (line.check) {
    for (const std::string &name : table.getGiven())
      if (name != "--check")
        return "--check: " + name + " has no meaning beside it";
    return "";
  }
  if (llvm::StringRef(line.output).ends_with(".json"))
    return "-o: a plan is a module; expected NAME.mlir, but got '" +
           line.output + "' (--json writes a table of it)";
  for (const char *name : {"--devices", "--mini-batch"})
    if (!table.getGiven().count(name))
      return "expected " + std::string(name);
  if (line.microBatch > line.miniBatch)
    return "--micro-batch: expected at most the mini-batch";
  if (line.microBatch &&
      (line.miniBatch - 1) / line.microBatch >= parallelize::kMostMicroBatches)
    return "--micro-batch: the mini-batch has " +
           std::to_string((line.miniBatch - 1) / line.microBatch + 1) +
           " of them; expected " +
           std::to_string(parallelize::kMostMicroBatches) + " at most";
  return "";
}

std::optional<int> parse(int argc, char **argv, CommandLine &line) {
  artifact::OptionTable table;
  if (std::optional<int> status = parseOptions(argc, argv, line, table))
    return status;
  std::string wrong = check(line, table);
  return wrong.empty() ? std::nullopt
                       : std::optional<int>(
                             artifact::rejectUsage(kCommandLineTool, wrong));
}
