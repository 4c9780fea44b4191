//===- CommandLine.cpp - what tenon-run is asked to do ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "tenon/Artifact/ABI.h"
#include "tenon/Artifact/RunFlags.h"

#include <string_view>

using namespace tenon::artifact;

namespace tenon::run {

static Status parseShuffle(std::string_view value, TrainingFlags &flags) {
  flags.seed.reset();
  if (value == "off")
    return Status::success();
  return OptionTable::parseNumber<uint64_t>(value, 0, UINT64_MAX,
                                            flags.seed.emplace());
}

static Status parseDevice(std::string_view text, CommandLine &line) {
  constexpr std::string_view numbered = "cuda:";
  line.deviceId = 0;
  line.device = text == "cpu" ? TENON_DEVICE_CPU : TENON_DEVICE_CUDA;
  if (text == "cpu" || text == "cuda")
    return Status::success();
  if (text.substr(0, numbered.size()) == numbered)
    return OptionTable::parseNumber(text.substr(numbered.size()), 0, 1023,
                                    line.deviceId);
  return makeError("expected cpu, cuda or cuda:N, but got '", text, "'");
}

#define GEN_TRAINING_DEF
#include "tenon-run/Options.inc"
#define GEN_RUN_DEF
#include "tenon-run/Options.inc"

static Status checkTraining(const CommandLine &line, const OptionTable &table) {
  const auto &given = table.getGiven();
  const TrainingFlags &training = line.training;
  if (!training.isOn) {
    for (const char *name : kTrainingFlagsFlags)
      if (given.count(name))
        return makeError(name, ": expected --train, too");
    return Status::success();
  }
  if (training.steps == 0)
    return makeError("--train: expected --steps N, too");
  if (line.repeat != 0 || line.donate || !line.entry.empty() ||
      !line.json.empty() || !line.trace.empty() || !line.expected.empty() ||
      !line.outputs.empty())
    return makeError("--repeat, --donate, --entry, --json, --trace, --expect "
                     "and --output are not available with --train");
  if (line.saveState.empty() && (training.saveEvery || training.resume))
    return makeError(training.resume ? "--resume" : "--save-every",
                     ": expected --save-state F, too");
  if (training.resume && !line.state.empty())
    return makeError(
        "--resume: continues from --save-state, but --state names a "
        "file, too");
  if (training.evalData.empty() && training.evalEvery)
    return makeError("--eval-every: expected --eval-data F, too");
  return Status::success();
}

/// Checks that involve more than one option.
static Status check(const CommandLine &line, const OptionTable &table) {
  constexpr std::string_view plan = ".plan.json";
  size_t size = line.artifact.size();
  if (size >= plan.size() &&
      line.artifact.compare(size - plan.size(), plan.size(), plan) == 0)
    return makeError("'", line.artifact,
                     "': plans are compiled to libraries now; expected "
                     "NAME.so, which tenon-compile -o NAME.so makes");
  return checkTraining(line, table);
}

std::optional<CommandLine> parseCommandLine(int argc, char **argv,
                                            int &status) {
  CommandLine line;
  OptionTable table;
  std::optional<int> done = parseOptions(argc, argv, line, table);
  if (!done)
    if (Status checked = check(line, table); !checked)
      done = rejectUsage(kCommandLineTool, checked.error());
  if (!done)
    return line;
  status = *done;
  return std::nullopt;
}

bool isOneOfProcesses(const CommandLine &line) {
  return line.channels == "mpi" ||
         (line.channels == "nccl" && std::getenv("OMPI_COMM_WORLD_SIZE"));
}

} // namespace tenon::run
