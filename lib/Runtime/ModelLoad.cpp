//===- ModelLoad.cpp - loading an instance ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelImpl.h"

#include "tenon/Runtime/Cpu.h"
#include "tenon/Runtime/Parallel.h"

using namespace tenon::artifact;

namespace tenon::runtime {

Model::Impl::Impl(const tenon_program &program, const tenon_options &options)
    : program(program), binding(program),
      threads(options.threads > 0 ? options.threads : defaultThreads()),
      tracing(options.trace != 0) {}

/// The tables come from the compiler; what is checked here keeps a damaged
/// artifact from reaching outside of them.
Status Model::Impl::checkTables() const {
  auto damaged = [&](const auto &...what) {
    return makeError("the artifact is damaged: ", concat(what...));
  };
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
    bool good = step.kind == TENON_STEP_KERNEL    ? step.kernel != nullptr
                : step.kind == TENON_STEP_LIBRARY ? step.site != nullptr
                : step.kind == TENON_STEP_PLUGIN
                    ? step.plugin != nullptr
                    : step.kind == TENON_STEP_COPY && step.num_buffers == 2;
    if (!good)
      return damaged("step '", step.name, "' is incomplete");
    if (step.extent < 0 && !program.step_extents)
      return damaged("step '", step.name, "' has no extent");
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

  int32_t position = 0;
  for (int32_t i = 0; i < program.num_steps; ++i) {
    pointersBegin.push_back(position);
    for (int32_t j = 0; j < program.steps[i].num_buffers; ++j, ++position) {
      int32_t kind = program.buffers[program.steps[i].buffers[j]].kind;
      if (kind == TENON_BUFFER_INPUT || kind == TENON_BUFFER_OUTPUT)
        callerPointers.push_back({position, program.steps[i].buffers[j]});
    }
  }
  pointers.assign(position, nullptr);
  addresses.assign(program.num_buffers, nullptr);
  byteSizes.assign(program.num_buffers, 0);
  extents.assign(program.num_steps, 0);
  for (int32_t i = 0; i < program.num_buffers; ++i)
    byteSizes[i] = program.buffers[i].bytes;
  for (int32_t i = 0; i < program.num_steps; ++i)
    extents[i] = program.steps[i].extent;

  ThreadScope scope(threads);
  if (Status status = loadParameters(options, paramsPath); !status)
    return status;
  if (Status status = allocatePrepared(); !status)
    return status;
  if (Status status = createSites(); !status)
    return status;
  countRawReaders();
  if (Status status = runPrepareSteps(); !status)
    return status;

  // With static sizes everything is known: weights are packed now, and the
  // first call is like every other.
  if (program.num_symbols == 0)
    return plan();
  return Status::success();
}

Status Model::Impl::loadParameters(const tenon_options &options,
                                   const std::string &paramsPath) {
  if (program.num_params == 0)
    return Status::success();
  if (options.random_params) {
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
  for (int32_t i = 0; i < program.num_buffers; ++i)
    if (program.buffers[i].kind == TENON_BUFFER_PARAM)
      addresses[i] =
          const_cast<void *>(parameters.data(program.buffers[i].index));
  return Status::success();
}

Status Model::Impl::allocatePrepared() {
  prepared.resize(program.num_buffers);
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    if (buffer.kind == TENON_BUFFER_CONSTANT)
      addresses[i] = const_cast<void *>(buffer.data);
    if (buffer.kind != TENON_BUFFER_PREPARED)
      continue;
    Expected<Block> block = Block::allocate(buffer.bytes, "a prepared buffer");
    if (!block)
      return block.takeError();
    prepared[i] = std::move(*block);
    addresses[i] = prepared[i].data();
  }
  return Status::success();
}

Status Model::Impl::createSites() {
  sites.resize(program.num_steps);
  plugins.resize(program.num_steps);
  for (int32_t i = 0; i < program.num_steps; ++i) {
    const tenon_step &step = program.steps[i];
    if (step.kind == TENON_STEP_PLUGIN) {
      Expected<std::unique_ptr<PluginSite>> plugin =
          PluginSite::create(step, threads, workspace);
      if (!plugin)
        return plugin.takeError();
      plugins[i] = std::move(*plugin);
    }
    if (step.kind != TENON_STEP_LIBRARY)
      continue;
    if (!dnnl) {
      Expected<std::unique_ptr<DnnlContext>> context = DnnlContext::create();
      if (!context)
        return makeError("step '", step.name, "': ", context.error());
      dnnl = std::move(*context);
    }
    Expected<std::unique_ptr<LibrarySite>> site =
        LibrarySite::create(step, *dnnl);
    if (!site)
      return site.takeError();
    sites[i] = std::move(*site);
  }
  return Status::success();
}

void Model::Impl::countRawReaders() {
  rawReaders.assign(program.num_buffers, 0);
  countedRaw.assign(program.num_steps, false);
  for (int32_t i = program.num_prepare_steps; i < program.num_steps; ++i) {
    const tenon_step &step = program.steps[i];
    for (int32_t j = 0; j < step.num_buffers; ++j)
      ++rawReaders[step.buffers[j]];
    // Until it is packed, the site reads its weight as it is.
    countedRaw[i] = sites[i] && step.site->constant_weight;
  }
}

Status Model::Impl::runPrepareSteps() {
  int32_t end = program.num_prepare_steps;
  // What only prepare reads is given back after its last reader, so that raw
  // and prepared weights are never all in memory at once.
  std::vector<int32_t> lastReader(program.num_buffers, -1);
  for (int32_t i = 0; i < end; ++i)
    for (int32_t j = 0; j < program.steps[i].num_buffers; ++j)
      lastReader[program.steps[i].buffers[j]] = i;
  if (end > 0) {
    if (Status status = planArena(0, end); !status)
      return status;
    if (Status status = planScratch(); !status)
      return status;
    refreshPointers();
    for (int32_t i = 0; i < end; ++i) {
      const tenon_step &step = program.steps[i];
      if (sites[i]) {
        if (Status status = selectSite(i); !status)
          return status;
      } else if (plugins[i]) {
        if (Status status = selectPlugin(i); !status)
          return status;
      }
      if (Status status = runStep(i); !status)
        return status;
      sites[i] = nullptr;
      plugins[i] = nullptr;
      for (int32_t j = 0; j < step.num_buffers; ++j)
        if (lastReader[step.buffers[j]] == i &&
            rawReaders[step.buffers[j]] == 0)
          releaseBuffer(step.buffers[j]);
    }
    // A dynamic arena begins anew with the first call.
    if (program.arena_bytes < 0)
      arena = Block();
  }
  for (int32_t i = 0; i < program.num_buffers; ++i)
    if (lastReader[i] < 0 && rawReaders[i] == 0)
      releaseBuffer(i);
  return Status::success();
}

} // namespace tenon::runtime
