//===- CostsFile.cpp - measured costs, as a file --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostsFile.h"

#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/OutputFile.h"

#include <algorithm>
#include <cstdio>

using namespace tenon::artifact;

namespace tenon::bundle {

void addTimes(const Artifact &artifact, const CallTimes &times, Costs &costs) {
  for (size_t i = 0; i < artifact.calls.size(); ++i) {
    const Call &call = artifact.calls[i];
    Samples &samples = costs[call.kernel];
    samples.seconds.insert(samples.seconds.end(), times[i].begin(),
                           times[i].end());
    samples.roofline = call.roofline;
  }
}

Distribution summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  auto at = [&](double fraction) {
    return samples[static_cast<size_t>(
        fraction * static_cast<double>(samples.size() - 1) + 0.5)];
  };
  return {at(0.1), at(0.5), at(0.9)};
}

static std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// One entry a line, in the order of keys, as the database writes itself.
Status writeCosts(const std::string &path, const Costs &costs,
                  const GpuFacts &gpu, const std::string &version) {
  std::map<std::string, std::string> versions = gpu.versions;
  // Generated code changes with the compiler.
  versions["tenon"] = version;
  std::string text =
      concat("{\"schema_version\": 1,\n\"device\": {\"processor\": ",
             quoteJson(gpu.processor), ", \"target\": ", quoteJson(gpu.target),
             ", \"threads\": 1, \"versions\": {");
  const char *separator = "";
  for (const auto &[library, number] : versions) {
    text += concat(separator, quoteJson(library), ": ", quoteJson(number));
    separator = ", ";
  }
  text += "}},\n\"entries\": [";
  separator = "\n";
  for (const auto &[kernel, samples] : costs) {
    Distribution times = summarize(samples.seconds);
    text += concat(separator, "{\"kernel\": ", quoteJson(kernel),
                   ", \"median\": ", number(times.median),
                   ", \"low\": ", number(times.low),
                   ", \"high\": ", number(times.high),
                   ", \"runs\": ", samples.seconds.size());
    if (samples.roofline > 0)
      text += ", \"roofline\": " + number(samples.roofline);
    text += "}";
    separator = ",\n";
  }
  // Whole runs under tenon-run copy inputs and outputs between host and device:
  // so they would not show how kernel times add up.
  text += "\n],\n\"plans\": [\n],\n\"admissions\": [\n]}\n";
  return writeFile(path, text.data(), text.size());
}

} // namespace tenon::bundle
