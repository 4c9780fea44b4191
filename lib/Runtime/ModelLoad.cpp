//===- ModelLoad.cpp - device-independent loading -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeFolder.h"
#include "CpuModel.h"
#include "DeviceRuntime.h"
#include "ModelImpl.h"
#include "Tables.h"

#include "tenon/Runtime/Cpu.h"
#include "tenon/Runtime/Parallel.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>

using namespace tenon::artifact;

/// A weak reference does not make the linker take the archive's part for CUDA;
/// the tables of artifacts with a program for CUDA refer to it strongly (see
/// RuntimeFunctions.h). In other artifacts the address is null.
extern "C" __attribute__((weak))
const tenon::runtime::DeviceRuntime tenon_runtime_cuda;
/// Likewise, for pipelines.
extern "C" __attribute__((weak))
const tenon::runtime::DeviceRuntime tenon_runtime_pipeline;

namespace tenon::runtime {

Model::Impl::Impl(const tenon_program &program, const LoadSettings &settings,
                  int32_t cudaDevice)
    : program(program), settings(settings),
      threads(settings.options.options.threads > 0
                  ? settings.options.options.threads
                  : defaultThreads()),
      tracing(settings.options.options.trace != 0), isInChild(isForkedChild()) {
  for (int32_t i = 0; i < program.num_entries; ++i)
    entries.push_back(
        std::make_unique<EntryState>(program.entries[i], i, cudaDevice));
  entries.push_back(std::make_unique<EntryState>(
      program.prepare, program.num_entries, cudaDevice));
}

Model::Impl::~Impl() = default;

Status Model::Impl::adoptHost() {
  if (Status status = executor.adopt(settings.options.executor); !status)
    return status;
  if (executor.get())
    threads = executor.get()->threads;
  if (settings.memory) {
    memory.join(*settings.memory);
    return Status::success();
  }
  return memory.adopt(settings.options.allocator,
                      settings.options.memory_limit);
}

Status Model::Impl::load() {
  // This check must precede any generated code.
  std::string missing =
      missingCpuFeatures(program.cpu_features, detectCpu(program.cpu_features));
  if (!missing.empty())
    return makeError(
        "this processor lacks features that the artifact requires: ", missing);
  if (Status status = checkTables(program); !status)
    return status;

  numberChecks();
  byteSizes.assign(program.num_buffers, 0);
  extents.assign(program.num_steps, 0);
  for (int32_t i = 0; i < program.num_buffers; ++i)
    byteSizes[i] = program.buffers[i].bytes;
  for (int32_t i = 0; i < program.num_steps; ++i)
    extents[i] = program.steps[i].extent;
  if (Status status = loadParameters(); !status)
    return status;
  Status status = prepare();
  parameters.finishLoading();
  return status;
}

Status Model::Impl::openWeights() {
  const tenon_options &options = settings.options.options;
  if (tenon_weights *given = settings.options.weights;
      given && !memory.isPlanned())
    return weights.use(given);
  if (program.num_params == 0 || options.random_params || memory.isPlanned())
    return weights.useFile("");
  std::string path =
      options.params_path ? options.params_path : settings.paramsPath;
  if (path.empty())
    return makeError("the model has ", program.num_params,
                     " parameters, but no file of them was given");
  if (Status status = weights.useFile(path); !status)
    return makeError("parameters: ", status.error());
  return Status::success();
}

Status Model::Impl::loadParameters() {
  if (Status status = openWeights(); !status)
    return status;
  const tenon_options &options = settings.options.options;
  if (program.num_params == 0)
    return Status::success();
  if (!options.random_params)
    return memory.isPlanned() ? parameters.plan(*settings.inPlace)
                              : parameters.open();
  // An executor has threads for runs; drawing needs none of them.
  return parameters.draw(options.random_seed, executor.get() ? 1 : threads);
}

//===----------------------------------------------------------------------===//
// Selection of a program
//===----------------------------------------------------------------------===//

static const char *deviceName(int32_t device) {
  return device == TENON_DEVICE_CUDA ? "cuda" : "cpu";
}

static constexpr const char *withoutCuda =
    "the artifact was linked without the runtime for cuda: compile it anew";

static int32_t deviceOf(const tenon_program &program) {
  return program.device == TENON_PROGRAM_CUDA ? TENON_DEVICE_CUDA
                                              : TENON_DEVICE_CPU;
}

/// Drops programs whose host code TENON_CPU excludes, and, of those for a CPU,
/// keeps the most demanding one that this machine can run. If there is none,
/// the least demanding is left, which load refuses.
static Status chooseForCpu(std::vector<const tenon_program *> &candidates,
                           bool isForCpu) {
  const char *level = std::getenv("TENON_CPU");
  Expected<uint32_t> limit = getCpuLimit(level);
  if (!limit)
    return limit.takeError();
  uint32_t wanted = 0;
  for (const tenon_program *program : candidates)
    wanted |= program->cpu_features & *limit;
  uint64_t present = detectCpu(wanted);
  std::vector<const tenon_program *> allowed;
  const tenon_program *best = nullptr, *least = candidates.front();
  for (const tenon_program *program : candidates) {
    if (program->cpu_features < least->cpu_features)
      least = program;
    if ((program->cpu_features & ~*limit) != 0)
      continue;
    allowed.push_back(program);
    if (missingCpuFeatures(program->cpu_features, present).empty() &&
        (!best || program->cpu_features > best->cpu_features))
      best = program;
  }
  if (allowed.empty())
    return makeError("TENON_CPU: ", level,
                     " excludes all programs of the artifact; the least "
                     "demanding is for ",
                     least->target);
  if (isForCpu)
    allowed = {best ? best : least};
  candidates = std::move(allowed);
  return Status::success();
}

/// Checks the options that apply to every program.
static Status checkOptions(const tenon_load_options &all) {
  const tenon_options &options = all.options;
  if (options.threads < 0 || options.threads > mostThreads)
    return makeError("threads: expected 1 to ", mostThreads,
                     ", or 0 for the default, but got ", options.threads);
  if (all.executor && options.threads != 0)
    return makeError(
        "threads: expected 0, because the executor sets the number of threads, "
        "but got ",
        options.threads);
  // With an executor, no threads are started.
  int threads = all.executor          ? 1
                : options.threads > 0 ? options.threads
                                      : defaultThreads();
  if (threads > mostThreads)
    return makeError("OMP_NUM_THREADS: expected at most ", mostThreads,
                     " threads, but got ", threads);
  if (options.device_id < 0)
    return makeError("device_id: expected a device, counted from 0, but got ",
                     options.device_id);
  if (all.weights && (options.params_path || options.random_params))
    return makeError(
        "weights: expected neither params_path nor random_params in addition");
  if (options.params_path && !*options.params_path && !options.random_params)
    return makeError("params_path: expected a file, but got an empty name");
  return checkThreads(threads);
}

Expected<std::unique_ptr<Model>>
Model::load(const tenon_program *const *programs,
            const LoadSettings &settings) {
  const tenon_options &options = settings.options.options;
  if (Status status = checkOptions(settings.options); !status)
    return status.takeError();
  if (Status status = checkForkedLocks(); !status)
    return status.takeError();
  int32_t device = options.device;
  if (device == TENON_DEVICE_FIRST)
    device = deviceOf(*programs[0]);
  if (device != TENON_DEVICE_CPU && device != TENON_DEVICE_CUDA)
    return makeError("expected device 0 (the first), 1 (cpu) or 2 (cuda), but "
                     "got ",
                     device);
  std::vector<const tenon_program *> candidates;
  bool hasCpu = false;
  for (; *programs; ++programs) {
    hasCpu |= deviceOf(**programs) == TENON_DEVICE_CPU;
    if (deviceOf(**programs) == device)
      candidates.push_back(*programs);
  }
  if (candidates.empty())
    return makeError("the artifact has no program for ", deviceName(device),
                     ", only for ",
                     deviceName(TENON_DEVICE_CPU + TENON_DEVICE_CUDA - device));

  if (Status status = chooseForCpu(candidates, device == TENON_DEVICE_CPU);
      !status)
    return status.takeError();
  std::unique_ptr<Impl> impl;
  if (candidates.front()->num_ranks > 0) {
    if (!&tenon_runtime_pipeline)
      return makeError("the artifact was linked without the runtime for "
                       "pipelines: compile it anew");
    if (device == TENON_DEVICE_CUDA && !&tenon_runtime_cuda)
      return makeError(withoutCuda);
    Expected<std::unique_ptr<Impl>> created =
        tenon_runtime_pipeline.createModel(candidates, settings, hasCpu);
    if (!created)
      return created.takeError();
    impl = std::move(*created);
  } else if (device == TENON_DEVICE_CPU) {
    impl = std::make_unique<CpuModel>(*candidates.front(), settings);
  } else {
    if (!&tenon_runtime_cuda)
      return makeError(withoutCuda);
    Expected<std::unique_ptr<Impl>> created =
        tenon_runtime_cuda.createModel(candidates, settings, hasCpu);
    if (!created)
      return created.takeError();
    impl = std::move(*created);
  }
  if (Status status = impl->adoptHost(); !status)
    return status.takeError();
  Status status = impl->onDedicatedThread([&] {
    LibraryWork work;
    return impl->load();
  });
  if (!status)
    return status.takeError();
  impl->recordMemory();
  return std::unique_ptr<Model>(new Model(std::move(impl)));
}

static Expected<LoadSettings> makeSettings(const tenon_artifact &artifact,
                                           const tenon_load_options &options) {
  // This check must come first: tables of another version may have another
  // layout.
  if (artifact.abi_version != TENON_ABI_VERSION)
    return makeError("the artifact has the ABI version ", artifact.abi_version,
                     ", but this runtime has ", TENON_ABI_VERSION);
  LoadSettings settings;
  settings.options = options;
  settings.folder = getFolderOf(&artifact);
  if (artifact.params_file)
    settings.paramsPath = settings.folder + "/" + artifact.params_file;
  return settings;
}

Expected<std::unique_ptr<Model>>
Model::load(const tenon_artifact &artifact, const tenon_load_options &options) {
  Expected<LoadSettings> settings = makeSettings(artifact, options);
  return settings ? load(artifact.programs, *settings) : settings.takeError();
}

Status Model::planMemory(const tenon_artifact &artifact,
                         const tenon_load_options &options, int32_t rank,
                         tenon_memory_plan &plan) {
  Expected<LoadSettings> settings = makeSettings(artifact, options);
  if (!settings)
    return settings.takeError();
  HostMemory memory, inPlace;
  memory.plan();
  inPlace.plan();
  settings->memory = &memory;
  settings->inPlace = &inPlace;
  settings->plannedRank = rank;
  Expected<std::unique_ptr<Model>> model = load(artifact.programs, *settings);
  if (!model)
    return model.takeError();
  plan.bytes = static_cast<uint64_t>(memory.getMostBytes());
  plan.in_place_bytes = static_cast<uint64_t>(inPlace.getMostBytes());
  for (const auto &[what, bytes] : memory.getMostUses()) {
    if (bytes == 0 || plan.num_uses == std::size(plan.uses))
      continue;
    tenon_memory_use &use = plan.uses[plan.num_uses++];
    std::snprintf(use.what, sizeof use.what, "%s", what.c_str());
    use.bytes = static_cast<uint64_t>(bytes);
  }
  (*model)->countUnplanned(plan);
  return Status::success();
}

} // namespace tenon::runtime
