//===- CpuModelLoad.cpp - loading an instance for the CPU ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuModel.h"

#include "tenon/Runtime/Parallel.h"

using namespace tenon::artifact;

namespace tenon::runtime {

Status CpuModel::prepare() {
  // Now, while a thread that can't be started is an error of this call.
  threads = startTeam(threads);
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

  ThreadScope scope(threads);
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
    return state.commit([&] { return plan(); });
  return Status::success();
}

Status CpuModel::allocatePrepared() {
  prepared.resize(program.num_buffers);
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    if (buffer.kind == TENON_BUFFER_PARAM)
      addresses[i] = const_cast<void *>(parameters.data(buffer.index));
    if (buffer.kind == TENON_BUFFER_CONSTANT)
      addresses[i] = const_cast<void *>(buffer.data);
    if (buffer.kind != TENON_BUFFER_PREPARED &&
        buffer.kind != TENON_BUFFER_CHECK)
      continue;
    Expected<Block> block = Block::allocate(
        buffer.bytes, buffer.kind == TENON_BUFFER_CHECK ? "a check of indices"
                                                        : "a prepared buffer");
    if (!block)
      return block.takeError();
    prepared[i] = std::move(*block);
    addresses[i] = prepared[i].data();
  }
  return Status::success();
}

Status CpuModel::createSites() {
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

void CpuModel::countRawReaders() {
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

Status CpuModel::runPrepareSteps() {
  int32_t end = program.num_prepare_steps;
  // What only prepare reads is given back after its last reader, so that raw
  // and prepared weights are never all in memory at once.
  std::vector<int32_t> lastReader = findLastPrepareUses();
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
