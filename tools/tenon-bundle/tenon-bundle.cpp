//===- tenon-bundle.cpp - measures the artifacts of a bundle --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tenon-profile --emit-bundle puts a copy of this program into the bundle, as
// "run". It needs only the files of the bundle, the driver of the GPU, and the
// libraries that artifacts call.
//
//===----------------------------------------------------------------------===//

#include "CostsFile.h"
#include "RunArtifact.h"

#include "tenon/Artifact/TemporaryFolder.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <unistd.h>

using namespace tenon::artifact;
using namespace tenon::bundle;

static constexpr const char *helpText =
    R"(Measures on a GPU what a bundle of tenon-profile --emit-bundle holds.

usage: BUNDLE/run [options]

Runs every artifact of the bundle under tenon-run --trace, and writes the costs
of their kernels, as tenon-compile --costs reads them.

  -o FILE              the costs (default: COSTS.json)
  --repeat N           measured runs of each artifact (default 20); three more
                       before them are not counted
  --device N           the number of the CUDA device (default 0)
  --limit SECONDS      after which an artifact hangs (default 600)
  --keep-going         measure the others where an artifact fails, and write
                       what there is
  --version, --help

exit status: 0 success, 1 an artifact can't be measured, 2 wrong usage
)";

namespace {
struct CommandLine {
  std::string output = "COSTS.json";
  int repeat = 20, device = 0, limitSeconds = 600;
  bool keepGoing = false;
};
} // namespace

static int report(const std::string &message) {
  std::fprintf(stderr, "tenon-bundle: error: %s\n", message.c_str());
  return 1;
}

static bool wrongUsage(const std::string &message) {
  report(message + "\nsee tenon-bundle --help");
  return false;
}

static bool parseNumber(const std::string &name, const std::string &text,
                        int low, int high, int &out) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  return (error == std::errc() && end == text.data() + text.size() &&
          out >= low && out <= high) ||
         wrongUsage(concat(name, ": expected a number from ", low, " to ", high,
                           ", but got '", text, "'"));
}

static bool parseOption(const std::string &name, const std::string &value,
                        CommandLine &line) {
  if (name == "--repeat")
    return parseNumber(name, value, 1, 1000000, line.repeat);
  if (name == "--device")
    return parseNumber(name, value, 0, 1023, line.device);
  if (name == "--limit")
    return parseNumber(name, value, 1, 86400, line.limitSeconds);
  line.output = value;
  return !value.empty() || wrongUsage("-o: expected the name of a file");
}

/// None after --help, --version and wrong usage, with the exit status.
static std::optional<CommandLine> parseCommandLine(int argc, char **argv,
                                                   int &status) {
  CommandLine line;
  status = 2;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--help" || argument == "-h" || argument == "--version") {
      if (argument == "--version")
        std::printf("tenon-bundle %s\n", TENON_VERSION);
      else
        std::fputs(helpText, stdout);
      status = 0;
      return std::nullopt;
    }
    if (argument == "--keep-going") {
      line.keepGoing = true;
      continue;
    }
    size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals), value;
    if (name != "-o" && name != "--repeat" && name != "--device" &&
        name != "--limit") {
      wrongUsage(concat("unknown option '", argument, "'"));
      return std::nullopt;
    }
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (++i < argc) {
      value = argv[i];
    } else {
      wrongUsage(name + ": expected a value");
      return std::nullopt;
    }
    if (!parseOption(name, value, line))
      return std::nullopt;
  }
  return line;
}

/// The folder of this program, independent of the caller's current folder.
static std::string getFolder() {
  char program[4096];
  ssize_t length = ::readlink("/proc/self/exe", program, sizeof program);
  if (length <= 0 || length == sizeof program)
    return ".";
  std::string path(program, static_cast<size_t>(length));
  return path.substr(0, path.rfind('/'));
}

/// One line per model and plan: the number of kernels, and their total time.
static void tell(const Artifact &artifact, const CallTimes &times) {
  double sum = 0;
  for (const std::vector<double> &runs : times)
    sum += summarize(runs).median;
  std::printf("%s: '%s', %s: %zu kernels, %.1f us\n", artifact.file.c_str(),
              artifact.model.c_str(), artifact.plan.c_str(), times.size(),
              sum * 1e6);
  std::fflush(stdout);
}

static int measureAll(const CommandLine &line) {
  RunOptions options;
  options.folder = getFolder();
  options.repeat = line.repeat;
  options.device = line.device;
  options.limitSeconds = line.limitSeconds;
  Expected<Bundle> bundle = readBundle(options.folder + "/bundle.json");
  if (!bundle)
    return report(bundle.error());
  Expected<TemporaryFolder> temporary = TemporaryFolder::createForScratch();
  if (!temporary)
    return report("can't create a temporary folder: " + temporary.error());
  options.temporary = temporary->getPath();
  Costs costs;
  size_t failures = 0;
  for (const Artifact &artifact : bundle->artifacts) {
    Expected<CallTimes> times = measure(artifact, options);
    if (times) {
      tell(artifact, *times);
      addTimes(artifact, *times, costs);
      continue;
    }
    ++failures;
    report(concat("'", artifact.file, "' (model '", artifact.model, "', plan ",
                  artifact.plan, ") can't be measured: ", times.error()));
    if (!line.keepGoing)
      return 1;
  }
  if (failures == bundle->artifacts.size())
    return report("nothing was measured: no costs are written");
  GpuFacts gpu = getGpuFacts(line.device, bundle->targets);
  if (Status status = writeCosts(line.output, costs, gpu, bundle->version);
      !status)
    return report(status.error());
  std::printf("%s: %zu kernels, on %s (%s)\n", line.output.c_str(),
              costs.size(), gpu.processor.c_str(), gpu.target.c_str());
  std::fflush(stdout);
  if (failures)
    return report(concat(failures, " of ", bundle->artifacts.size(),
                         " artifacts can't be measured"));
  return 0;
}

int main(int argc, char **argv) {
  tenon::artifact::prepareStreams();
  tenon::artifact::prepareSignals("tenon-bundle");
  int status;
  std::optional<CommandLine> line = parseCommandLine(argc, argv, status);
  return line ? measureAll(*line) : status;
}
