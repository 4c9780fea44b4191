//===- Memory.h - memory of instances on the host -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_MEMORY_H
#define TENON_LIB_RUNTIME_MEMORY_H

#include "tenon/Artifact/ABI.h"
#include "tenon/Artifact/Status.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tenon::runtime {

/// Where an instance, or weights, have their memory from, and how much they
/// may have. Outlives its blocks.
class HostMemory {
public:
  /// The system's, without a limit.
  HostMemory() = default;
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;

  /// Once, before there are blocks. `limit` in bytes; 0: none.
  artifact::Status adopt(const tenon_allocator *allocator, uint64_t limit);

  bool isSystem() const { return !allocator; }
  const std::optional<tenon_allocator> &getAllocator() const {
    return allocator;
  }

  /// Counts memory against the limit. `what` names the use in the message: "the
  /// arena".
  artifact::Status take(int64_t bytes, const char *what);
  void give(int64_t bytes) { used.fetch_sub(bytes); }

private:
  std::optional<tenon_allocator> allocator;
  int64_t limit = INT64_MAX;
  std::atomic<int64_t> used{0};
};

/// Memory aligned to 64 bytes, zero at first.
class Block {
public:
  static artifact::Expected<Block> allocate(HostMemory &memory, int64_t bytes,
                                            const char *what);

  Block() = default;
  Block(Block &&other) noexcept { swap(other); }
  Block &operator=(Block &&other) noexcept {
    Block moved(static_cast<Block &&>(other));
    swap(moved);
    return *this;
  }
  ~Block();

  char *data() const { return begin; }
  int64_t size() const { return bytes; }

private:
  void swap(Block &other);

  HostMemory *memory = nullptr;
  char *begin = nullptr;
  int64_t bytes = 0;
};

/// Counts how often this process took memory for instances or gave it back, on
/// any device.
uint64_t memoryChanges();
void noteMemoryChange();

/// Lets the system take back the whole pages inside a private file mapping;
/// they are read again on the next use.
void dropPages(const void *data, int64_t bytes);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_MEMORY_H
