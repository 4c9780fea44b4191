//===- CpuModelPlan.cpp - planning an entry on the CPU --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuModel.h"

#include "tenon/Runtime/ArenaPlan.h"
#include "tenon/Runtime/Parallel.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Releasing less memory than this is not worth the page faults.
static constexpr int64_t largeArena = int64_t(64) << 20;

Status CpuModel::plan(EntryState &entry) {
  LibraryWork work;
  if (Status status = evaluateSizes(entry); !status)
    return status;
  if (Status status = planArena(entry); !status)
    return status;
  if (Status status = planScratch(entry); !status)
    return status;
  for (int32_t i = entry.table.first_step; i < entry.table.end_step; ++i)
    if (Status status = selectStep(entry, i); !status)
      return status;
  refreshPointers(entry);
  return Status::success();
}

/// Places the arena buffers of an entry. The arena is kept if it is large
/// enough, so that sizes may alternate. A large arena is released if a quarter
/// of it suffices for all entries.
Status CpuModel::planArena(EntryState &entry) {
  Expected<int64_t> bytes = placeArena(entry, arenaOffsets);
  if (!bytes)
    return bytes.takeError();
  planOf(entry).arenaBytes = *bytes;
  int64_t needed = *bytes;
  for (int32_t i = 0; i < program.num_entries; ++i)
    needed =
        std::max({needed, plans[i].arenaBytes, program.entries[i].arena_bytes});
  if (arena.size() < needed ||
      (arena.size() > largeArena && arena.size() / 4 > needed)) {
    arena = Block(); // release first, so that both never exist together
    Expected<Block> block = Block::allocate(memory, needed, "the arena");
    if (!block) {
      dropPlans();
      return block.takeError();
    }
    arena = std::move(*block);
  }
  rebase(entry);
  return Status::success();
}

/// Discards all plans, because the memory that entries share was released.
void CpuModel::dropPlans() {
  for (size_t i = 0; i < plans.size(); ++i) {
    entries[i]->call.invalidate();
    plans[i].arenaBytes = 0;
  }
}

void CpuModel::rebase(EntryState &entry) {
  for (int32_t i = entry.table.first_buffer; i < entry.table.end_buffer; ++i)
    if (arenaOffsets[i] >= 0)
      addresses[i] = arena.data() + arenaOffsets[i];
  planOf(entry).arenaBase = arena.data();
}

Status CpuModel::planScratch(EntryState &entry) {
  Expected<int64_t> bytes = evaluateScratch(entry);
  if (!bytes)
    return bytes.takeError();
  int64_t stride =
      (*bytes + arenaAlignment - 1) / arenaAlignment * arenaAlignment;
  planOf(entry).scratchStride = stride;
  if (scratch.size() < stride * threads) {
    scratch = Block();
    Expected<Block> block =
        Block::allocate(memory, stride * threads, "scratch memory");
    if (!block) {
      dropPlans();
      return block.takeError();
    }
    scratch = std::move(*block);
  }
  return Status::success();
}

/// Makes the library of a step prepare for the entry's sizes.
Status CpuModel::selectStep(EntryState &entry, int32_t step) {
  if (calls[step])
    return runTask([&] { return selectCall(entry, step); });
  if (plugins[step])
    return runTask([&] { return selectPlugin(entry, step); });
  return Status::success();
}

/// Makes the library of a step choose how it computes the call. Raw weights
/// that were packed and are not read otherwise are released.
Status CpuModel::selectCall(EntryState &entry, int32_t step) {
  LibraryCall &call = *calls[step];
  const tenon_step &table = program.steps[step];
  if (!table.call->constant_weight)
    return call.select(entry.symbols(), nullptr);
  int32_t weight = table.buffers[1];
  Status selected = call.select(entry.symbols(), addresses[weight]);
  Expected<CpuLibrary *> library = libraries->open(table.call->library);
  if (!selected && (*library)->takeMissedRaw() && !addresses[weight]) {
    if (Status status = recoverRaw(weight); !status)
      return status;
    selected = call.select(entry.symbols(), addresses[weight]);
  }
  if (!selected)
    return selected;
  if (step < program.prepare.end_step)
    return Status::success();
  if (call.needsRawWeight() != countedRaw[step]) {
    countedRaw[step] = call.needsRawWeight();
    rawReaders[weight] += countedRaw[step] ? 1 : -1;
    if (rawReaders[weight] == 0)
      releaseBuffer(weight);
    else if (program.buffers[weight].kind == TENON_BUFFER_PARAM)
      // Other entries may read it; its pages are then read again.
      parameters.drop(program.buffers[weight].index);
  }
  return Status::success();
}

Status CpuModel::selectPlugin(EntryState &entry, int32_t step) {
  const tenon_step &table = program.steps[step];
  std::vector<void *> buffers;
  for (int32_t i = 0; i < table.num_buffers; ++i)
    buffers.push_back(addresses[table.buffers[i]]);
  return plugins[step]->select(entry.symbols(), buffers.data());
}

/// Makes a released weight available again if it was not packed for the layout
/// of this plan. It may have been released by another instance.
Status CpuModel::recoverRaw(int32_t buffer) {
  const tenon_buffer &table = program.buffers[buffer];
  if (table.kind == TENON_BUFFER_PREPARED) {
    if (Status status = prepareAgain(); !status)
      return status;
  } else if (table.kind == TENON_BUFFER_PARAM) {
    if (Status status = parameters.reload(table.index); !status)
      return status;
    addresses[buffer] = const_cast<void *>(parameters.data(table.index));
  }
  for (const std::unique_ptr<EntryState> &entry : entries)
    refreshPointers(*entry);
  return Status::success();
}

/// Releases the memory of a buffer that no step of a run reads unpacked.
void CpuModel::releaseBuffer(int32_t buffer) {
  const tenon_buffer &table = program.buffers[buffer];
  if (table.kind == TENON_BUFFER_PREPARED) {
    prepared[buffer] = Block();
    sharedPrepared[buffer] = SharedWeights::Piece();
    addresses[buffer] = nullptr;
  } else if (table.kind == TENON_BUFFER_PARAM) {
    // Another buffer may be the same parameter. In this case, only pages of the
    // file are dropped, which are read again on the next use.
    for (int32_t i = 0; i < program.num_buffers; ++i)
      if (i != buffer && program.buffers[i].kind == TENON_BUFFER_PARAM &&
          program.buffers[i].index == table.index)
        return parameters.drop(table.index);
    parameters.release(table.index);
    addresses[buffer] = const_cast<void *>(parameters.data(table.index));
  }
}

static void touchPages(void *data, int, int64_t lo, int64_t hi) {
  constexpr int64_t page = 4096;
  for (int64_t i = lo; i < hi; ++i) {
    // Write the page without changing its contents.
    volatile char &byte = static_cast<char *>(data)[i * page];
    byte = byte;
  }
}

/// Makes the system provide the pages that runs write, so that the first run
/// does not wait for page faults.
void CpuModel::touchMemory() {
  auto touch = [&](const Block &block) {
    parallelFor(block.size() / 4096, 256, threads, touchPages, block.data());
  };
  touch(arena);
  touch(scratch);
  for (const auto &[number, library] : *libraries)
    if (const Block *block = library->scratchMemory())
      touch(*block);
}

void CpuModel::refreshPointers(const EntryState &entry) {
  for (int32_t i = entry.table.first_step; i < entry.table.end_step; ++i)
    for (int32_t j = 0; j < program.steps[i].num_buffers; ++j)
      pointers[pointersBegin[i] + j] = addresses[program.steps[i].buffers[j]];
}

} // namespace tenon::runtime
