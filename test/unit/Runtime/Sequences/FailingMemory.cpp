//===- FailingMemory.cpp - memory that runs out when a test says so
//---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FailingMemory.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <sys/types.h>

static thread_local int countdown = 0, left = 0, failed = 0;
static thread_local bool sparesObjects = false;

/// Whether this request is one of those that fail.
static bool fails() {
  if (countdown == 0)
    return false;
  if (countdown > 1) {
    --countdown;
    return false;
  }
  if (left == 0)
    return false;
  --left;
  ++failed;
  return true;
}

namespace tenon::runtime {

FailingMemory::FailingMemory(int number, int further, bool onlyBlocks) {
  sparesObjects = onlyBlocks;
  countdown = number;
  left = 1 + further;
  failed = 0;
}
FailingMemory::~FailingMemory() { countdown = left = 0; }
int FailingMemory::failures() const { return failed; }

} // namespace tenon::runtime

extern "C" {
void *__real_mmap(void *, size_t, int, int, int, off_t);
void *__real_aligned_alloc(size_t, size_t);
extern const char __executable_start, etext;

void *__wrap_mmap(void *address, size_t bytes, int protection, int flags,
                  int file, off_t offset) {
  if (fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return __real_mmap(address, bytes, protection, flags, file, offset);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return fails() ? nullptr : __real_aligned_alloc(alignment, bytes);
}
}

void *operator new(size_t bytes) {
  // Not of oneDNN, whose C functions can't throw.
  auto caller = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  bool isOurs = caller >= reinterpret_cast<uintptr_t>(&__executable_start) &&
                caller < reinterpret_cast<uintptr_t>(&etext);
  void *memory =
      isOurs && !sparesObjects && fails() ? nullptr : std::malloc(bytes);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
