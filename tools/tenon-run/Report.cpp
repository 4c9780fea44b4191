//===- Report.cpp - what tenon-run tells of a run -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "tenon/Artifact/Json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace tenon::artifact;

namespace tenon::run {

Statistics summarize(const TensorData &tensor) {
  Statistics result;
  double sum = 0;
  for (int64_t i = 0, count = tensor.numElements(); i < count; ++i) {
    double value = tensor.get(i);
    if (std::isnan(value)) {
      ++result.nans;
    } else if (std::isinf(value)) {
      ++result.infinities;
    } else {
      result.min = result.finite ? std::min(result.min, value) : value;
      result.max = result.finite ? std::max(result.max, value) : value;
      sum += value;
      ++result.finite;
    }
  }
  if (result.finite)
    result.mean = sum / static_cast<double>(result.finite);
  return result;
}

double Latency::min() const {
  return *std::min_element(runs.begin(), runs.end());
}

double Latency::max() const {
  return *std::max_element(runs.begin(), runs.end());
}

double Latency::mean() const {
  double sum = 0;
  for (double run : runs)
    sum += run;
  return sum / static_cast<double>(runs.size());
}

double Latency::percentile(double fraction) const {
  std::vector<double> sorted = runs;
  std::sort(sorted.begin(), sorted.end());
  double position = fraction * static_cast<double>(sorted.size() - 1);
  size_t below = static_cast<size_t>(position);
  size_t above = std::min(below + 1, sorted.size() - 1);
  double weight = position - static_cast<double>(below);
  return sorted[below] * (1 - weight) + sorted[above] * weight;
}

/// The most memory that this program held, in bytes. The kernel's VmHWM is
/// reset for each program; ru_maxrss would begin with what the parent held.
static uint64_t peakMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0)
      return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  return 0;
}

void Report::print() const {
  std::printf("model '%s' for %s\n", model.c_str(), target.c_str());
  if (!params.empty())
    std::printf("parameters: %s\n", params.c_str());
  for (const TensorReport &input : inputs)
    std::printf("input '%s': %s, %s\n", input.name.c_str(),
                formatType(input.dtype, input.shape).c_str(),
                input.source.c_str());
  for (const TensorReport &output : outputs) {
    std::printf("output '%s': %s", output.name.c_str(),
                formatType(output.dtype, output.shape).c_str());
    const Statistics &values = output.statistics;
    if (values.finite)
      std::printf(", min %.6g, max %.6g, mean %.6g", values.min, values.max,
                  values.mean);
    if (values.nans)
      std::printf(", %lld NaN", static_cast<long long>(values.nans));
    if (values.infinities)
      std::printf(", %lld infinite", static_cast<long long>(values.infinities));
    std::printf("\n");
    if (output.comparison)
      std::printf("  %s '%s': %s\n",
                  output.comparison->agrees() ? "agrees with" : "differs from",
                  output.expectedPath.c_str(),
                  output.comparison->summary().c_str());
  }
  if (!latency.runs.empty())
    std::printf("latency of %zu runs on %d threads: median %.3f ms, min %.3f, "
                "mean %.3f, 90%% %.3f, max %.3f (load %.1f ms, first run "
                "%.3f ms)\n",
                latency.runs.size(), threads, latency.percentile(0.5),
                latency.min(), latency.mean(), latency.percentile(0.9),
                latency.max(), loadMilliseconds, firstMilliseconds);
  if (!otherLatency.runs.empty())
    std::printf("deterministic: %.2f times the median of runs that need not be "
                "(%.3f ms)\n",
                latency.percentile(0.5) / otherLatency.percentile(0.5),
                otherLatency.percentile(0.5));
}

static std::string tensorJson(const TensorReport &tensor, bool isInput) {
  std::string text =
      concat("    {\"name\": ", quoteJson(tensor.name), ", \"dtype\": \"",
             dtypeName(tensor.dtype), "\", \"shape\": [");
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += concat(i ? ", " : "", tensor.shape[i]);
  text += "]";
  if (isInput)
    return text + ", \"source\": " + quoteJson(tensor.source) + "}";
  const Statistics &values = tensor.statistics;
  auto number = [&](double value) {
    return values.finite ? formatJsonNumber(value) : std::string("null");
  };
  text += concat(
      ", \"min\": ", number(values.min), ", \"max\": ", number(values.max),
      ", \"mean\": ", number(values.mean), ", \"nans\": ", values.nans,
      ", \"infinities\": ", values.infinities);
  if (tensor.comparison) {
    const Comparison &comparison = *tensor.comparison;
    text += concat(
        ", \"expected\": {\"file\": ", quoteJson(tensor.expectedPath),
        ", \"agrees\": ", comparison.agrees() ? "true" : "false",
        ", \"max_error\": ", formatJsonNumber(comparison.worstError),
        ", \"bound\": ", formatJsonNumber(comparison.bound),
        ", \"mismatches\": ", comparison.mismatches, ", \"worst_index\": [");
    for (size_t i = 0; i < comparison.worstIndex.size(); ++i)
      text += concat(i ? ", " : "", comparison.worstIndex[i]);
    text += concat(
        "], \"worst_actual\": ", formatJsonNumber(comparison.worstActual),
        ", \"worst_expected\": ", formatJsonNumber(comparison.worstExpected),
        "}");
  }
  return text + "}";
}

static std::string listJson(const std::vector<TensorReport> &tensors,
                            bool areInputs) {
  std::string text = "[";
  for (size_t i = 0; i < tensors.size(); ++i)
    text += (i ? ",\n" : "\n") + tensorJson(tensors[i], areInputs);
  return text + (tensors.empty() ? "]" : "\n  ]");
}

std::string Report::json() const {
  std::string text = concat(
      "{\n  \"schema_version\": 1,\n  \"artifact\": ", quoteJson(artifact),
      ",\n  \"model\": ", quoteJson(model),
      ",\n  \"target\": ", quoteJson(target),
      ",\n  \"parameters\": ", params.empty() ? "null" : quoteJson(params),
      ",\n  \"threads\": ", threads,
      ",\n  \"inputs\": ", listJson(inputs, true),
      ",\n  \"outputs\": ", listJson(outputs, false),
      ",\n  \"agrees\": ", agrees ? "true" : "false",
      ",\n  \"load_ms\": ", loadMilliseconds,
      ",\n  \"first_run_ms\": ", firstMilliseconds);
  if (!latency.runs.empty())
    text += concat(
        ",\n  \"latency_ms\": {\"runs\": ", latency.runs.size(),
        ", \"min\": ", latency.min(), ", \"median\": ", latency.percentile(0.5),
        ", \"mean\": ", latency.mean(), ", \"p90\": ", latency.percentile(0.9),
        ", \"max\": ", latency.max(), "}");
  if (!otherLatency.runs.empty())
    text += concat(",\n  \"other_median_ms\": ", otherLatency.percentile(0.5));
  return text + concat(",\n  \"memory_bytes\": ", memoryBytes,
                       ",\n  \"peak_process_bytes\": ", peakMemory(), "\n}\n");
}

} // namespace tenon::run
