//===- tenon-run.cpp - runs a compiled model ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "PlanMemory.h"
#include "Session.h"
#include "TrainRun.h"

#include "tenon/Artifact/OutputFile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>
#include <unistd.h>

using namespace tenon;
using namespace tenon::artifact;
using namespace tenon::run;

/// Checks that no output replaces an input.
static Status checkFiles(const CommandLine &line) {
  std::vector<PlannedOutput> outputs;
  for (const InputSpec &output : line.outputs)
    outputs.push_back({"--output", output.path});
  if (!line.json.empty())
    outputs.push_back({"--json", line.json});
  if (!line.trace.empty())
    outputs.push_back({"--trace", line.trace});
  if (!line.saveState.empty())
    outputs.push_back({"--save-state", line.saveState});
  if (!line.training.metrics.empty())
    outputs.push_back({"--metrics", line.training.metrics});
  if (!line.training.curves.empty())
    outputs.push_back({"--curves", line.training.curves});
  std::vector<std::string> inputs = {line.artifact};
  // States may be saved where they come from: the file is read as a whole
  // before it is replaced.
  if (line.state != line.saveState)
    inputs.push_back(line.state);
  for (const std::vector<InputSpec> *specs : {&line.inputs, &line.expected})
    for (const InputSpec &spec : *specs)
      inputs.push_back(spec.path);
  inputs.push_back(line.paramsPath);
  // The weights beside the model, by their usual name.
  size_t dot = line.artifact.rfind('.');
  inputs.push_back(line.artifact.substr(0, dot) + ".safetensors");
  inputs.push_back(line.artifact.substr(0, dot) + ".h");
  return checkOutputs(outputs, inputs, /*force=*/false);
}

/// Where artifacts find the plug-ins that Tenon comes with:
/// `../lib/tenon/backends` beside the `bin` of this program.
static void tellBackendsFolder() {
  char program[4096];
  ssize_t length = ::readlink("/proc/self/exe", program, sizeof program);
  if (length <= 0 || length == sizeof program)
    return;
  std::string folder(program, static_cast<size_t>(length));
  for (int part = 0; part < 2; ++part) {
    size_t slash = folder.rfind('/');
    folder.resize(slash == std::string::npos ? 0 : slash);
  }
  ::setenv("TENON_BACKEND_INSTALL", (folder + "/lib/tenon/backends").c_str(),
           /*overwrite=*/0);
}

/// Of several processes that do the same, the first one reports and writes.
/// Which one this is, Open MPI says before it is started.
static void becomeQuiet(CommandLine &line) {
  const char *rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (!isOneOfProcesses(line) || !rank || std::string_view(rank) == "0")
    return;
  if (!std::freopen("/dev/null", "w", stdout))
    return;
  line.json.clear();
  line.outputs.clear();
  line.training.metrics.clear();
  line.training.curves.clear();
  // Its own part of the trace must still be recorded.
  if (!line.trace.empty())
    line.trace = "/dev/null";
}

int main(int argc, char **argv) {
  prepareStreams();
  prepareSignals("tenon-run");
  int status;
  std::optional<CommandLine> line = parseCommandLine(argc, argv, status);
  if (!line)
    return status;
  if (Status checked = checkFiles(*line); !checked) {
    std::fprintf(stderr, "tenon-run: error: %s\n", checked.error().c_str());
    return 1;
  }
  becomeQuiet(*line);
  tellBackendsFolder();
  // The runtime's decision, for the report.
  const char *text = std::getenv("OMP_NUM_THREADS");
  char *end = nullptr;
  long wanted = text ? std::strtol(text, &end, 10) : 0;
  // A list has a number for each level of nesting.
  if (end && *end != '\0' && *end != ',')
    wanted = 0;
  if (line->threads == 0 && wanted > mostThreads) {
    std::fprintf(stderr,
                 "tenon-run: error: OMP_NUM_THREADS: expected a number from "
                 "1 to %d, but got '%s'\n",
                 mostThreads, text);
    return 2;
  }
  line->defaultThreads =
      wanted > 0
          ? static_cast<int32_t>(wanted)
          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  // libgomp's threads spin for milliseconds by default: on a machine that has
  // other work, ResNet-50 on two threads takes 5 to 10 times as long as with
  // 3000 turns (some 50 microseconds), which still covers the gaps between two
  // steps. Read by libgomp when the artifact brings it in.
  if (!std::getenv("OMP_WAIT_POLICY"))
    ::setenv("GOMP_SPINCOUNT", "3000", /*overwrite=*/0);
  try {
    if (line->planMemory) {
      Status planned = printMemory(*line);
      if (!planned)
        std::fprintf(stderr, "tenon-run: error: %s\n", planned.error().c_str());
      return planned ? 0 : 1;
    }
    if (line->training.isOn)
      return runTraining(*line);
    Session session(*line);
    if (Status done = session.run(); !done) {
      std::fprintf(stderr, "tenon-run: error: %s\n", done.error().c_str());
      return 1;
    }
    return session.agrees() ? 0 : 1;
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "tenon-run: error: out of memory\n");
    return 1;
  }
}
