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
#include "llvm/TargetParser/Host.h"

#include <dlfcn.h>

using namespace llvm;
using namespace tenon;

/// The first run packs weights and plans memory, and two more fill caches.
static constexpr unsigned kWarmUpRuns = 3;

static std::string readText(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// Takes the times out of a trace whose events name their steps.
static Expected<SiteTimes> readTrace(const PlacedModel &model,
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
  SiteTimes times(model.sites.size());
  for (const json::Value &value : *events) {
    const json::Object *event = value.getAsObject();
    const json::Object *args = event ? event->getObject("args") : nullptr;
    if (!args || !args->getInteger("step") || !event->getNumber("dur") ||
        !event->getString("name"))
      return wrong("an event lacks 'step', 'dur' or 'name'");
    // Copies to outputs belong to no kernel.
    if (event->getString("cat") == "copy")
      continue;
    int64_t site = *args->getInteger("step");
    StringRef name = *event->getString("name");
    if (site < 0 || site >= static_cast<int64_t>(model.sites.size()) ||
        !name.contains(model.sites[site].pattern))
      return wrong("the step '" + name + "' is not the kernel that was placed");
    times[site].push_back(*event->getNumber("dur") * 1e-6);
  }
  for (const auto &[site, runs] : zip(model.sites, times)) {
    if (runs.size() <= kWarmUpRuns)
      return wrong("too few runs of the kernel '" + site.name + "'");
    runs.erase(runs.begin(), runs.begin() + kWarmUpRuns);
  }
  return std::move(times);
}

Expected<SiteTimes> measureSites(const PlacedModel &model,
                                 const RunOptions &options,
                                 const Workspace &workspace,
                                 StringRef tenonRun) {
  std::string artifact = workspace.path("model.so");
  std::string trace = workspace.path("trace.json");
  std::string errors = workspace.path("errors.txt");
  // With --repeat tenon-run makes one run more.
  std::string repeat = std::to_string(options.repeat + kWarmUpRuns - 1);
  std::string threads = std::to_string(options.threads);
  SmallVector<StringRef> arguments = {tenonRun,    artifact,   "--trace",
                                      trace,       "--repeat", repeat,
                                      "--threads", threads};
  // A model without a file of weights: times do not depend on them.
  if (!sys::fs::exists(workspace.path("model.safetensors")))
    arguments.append({"--params", "random:1"});
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""),
                                          StringRef(errors)};
  std::string reason;
  int status = sys::ExecuteAndWait(tenonRun, arguments, std::nullopt, redirects,
                                   0, 0, &reason);
  if (status != 0) {
    std::string text = readText(errors);
    return createStringError("'" + model.path + "' can't be run: " +
                             (text.empty() ? "tenon-run: " + reason
                                           : StringRef(text).rtrim().str()));
  }
  return readTrace(model, readText(trace));
}

cost::Measurement summarize(std::vector<double> samples) {
  llvm::sort(samples);
  auto at = [&](double fraction) {
    return samples[static_cast<size_t>(fraction * (samples.size() - 1) + 0.5)];
  };
  return {at(0.5), at(0.1), at(0.9), samples.size()};
}

//===----------------------------------------------------------------------===//
// This machine
//===----------------------------------------------------------------------===//

static std::string getProcessor() {
  std::string name;
  // Of no known size: a file of the kernel.
  ErrorOr<std::unique_ptr<MemoryBuffer>> info =
      MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (info)
    for (StringRef rest = (*info)->getBuffer(); !rest.empty();) {
      auto [line, next] = rest.split('\n');
      auto [field, value] = line.split(':');
      if (name.empty() && field.trim() == "model name")
        name = value.trim().str();
      rest = next;
    }
  // Virtual machines often hide the model: LLVM tells the generation.
  std::string generation = sys::getHostCPUName().str();
  return name.empty() ? generation : name + " (" + generation + ")";
}

/// oneDNN's version, as artifacts find it at run time; empty where it is not.
static std::string getOneDnnVersion() {
  struct Version {
    int major, minor, patch;
  };
  void *library = ::dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "";
  std::string text;
  if (auto *get = reinterpret_cast<const Version *(*)()>(
          ::dlsym(library, "dnnl_version"))) {
    const Version *version = get();
    text = std::to_string(version->major) + "." +
           std::to_string(version->minor) + "." +
           std::to_string(version->patch);
  }
  ::dlclose(library);
  return text;
}

cost::Device getDevice(StringRef target, unsigned threads) {
  cost::Device device;
  device.target = target.str();
  device.processor = getProcessor();
  device.threads = threads;
  // Generated code changes with the compiler.
  device.versions["tenon"] = TENON_VERSION;
  if (std::string version = getOneDnnVersion(); !version.empty())
    device.versions["onednn"] = version;
  return device;
}
