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

/// Options of --train.
struct TrainingFlags {
  bool isOn = false;
  /// The first option that was stated and has no effect without --train; empty:
  /// none.
  std::string first;
  std::vector<std::string> data, evalData; // [NAME=]FILE
  /// The step at which training ends, counted from the first one of all runs;
  /// 0: not stated.
  int64_t steps = 0;
  int64_t batch = 0;                    // 0: as the model says
  std::optional<uint64_t> seed = 0;     // of the order; none: as in the files
  int64_t saveEvery = 0, evalEvery = 0; // steps; 0: at the end alone
  bool resume = false;
  std::string metrics, curves; // files to write; empty: none
};

struct CommandLine {
  std::string artifact;
  std::vector<artifact::InputSpec> inputs;
  std::vector<artifact::InputSpec> expected; // files only
  std::vector<artifact::InputSpec> outputs;  // files to write
  artifact::Tolerance tolerance;
  std::string paramsPath; // empty: beside the artifact
  std::optional<uint64_t> paramsSeed;
  int32_t repeat = 1;
  bool donate = false;
  bool deterministic = false;
  int32_t threads = 0; // 0: not stated
  /// As the environment says.
  int32_t defaultThreads = 1;
  /// As tenon_options has them.
  int32_t device = 0, deviceId = 0;
  std::string entry;     // empty: the first
  std::string state;     // a file to restore; empty: none
  std::string saveState; // a file to write; empty: none
  std::string json;
  std::string trace;
  TrainingFlags training;
  /// Of pipelines: "local", "mpi" or "nccl"; empty: not given.
  std::string channels;
  int32_t ranks = 0;     // 0: as it was compiled
  int32_t watchdog = 0;  // seconds; 0: none
  double timedWaits = 0; // 0: tasks compute

  /// Whether other processes under mpirun run other ranks.
  bool isOneOfProcesses() const;
};

/// The command line, or nothing when the program is to exit with `status`: help
/// and version were printed, or the usage is wrong and was explained.
std::optional<CommandLine> parseCommandLine(int argc, char **argv, int &status);

} // namespace tenon::run

#endif // TENON_TOOLS_TENON_RUN_COMMANDLINE_H
