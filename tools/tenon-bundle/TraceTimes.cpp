//===- TraceTimes.cpp - times of kernels, from a trace --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceTimes.h"

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/Json.h"

#include <map>

using namespace tenon::artifact;

namespace tenon::bundle {

namespace {
/// One step of the program: one launch in every run.
struct Step {
  std::string name;
  std::vector<double> seconds;
};
} // namespace

static Status readEvent(const JsonValue &event,
                        std::map<int64_t, Step> &steps) {
  const JsonValue *args = event.find("args");
  const JsonValue *number = args ? args->find("step") : nullptr;
  const JsonValue *name = event.find("name");
  const JsonValue *category = event.find("cat");
  const JsonValue *duration = event.find("dur");
  if (!number || !number->isInteger() || !name || !name->isString() ||
      !category || !category->isString() || !duration ||
      (duration->kind != JsonValue::Kind::Number && !duration->isInteger()))
    return makeError("an event lacks 'step', 'dur', 'cat' or 'name'");
  // This event belongs to no step: it states whether runs are one CUDA graph.
  if (category->string == "copy" || number->integer < 0)
    return Status::success();
  Step &step = steps[number->integer];
  step.name = name->string;
  step.seconds.push_back(duration->number * 1e-6);
  return Status::success();
}

/// Adds up the launches of each call, run by run.
static Expected<CallTimes> addUp(const Artifact &artifact,
                                 const std::map<int64_t, Step> &steps) {
  std::map<std::string, size_t> numbers;
  for (const Call &call : artifact.calls)
    numbers.emplace(call.step, numbers.size());
  CallTimes times(artifact.calls.size());
  for (const auto &[position, step] : steps) {
    auto number = numbers.find(step.name);
    // Steps that are free in the cost model.
    if (number == numbers.end())
      continue;
    std::vector<double> &runs = times[number->second];
    if (runs.empty())
      runs.resize(step.seconds.size());
    // Runs could not be distinguished.
    if (runs.size() != step.seconds.size())
      return makeError("the launches of '", step.name,
                       "' were not traced equally often");
    for (size_t run = 0; run < runs.size(); ++run)
      runs[run] += step.seconds[run];
  }
  for (size_t i = 0; i < times.size(); ++i) {
    if (times[i].empty())
      return makeError("no step is named '", artifact.calls[i].step, "'");
    if (times[i].size() <= kWarmUpRuns)
      return makeError("too few runs of '", artifact.calls[i].step, "'");
    times[i].erase(times[i].begin(), times[i].begin() + kWarmUpRuns);
  }
  return times;
}

static Expected<CallTimes> readText(const Artifact &artifact,
                                    std::string_view text) {
  Expected<JsonValue> trace = parseJson(text);
  if (!trace)
    return trace.takeError();
  const JsonValue *events = trace->find("traceEvents");
  if (!events || !events->isArray())
    return makeError("expected 'traceEvents'");
  std::map<int64_t, Step> steps;
  for (const JsonValue &event : events->array)
    if (Status status = readEvent(event, steps); !status)
      return status.takeError();
  return addUp(artifact, steps);
}

Expected<CallTimes> readTrace(const Artifact &artifact,
                              const std::string &path) {
  Expected<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.takeError();
  Expected<CallTimes> times = readText(
      artifact, {reinterpret_cast<const char *>(bytes->data()), bytes->size()});
  if (!times)
    return makeError("its trace: ", times.error());
  return times;
}

} // namespace tenon::bundle
