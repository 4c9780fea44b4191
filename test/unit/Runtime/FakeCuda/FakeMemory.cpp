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

bool contains(const std::map<uint64_t, int64_t> &blocks, uint64_t address,
              int64_t bytes) {
  auto next = blocks.upper_bound(address);
  if (next == blocks.begin())
    return false;
  --next;
  return address + bytes <= next->first + next->second;
}

bool isFakeMemory(uint64_t address, int64_t bytes) {
  return bytes == 0 || contains(state.blocks, address, bytes);
}

static uint64_t allocate(size_t bytes) {
  ++state.allocations;
  if (state.failAllocation > 0 && --state.failAllocation == 0)
    return 0;
  // More than any device has.
  if (bytes > size_t(1) << 40)
    return 0;
  size_t rounded = (bytes + 255) / 256 * 256;
  void *memory = std::aligned_alloc(256, rounded);
  // NaN, where nothing was written; of large blocks, at the beginning.
  std::memset(memory, 0xff, std::min(rounded, size_t(1) << 20));
  return reinterpret_cast<uint64_t>(memory);
}

FAKE cuMemGetInfo_v2(size_t *free, size_t *total) {
  *total = 1000000;
  *free = *total - static_cast<size_t>(state.liveBytes);
  return check();
}
FAKE cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  CHECK;
  if (bytes == 0)
    return InvalidValue;
  *address = allocate(bytes);
  if (!*address)
    return OutOfMemory;
  state.blocks[*address] = static_cast<int64_t>(bytes);
  ++state.liveBlocks;
  state.liveBytes += static_cast<long>(bytes);
  return Success;
}
FAKE cuMemFree_v2(uint64_t address) {
  // Frees even after a fatal error, for the count.
  if (contextDepth == 0)
    return InvalidContext;
  for (Stream *stream : state.streams)
    flush(stream);
  auto block = state.blocks.find(address);
  if (block == state.blocks.end())
    return InvalidValue;
  state.liveBytes -= static_cast<long>(block->second);
  --state.liveBlocks;
  std::free(reinterpret_cast<void *>(address));
  state.blocks.erase(block);
  return state.stickyError;
}
FAKE cuMemAllocHost_v2(void **memory, size_t bytes) {
  CHECK;
  uint64_t address = allocate(bytes);
  if (!address)
    return OutOfMemory;
  state.pinned[address] = static_cast<int64_t>(bytes);
  ++state.livePinned;
  *memory = reinterpret_cast<void *>(address);
  return Success;
}
FAKE cuMemFreeHost(void *memory) {
  if (contextDepth == 0)
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
           contains(state.pinned, address, static_cast<int64_t>(bytes));
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
  CHECK;
  if (failsCopy())
    return InvalidValue;
  if (!isFakeMemory(to, static_cast<int64_t>(bytes)))
    return InvalidValue;
  if (contains(state.pinned, reinterpret_cast<uint64_t>(from),
               static_cast<int64_t>(bytes))) {
    put(stream, [=] {
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
  put(stream, [=] {
    std::memcpy(reinterpret_cast<void *>(to), content.data(), bytes);
    ++state.copiesToDevice;
  });
  return Success;
}
FAKE cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes,
                          Stream *stream) {
  CHECK;
  if (failsCopy())
    return InvalidValue;
  if (!isFakeMemory(from, static_cast<int64_t>(bytes)))
    return InvalidValue;
  put(stream, [=] {
    copy(reinterpret_cast<uint64_t>(to), from, bytes);
    ++state.copiesToHost;
  });
  return Success;
}
FAKE cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes,
                     Stream *stream) {
  CHECK;
  if (!isFakeMemory(to, static_cast<int64_t>(bytes)))
    return InvalidValue;
  put(stream, [=] {
    std::memset(reinterpret_cast<void *>(to), value, bytes);
    ++state.memsets;
  });
  return Success;
}
FAKE cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                          Stream *stream) {
  CHECK;
  if (failsCopy())
    return InvalidValue;
  if (!isFakeMemory(to, static_cast<int64_t>(bytes)) ||
      !isFakeMemory(from, static_cast<int64_t>(bytes)))
    return InvalidValue;
  put(stream, [=] {
    copy(to, from, bytes);
    ++state.copiesOnDevice;
  });
  return Success;
}
