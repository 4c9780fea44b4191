//===- Memory.h - host memory of instances --------------------------------===//
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
#include <map>
#include <optional>
#include <string>

namespace tenon::runtime {

/// The allocator and the memory limit of an instance or of weights. Must
/// outlive its blocks.
class HostMemory {
public:
  /// Uses the system's allocator, without a limit.
  HostMemory() = default;
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;

  /// Must be called at most once, before there are blocks. `limit` is in bytes;
  /// 0: no limit.
  artifact::Status adopt(const tenon_allocator *allocator, uint64_t limit);
  /// Likewise, instead of `adopt`: uses the other memory's allocator, and
  /// counts what it takes against that limit as well.
  void join(HostMemory &other);
  /// Blocks have addresses from now on, but are not to be used: what is counted
  /// is how much there would be.
  void plan() { isPlan = true; }

  bool isPlanned() const { return isPlan; }
  bool isSystem() const { return !allocator; }
  const std::optional<tenon_allocator> &getAllocator() const {
    return allocator;
  }

  /// Counts memory against the limit. `what` names the use in the message, such
  /// as "the arena", and is a constant.
  artifact::Status take(int64_t bytes, const char *what);
  void give(int64_t bytes, const char *what = "");

  /// If memory is planned: what was in use when most was, by use.
  const std::map<std::string, int64_t> &getMostUses() const { return most; }
  int64_t getMostBytes() const { return mostBytes; }

private:
  void record(int64_t bytes, const char *what);

  HostMemory *joined = nullptr;
  bool isPlan = false;
  std::optional<tenon_allocator> allocator;
  int64_t limit = INT64_MAX;
  std::atomic<int64_t> used{0};
  /// Planned memory has one user.
  std::map<std::string, int64_t> uses, most;
  int64_t mostBytes = 0;
};

/// Zero-initialized memory, aligned to 64 bytes.
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
  const char *what = nullptr;
  char *begin = nullptr;
  int64_t bytes = 0;
};

/// Returns how often this process has allocated or freed memory of instances,
/// on any device.
uint64_t memoryChanges();
void noteMemoryChange();

/// Allows the system to drop the whole pages inside a private file mapping;
/// they are read again on the next use.
void dropPages(const void *data, int64_t bytes);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_MEMORY_H
