//===- CpuModelLoad.cpp - loading an instance for the CPU -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuModel.h"
#include "Tables.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

Status CpuModel::prepare() {
  // Start the threads now, so that this call fails if the system refuses.
  if (!executor.get())
    threads = startTeam(threads);
  layOutPointers();

  ExecutorScope host(executor.get());
  ThreadScope scope(libraryThreads());
  if (Status status = allocateKept(); !status)
    return status;
  if (Status status = createCalls(); !status)
    return status;
  countRawReaders();
  if (Status status = obtainPrepared(); !status)
    return status;

  // With static sizes everything is known: weights are packed now, so that the
  // first call costs no more than later ones.
  for (int32_t i = 0; i < program.num_entries; ++i)
    if (program.entries[i].num_symbols == 0)
      if (Status status =
              entries[i]->call.commit([&] { return plan(*entries[i]); });
          !status)
        return status;
  if (!memory.isPlanned())
    touchMemory();
  return host.status();
}

void CpuModel::layOutPointers() {
  int32_t position = 0;
  for (int32_t i = 0; i < program.num_steps; ++i) {
    pointersBegin.push_back(position);
    EntryPlan &plan = planOf(entryOfStep(i));
    for (int32_t j = 0; j < program.steps[i].num_buffers; ++j, ++position) {
      int32_t kind = program.buffers[program.steps[i].buffers[j]].kind;
      if (kind == TENON_BUFFER_INPUT || kind == TENON_BUFFER_OUTPUT)
        plan.callerPointers.push_back({position, program.steps[i].buffers[j]});
    }
  }
  pointers.assign(position, nullptr);
  addresses.assign(program.num_buffers, nullptr);
  arenaOffsets.assign(program.num_buffers, -1);
}

Status CpuModel::allocateKept() {
  for (int32_t i = 0; i < program.num_states; ++i) {
    Expected<int64_t> bytes = countBytes(program.states[i].value);
    if (!bytes)
      return bytes.takeError();
    Expected<Block> block = Block::allocate(memory, *bytes, "a state");
    if (!block)
      return block.takeError();
    stateData.push_back(std::move(*block));
  }
  if (Status status = resetStates(); !status)
    return status;
  prepared.resize(program.num_buffers);
  sharedPrepared.resize(program.num_buffers);
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    if (buffer.kind == TENON_BUFFER_PARAM) {
      if (Status status = parameters.reload(buffer.index); !status)
        return status;
      addresses[i] = const_cast<void *>(parameters.data(buffer.index));
    }
    if (buffer.kind == TENON_BUFFER_CONSTANT)
      addresses[i] = const_cast<void *>(buffer.data);
    if (buffer.kind == TENON_BUFFER_STATE)
      addresses[i] = stateData[buffer.index].data();
    if (buffer.kind != TENON_BUFFER_CHECK)
      continue;
    Expected<Block> block =
        Block::allocate(memory, buffer.bytes, "a check of indices");
    if (!block)
      return block.takeError();
    prepared[i] = std::move(*block);
    addresses[i] = prepared[i].data();
  }
  return Status::success();
}

/// Returns the key of each buffer's weights among all users of the
/// tenon_weights: the parameter's name for a parameter, the program's address
/// for other buffers. The address is unique while an instance of the program
/// lives, and data derived from it is freed with the last instance.
std::vector<std::string> CpuModel::listOrigins() const {
  std::vector<std::string> origins;
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    origins.push_back(
        buffer.kind == TENON_BUFFER_PARAM &&
                !settings.options.options.random_params
            ? concat("parameter ", program.params[buffer.index].name)
            : concat("buffer ", reinterpret_cast<uintptr_t>(&program), " ", i));
  }
  return origins;
}

Status CpuModel::createCalls() {
  libraries = std::make_unique<CpuLibraries>(memory, weights, listOrigins());
  calls.resize(program.num_steps);
  plugins.resize(program.num_steps);
  for (int32_t i = 0; i < program.num_steps; ++i)
    if (Status status = createCall(i); !status)
      return status;
  return Status::success();
}

Status CpuModel::createCall(int32_t index) {
  const tenon_step &step = program.steps[index];
  if (step.kind == TENON_STEP_PLUGIN) {
    Expected<std::unique_ptr<PluginCall>> plugin =
        PluginCall::create(step, libraryThreads(), workspace, settings.folder);
    if (!plugin)
      return plugin.takeError();
    plugins[index] = std::move(*plugin);
  }
  if (step.kind != TENON_STEP_LIBRARY)
    return Status::success();
  Expected<CpuLibrary *> library = libraries->open(step.call->library);
  if (!library)
    return makeError("step '", step.name, "': ", library.error());
  Expected<std::unique_ptr<LibraryCall>> call = (*library)->createCall(step);
  if (!call)
    return call.takeError();
  calls[index] = std::move(*call);
  return Status::success();
}

void CpuModel::countRawReaders() {
  rawReaders.assign(program.num_buffers, 0);
  firmReaders.assign(program.num_buffers, 0);
  countedRaw.assign(program.num_steps, false);
  for (int32_t i = program.prepare.end_step; i < program.num_steps; ++i) {
    const tenon_step &step = program.steps[i];
    // Until the weight is packed, the call reads it unpacked.
    countedRaw[i] = calls[i] && step.call->constant_weight;
    for (int32_t j = 0; j < step.num_buffers; ++j) {
      ++rawReaders[step.buffers[j]];
      firmReaders[step.buffers[j]] += !countedRaw[i] || j != 1;
    }
  }
}

/// The first instance of this program and these weights runs the prepare steps;
/// others share the resulting buffers. Buffers that the first instance has
/// released, because they are packed, are usually found packed.
Status CpuModel::obtainPrepared() {
  if (program.prepare.end_step == 0)
    return runPrepareSteps();
  std::string key = concat("prepare ", reinterpret_cast<uintptr_t>(&program));
  bool isFirst = false;
  Expected<SharedWeights::Piece> mark =
      weights.acquire(key, 0, [&](void *) -> Status {
        isFirst = true;
        if (Status status = allocatePrepared(/*isShared=*/true); !status)
          return status;
        return runPrepareSteps();
      });
  if (!mark)
    return mark.takeError();
  prepareMark = std::move(*mark);
  if (isFirst)
    return Status::success();
  bool isComplete = true;
  std::vector<std::string> origins = listOrigins();
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    if (program.buffers[i].kind != TENON_BUFFER_PREPARED || rawReaders[i] == 0)
      continue;
    Expected<SharedWeights::Piece> piece = weights.look(origins[i]);
    if (!piece)
      return piece.takeError();
    sharedPrepared[i] = std::move(*piece);
    addresses[i] = const_cast<void *>(sharedPrepared[i].data());
    isComplete &= sharedPrepared[i].isThere() || firmReaders[i] == 0;
  }
  if (!isComplete)
    return prepareAgain();
  for (int32_t i = 0; i < program.num_steps; ++i)
    if (i < program.prepare.end_step) {
      calls[i] = nullptr;
      plugins[i] = nullptr;
    }
  for (int32_t i = 0; i < program.num_buffers; ++i)
    if (rawReaders[i] == 0)
      releaseBuffer(i);
  return Status::success();
}

/// Prepares again the buffers that the first instance has released; the result
/// is not shared.
Status CpuModel::prepareAgain() {
  for (int32_t i = 0; i < program.prepare.end_step; ++i)
    if (Status status = createCall(i); !status)
      return status;
  if (Status status = allocatePrepared(/*isShared=*/false); !status)
    return status;
  return runPrepareSteps();
}

Status CpuModel::allocatePrepared(bool isShared) {
  std::vector<std::string> origins = listOrigins();
  for (int32_t i = 0; i < program.num_buffers; ++i) {
    const tenon_buffer &buffer = program.buffers[i];
    if (buffer.kind == TENON_BUFFER_PARAM) {
      if (Status status = parameters.reload(buffer.index); !status)
        return status;
      addresses[i] = const_cast<void *>(parameters.data(buffer.index));
    }
    if (buffer.kind != TENON_BUFFER_PREPARED)
      continue;
    if (isShared) {
      Expected<SharedWeights::Piece> piece = weights.acquire(
          origins[i], buffer.bytes, [](void *) { return Status::success(); });
      if (!piece)
        return piece.takeError();
      sharedPrepared[i] = std::move(*piece);
      addresses[i] = const_cast<void *>(sharedPrepared[i].data());
      continue;
    }
    sharedPrepared[i] = SharedWeights::Piece();
    Expected<Block> block =
        Block::allocate(memory, buffer.bytes, "a prepared buffer");
    if (!block)
      return block.takeError();
    prepared[i] = std::move(*block);
    addresses[i] = prepared[i].data();
  }
  return Status::success();
}

Status CpuModel::runPrepareSteps() {
  EntryState &entry = prepareEntry();
  int32_t end = entry.table.end_step;
  // Buffers that only prepare reads are released after their last reader, so
  // that raw and prepared weights are never all in memory at the same time.
  std::vector<int32_t> lastReader = findLastPrepareUses();
  if (end > 0) {
    if (Status status = planArena(entry); !status)
      return status;
    if (Status status = planScratch(entry); !status)
      return status;
    refreshPointers(entry);
    for (int32_t i = 0; i < end; ++i) {
      const tenon_step &step = program.steps[i];
      if (Status status = selectStep(entry, i); !status)
        return status;
      if (!memory.isPlanned())
        if (Status status = runStep(entry, i); !status)
          return status;
      calls[i] = nullptr;
      plugins[i] = nullptr;
      for (int32_t j = 0; j < step.num_buffers; ++j)
        if (lastReader[step.buffers[j]] == i &&
            rawReaders[step.buffers[j]] == 0)
          releaseBuffer(step.buffers[j]);
    }
    // The entries may need a smaller arena.
    planOf(entry).arenaBytes = 0;
    int64_t needed = 0;
    for (int32_t i = 0; i < program.num_entries; ++i)
      needed = std::max(needed, program.entries[i].arena_bytes);
    if (arena.size() > needed)
      arena = Block();
  }
  for (int32_t i = 0; i < program.num_buffers; ++i)
    if (lastReader[i] < 0 && rawReaders[i] == 0)
      releaseBuffer(i);
  return Status::success();
}

} // namespace tenon::runtime
