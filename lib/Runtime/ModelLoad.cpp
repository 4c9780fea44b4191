//===- ModelLoad.cpp - what loading does on every device ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuModel.h"
#include "Cuda/CudaModel.h"
#include "ModelImpl.h"

#include "tenon/Runtime/Cpu.h"
#include "tenon/Runtime/Parallel.h"

using namespace tenon::artifact;

namespace tenon::runtime {

Model::Impl::Impl(const tenon_program &program, const tenon_options &options,
                  int32_t cudaDevice)
    : program(program), state(program, cudaDevice),
      threads(options.threads > 0 ? options.threads : defaultThreads()),
      tracing(options.trace != 0), isInChild(isForkedChild()) {}

Model::Impl::~Impl() = default;

static bool isLaunch(const tenon_gpu_launch *launch) {
  return launch && launch->kernel && launch->block_threads > 0 &&
         launch->shared_bytes >= 0;
}

/// The tables come from the compiler; what is checked here keeps a damaged
/// artifact from reaching outside of them.
Status Model::Impl::checkTables() const {
  auto damaged = [&](const auto &...what) {
    return makeError("the artifact is damaged: ", concat(what...));
  };
  bool isCuda = program.device == TENON_PROGRAM_CUDA;
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    int32_t limit = INT32_MAX;
    switch (buffer.kind) {
    case TENON_BUFFER_INPUT:
      limit = program.num_inputs;
      break;
    case TENON_BUFFER_OUTPUT:
      limit = program.num_outputs;
      break;
    case TENON_BUFFER_PARAM:
      limit = program.num_params;
      break;
    case TENON_BUFFER_CHECK:
      limit = program.num_checks;
      break;
    case TENON_BUFFER_CONSTANT:
    case TENON_BUFFER_PREPARED:
    case TENON_BUFFER_ARENA:
      break;
    default:
      return damaged("buffer ", i, " has the unknown kind ", buffer.kind);
    }
    if (limit != INT32_MAX && (buffer.index < 0 || buffer.index >= limit))
      return damaged("buffer ", i, " has the index ", buffer.index);
    if (buffer.bytes < 0 && !program.buffer_bytes)
      return damaged("buffer ", i, " has no size");
    if (buffer.kind == TENON_BUFFER_PREPARED && buffer.bytes < 0)
      return damaged("prepared buffer ", i, " has no static size");
    if (buffer.kind == TENON_BUFFER_ARENA && program.arena_bytes >= 0 &&
        (buffer.bytes < 0 || buffer.offset < 0 ||
         buffer.offset + buffer.bytes > program.arena_bytes))
      return damaged("buffer ", i, " lies outside of the arena");
  }
  for (int32_t i = 0; i < program.num_steps; ++i) {
    const tenon_step &step = program.steps[i];
    for (int32_t j = 0; j < step.num_buffers; ++j) {
      if (step.buffers[j] < 0 || step.buffers[j] >= program.num_buffers)
        return damaged("step '", step.name, "' names buffer ", step.buffers[j]);
      int32_t kind = program.buffers[step.buffers[j]].kind;
      if (i < program.num_prepare_steps &&
          (kind == TENON_BUFFER_INPUT || kind == TENON_BUFFER_OUTPUT))
        return damaged("step '", step.name,
                       "' of prepare uses a tensor of "
                       "the call");
    }
    bool good = step.kind == TENON_STEP_KERNEL
                    ? (isCuda ? isLaunch(step.launch) : step.kernel != nullptr)
                : step.kind == TENON_STEP_LIBRARY ? step.site != nullptr
                : step.kind == TENON_STEP_PLUGIN
                    ? step.plugin != nullptr
                    : step.kind == TENON_STEP_COPY && step.num_buffers == 2;
    if (!good)
      return damaged("step '", step.name, "' is incomplete");
    if (step.extent < 0 && !program.step_extents)
      return damaged("step '", step.name, "' has no extent");
  }
  return checkIndexChecks();
}

Status Model::Impl::checkIndexChecks() const {
  for (int32_t i = 0; i < program.num_checks; ++i) {
    const tenon_check &check = program.checks[i];
    bool isInside = check.buffer >= 0 && check.buffer < program.num_buffers &&
                    check.step >= 0 && check.step < program.num_steps;
    if (!isInside || !check.sizes || check.rank < 0 || check.num_ranges < 1 ||
        check.parts < 1 ||
        program.buffers[check.buffer].bytes != 16 * check.parts)
      return makeError("the artifact is damaged: check ", i, " is incomplete");
    bool isOfRun = check.step >= program.num_prepare_steps;
    const tenon_buffer &buffer = program.buffers[check.buffer];
    if (isOfRun ? buffer.kind != TENON_BUFFER_CHECK || buffer.index != i
                : buffer.kind != TENON_BUFFER_PREPARED)
      return makeError("the artifact is damaged: check ", i, " reads buffer ",
                       check.buffer);
  }
  return Status::success();
}

Status Model::Impl::load(const tenon_options &options,
                         const std::string &paramsPath) {
  if (program.abi_version != TENON_ABI_VERSION)
    return makeError("the artifact has the ABI version ", program.abi_version,
                     ", but this runtime has ", TENON_ABI_VERSION);
  // Before any generated code.
  std::string missing = missingCpuFeatures(program.cpu_features, detectCpu());
  if (!missing.empty())
    return makeError("this processor lacks what the artifact was built for: ",
                     missing);
  if (Status status = checkTables(); !status)
    return status;

  numberChecks();
  byteSizes.assign(program.num_buffers, 0);
  extents.assign(program.num_steps, 0);
  for (int32_t i = 0; i < program.num_buffers; ++i)
    byteSizes[i] = program.buffers[i].bytes;
  for (int32_t i = 0; i < program.num_steps; ++i)
    extents[i] = program.steps[i].extent;
  if (Status status = loadParameters(options, paramsPath); !status)
    return status;
  return prepare();
}

Status Model::Impl::loadParameters(const tenon_options &options,
                                   const std::string &paramsPath) {
  if (program.num_params == 0)
    return Status::success();
  if (options.random_params) {
    ThreadScope scope(threads);
    if (Status status = parameters.draw(program, options.random_seed, threads);
        !status)
      return status;
  } else {
    std::string path = options.params_path ? options.params_path : paramsPath;
    if (path.empty())
      return makeError("the model has ", program.num_params,
                       " parameters, but no file of them was given");
    if (Status status = parameters.open(program, path); !status)
      return status;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Choice of a program
//===----------------------------------------------------------------------===//

static const char *deviceName(int32_t device) {
  return device == TENON_DEVICE_CUDA ? "cuda" : "cpu";
}

static int32_t deviceOf(const tenon_program &program) {
  return program.device == TENON_PROGRAM_CUDA ? TENON_DEVICE_CUDA
                                              : TENON_DEVICE_CPU;
}

/// Options that say something about every program.
static Status checkOptions(const tenon_options &options) {
  if (options.threads < 0 || options.threads > mostThreads)
    return makeError("threads: expected 1 to ", mostThreads,
                     ", or 0 for the default, but got ", options.threads);
  int threads = options.threads > 0 ? options.threads : defaultThreads();
  if (threads > mostThreads)
    return makeError("OMP_NUM_THREADS: expected at most ", mostThreads,
                     " threads, but got ", threads);
  if (options.device_id < 0)
    return makeError("device_id: expected a device, counted from 0, but got ",
                     options.device_id);
  if (options.params_path && !*options.params_path && !options.random_params)
    return makeError("params_path: expected a file, but got an empty name");
  return checkThreads(threads);
}

Expected<std::unique_ptr<Model>>
Model::load(const tenon_program *const *programs, const tenon_options &options,
            const std::string &paramsPath) {
  // Before anything else: other tables may lie differently.
  if (programs[0]->abi_version != TENON_ABI_VERSION)
    return makeError("the artifact has the ABI version ",
                     programs[0]->abi_version, ", but this runtime has ",
                     TENON_ABI_VERSION);
  if (Status status = checkOptions(options); !status)
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

  std::unique_ptr<Impl> impl;
  if (device == TENON_DEVICE_CPU) {
    impl = std::make_unique<CpuModel>(*candidates.front(), options);
  } else {
    Expected<std::unique_ptr<Impl>> created =
        cuda::createModel(candidates, options, hasCpu);
    if (!created)
      return created.takeError();
    impl = std::move(*created);
  }
  Status status = impl->onOwnThread([&] {
    LibraryWork work;
    return impl->load(options, paramsPath);
  });
  if (!status)
    return status.takeError();
  impl->recordMemory();
  return std::unique_ptr<Model>(new Model(std::move(impl)));
}

Expected<std::unique_ptr<Model>> Model::load(const tenon_program &program,
                                             const tenon_options &options,
                                             const std::string &paramsPath) {
  const tenon_program *programs[] = {&program, nullptr};
  return load(programs, options, paramsPath);
}

} // namespace tenon::runtime
