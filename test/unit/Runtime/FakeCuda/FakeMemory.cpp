//===- FakeMemory.cpp - memory and copies -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeState.h"

#include <algorithm>
#include <cstring>

const Block *findBlock(const Blocks &blocks, uint64_t address, int64_t bytes) {
  auto next = blocks.upper_bound(address);
  if (next == blocks.begin())
    return nullptr;
  --next;
  bool isInside =
      static_cast<int64_t>(address - next->first) + bytes <= next->second.bytes;
  return isInside ? &next->second : nullptr;
}

bool isFakeMemory(uint64_t address, int64_t bytes) {
  if (bytes == 0)
    return true;
  const Block *block = findBlock(state.blocks, address, bytes);
  return block &&
         (state.runningDevice < 0 || block->device == state.runningDevice);
}

bool isOnCurrentDevice(uint64_t address, int64_t bytes) {
  if (bytes == 0)
    return true;
  const Block *block = findBlock(state.blocks, address, bytes);
  return block && block->device == currentDevice();
}

static uint64_t allocate(size_t bytes, uint64_t (*take)(size_t bytes)) {
  ++state.allocations;
  if (state.failAllocation > 0 && --state.failAllocation == 0)
    return 0;
  // More than any device has.
  if (bytes > size_t(1) << 40)
    return 0;
  uint64_t address = take(bytes);
  // NaN, where nothing was written; of large blocks, at the beginning.
  std::memset(reinterpret_cast<void *>(address), 0xff,
              std::min(bytes, size_t(1) << 20));
  return address;
}

static uint64_t allocatePinned(size_t bytes) {
  return reinterpret_cast<uint64_t>(
      std::aligned_alloc(256, (bytes + 255) / 256 * 256));
}

FAKE cuMemGetInfo_v2(size_t *free, size_t *total) {
  Locked locked;
  *total = *free = getLimits().memoryBytes;
  for (const auto &[address, block] : state.blocks)
    if (block.device == currentDevice())
      *free -= static_cast<size_t>(block.bytes);
  return check();
}
FAKE cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  CHECK;
  if (bytes == 0)
    return InvalidValue;
  *address = allocate(bytes, allocateBlock);
  if (!*address)
    return OutOfMemory;
  state.blocks[*address] = {static_cast<int64_t>(bytes), currentDevice()};
  ++state.liveBlocks;
  state.liveBytes += static_cast<long>(bytes);
  return Success;
}
FAKE cuMemFree_v2(uint64_t address) {
  Locked locked;
  // Frees even after a fatal error, for the count.
  if (currentDevice() < 0)
    return InvalidContext;
  auto block = state.blocks.find(address);
  if (block == state.blocks.end() || block->second.device != currentDevice())
    return InvalidValue;
  // Other threads may change the list meanwhile.
  std::vector<std::shared_ptr<Queue>> queues;
  for (Stream *stream : state.streams)
    if (stream->queue->device == currentDevice())
      queues.push_back(stream->queue);
  for (const auto &queue : queues)
    flush(queue);
  block = state.blocks.find(address);
  if (block == state.blocks.end())
    return InvalidValue;
  state.liveBytes -= static_cast<long>(block->second.bytes);
  --state.liveBlocks;
  freeBlock(address);
  state.blocks.erase(block);
  return state.stickyError;
}
FAKE cuMemAllocHost_v2(void **memory, size_t bytes) {
  CHECK;
  uint64_t address = allocate(bytes, allocatePinned);
  if (!address)
    return OutOfMemory;
  state.pinned[address] = {static_cast<int64_t>(bytes), currentDevice()};
  ++state.livePinned;
  *memory = reinterpret_cast<void *>(address);
  return Success;
}
FAKE cuMemFreeHost(void *memory) {
  Locked locked;
  if (currentDevice() < 0)
    return InvalidContext;
  state.pinned.erase(reinterpret_cast<uint64_t>(memory));
  --state.livePinned;
  std::free(memory);
  return state.stickyError;
}

/// A copy that waited: by now its memory may be gone.
static void copy(uint64_t to, uint64_t from, size_t bytes) {
  auto exists = [&](uint64_t address) {
    return isFakeMemory(address, static_cast<int64_t>(bytes)) ||
           findBlock(state.pinned, address, static_cast<int64_t>(bytes));
  };
  if (!exists(to) || !exists(from)) {
    state.stickyError = IllegalAddress;
    return;
  }
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
               bytes);
  state.clock += 0.25;
}

/// Whether this copy is the one that fails.
static bool failsCopy() { return state.failCopy > 0 && --state.failCopy == 0; }

FAKE cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
                          Stream *stream) {
  CHECK_STREAM(stream);
  if (failsCopy())
    return InvalidValue;
  if (!isOnCurrentDevice(to, static_cast<int64_t>(bytes)))
    return InvalidValue;
  if (findBlock(state.pinned, reinterpret_cast<uint64_t>(from),
                static_cast<int64_t>(bytes))) {
    putReady(stream, [=] {
      copy(to, reinterpret_cast<uint64_t>(from), bytes);
      ++state.copiesToDevice;
    });
    return Success;
  }
  if (stream->capture)
    return CaptureUnsupported;
  // Memory that is not pinned is read at once.
  std::vector<char> content(static_cast<const char *>(from),
                            static_cast<const char *>(from) + bytes);
  putReady(stream, [=] {
    std::memcpy(reinterpret_cast<void *>(to), content.data(), bytes);
    ++state.copiesToDevice;
  });
  return Success;
}
FAKE cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes,
                          Stream *stream) {
  CHECK_STREAM(stream);
  if (failsCopy())
    return InvalidValue;
  if (!isOnCurrentDevice(from, static_cast<int64_t>(bytes)))
    return InvalidValue;
  putReady(stream, [=] {
    copy(reinterpret_cast<uint64_t>(to), from, bytes);
    ++state.copiesToHost;
  });
  return Success;
}
FAKE cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes,
                     Stream *stream) {
  CHECK_STREAM(stream);
  if (!isOnCurrentDevice(to, static_cast<int64_t>(bytes)))
    return InvalidValue;
  putReady(stream, [=] {
    std::memset(reinterpret_cast<void *>(to), value, bytes);
    ++state.memsets;
  });
  return Success;
}
FAKE cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                          Stream *stream) {
  CHECK_STREAM(stream);
  if (failsCopy())
    return InvalidValue;
  if (!isOnCurrentDevice(to, static_cast<int64_t>(bytes)) ||
      !isOnCurrentDevice(from, static_cast<int64_t>(bytes)))
    return InvalidValue;
  putReady(stream, [=] {
    copy(to, from, bytes);
    ++state.copiesOnDevice;
  });
  return Success;
}
