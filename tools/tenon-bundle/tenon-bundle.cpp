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

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Artifact/TemporaryFolder.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <unistd.h>

using namespace tenon::artifact;
using namespace tenon::bundle;

namespace {
#define GEN_BUNDLE_DECL
#include "tenon-bundle/Options.inc"
} // namespace

#define GEN_BUNDLE_DEF
#include "tenon-bundle/Options.inc"

static int report(const std::string &message) {
  std::fprintf(stderr, "tenon-bundle: error: %s\n", message.c_str());
  return 1;
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
  CommandLine line;
  OptionTable table;
  std::optional<int> status = parseOptions(argc, argv, line, table);
  return status ? *status : measureAll(line);
}
