//===- Memory.h - memory of an instance ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_MEMORY_H
#define TENON_LIB_RUNTIME_MEMORY_H

#include "tenon/Artifact/Status.h"

#include <cstddef>
#include <cstdint>

namespace tenon::runtime {

/// Memory aligned to 64 bytes, zero at first.
class Block {
public:
  /// `what` names the use in the message: "the arena".
  static artifact::Expected<Block> allocate(int64_t bytes, const char *what);

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
