//===- Measure.cpp - times of a compiled model's steps --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <map>

using namespace llvm;
using namespace tenon;

/// The first run packs weights and plans memory, and two more fill caches.
static constexpr unsigned kWarmUpRuns = 3;

static std::string readText(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// Takes the times out of a trace whose events name their steps.
static Expected<CallTimes> readTrace(const PlacedModel &model,
                                     const std::string &text) {
  auto wrong = [&](const Twine &what) {
    return createStringError("the trace of '" + model.path + "': " + what);
  };
  Expected<json::Value> trace = json::parse(text);
  if (!trace)
    return wrong(toString(trace.takeError()));
  const json::Array *events =
      trace->getAsObject() ? trace->getAsObject()->getArray("traceEvents")
                           : nullptr;
  if (!events)
    return wrong("expected 'traceEvents'");
  // Copies, to outputs and of donated inputs, and checks of indices belong to
  // no kernel.
  std::map<int64_t, std::pair<StringRef, std::vector<double>>> steps;
  for (const json::Value &value : *events) {
    const json::Object *event = value.getAsObject();
    const json::Object *args = event ? event->getObject("args") : nullptr;
    if (!args || !args->getInteger("step") || !event->getNumber("dur") ||
        !event->getString("name"))
      return wrong("an event lacks 'step', 'dur' or 'name'");
    if (std::optional<StringRef> category = event->getString("cat");
        category == "copy" || category == "check")
      continue;
    auto &[name, runs] = steps[*args->getInteger("step")];
    name = *event->getString("name");
    runs.push_back(*event->getNumber("dur") * 1e-6);
  }
  if (steps.size() != model.calls.size())
    return wrong("expected " + Twine(model.calls.size()) +
                 " kernels, but got " + Twine(steps.size()));
  CallTimes times;
  for (auto &[number, step] : steps) {
    if (!step.first.contains(model.calls[times.size()].pattern))
      return wrong("the step '" + step.first +
                   "' is not the kernel that was placed");
    times.push_back(std::move(step.second));
  }
  for (const auto &[call, runs] : zip(model.calls, times)) {
    if (runs.size() <= kWarmUpRuns)
      return wrong("too few runs of the kernel '" + call.name + "'");
    runs.erase(runs.begin(), runs.begin() + kWarmUpRuns);
  }
  return std::move(times);
}

/// Runs the model in a process of its own.
static Error run(const PlacedModel &model, const RunOptions &options,
                 const Workspace &workspace, StringRef tenonRun,
                 ArrayRef<StringRef> more) {
  std::string artifact = workspace.path(model.artifact + ".so");
  std::string errors = workspace.path("errors.txt");
  // With --repeat tenon-run makes one run more.
  std::string repeat = std::to_string(options.repeat + kWarmUpRuns - 1);
  std::string threads = std::to_string(options.threads);
  // Caches are updated in place, as those who call a model again and again do.
  SmallVector<StringRef> arguments = {tenonRun,    artifact, "--repeat", repeat,
                                      "--threads", threads,  "--donate"};
  arguments.append(more.begin(), more.end());
  // A model without a file of weights: times do not depend on them.
  if (!sys::fs::exists(workspace.path(model.artifact + ".safetensors")))
    arguments.append({"--params", "random:1"});
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""),
                                          StringRef(errors)};
  std::string reason;
  int status = sys::ExecuteAndWait(tenonRun, arguments, std::nullopt, redirects,
                                   options.limitSeconds, 0, &reason);
  if (status == 0)
    return Error::success();
  std::string text = readText(errors);
  return createStringError(
      "'" + model.path + "' can't be run: " +
      (text.empty() ? "tenon-run: " + reason : StringRef(text).rtrim().str()));
}

Expected<CallTimes> measureCalls(const PlacedModel &model,
                                 const RunOptions &options,
                                 const Workspace &workspace,
                                 StringRef tenonRun) {
  std::string trace = workspace.path("trace.json");
  if (Error error =
          run(model, options, workspace, tenonRun, {"--trace", trace}))
    return std::move(error);
  return readTrace(model, readText(trace));
}

Expected<double> measureRun(const PlacedModel &model, const RunOptions &options,
                            const Workspace &workspace, StringRef tenonRun) {
  std::string file = workspace.path("run.json");
  if (Error error = run(model, options, workspace, tenonRun, {"--json", file}))
    return std::move(error);
  Expected<json::Value> result = json::parse(readText(file));
  if (!result)
    return result.takeError();
  const json::Object *object = result->getAsObject();
  const json::Object *latency =
      object ? object->getObject("latency_ms") : nullptr;
  std::optional<double> median =
      latency ? latency->getNumber("median") : std::nullopt;
  if (!median)
    return createStringError("'" + model.path +
                             "': tenon-run wrote no latency");
  return *median * 1e-3;
}

cost::Measurement summarize(std::vector<double> samples) {
  llvm::sort(samples);
  auto at = [&](double fraction) {
    return samples[static_cast<size_t>(fraction * (samples.size() - 1) + 0.5)];
  };
  return {at(0.5), at(0.1), at(0.9), samples.size()};
}
