//===- Memory.h - global memory of emulated kernels -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models global memory as a set of allocations that record which of their bytes
// were written, and by which thread. Each buffer has its own allocation, even
// if buffers share one arena on a GPU. A pointer that leaves its buffer is then
// an error, regardless of what is stored there.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EMULATE_MEMORY_H
#define TENON_EMULATE_MEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace tenon::emulate {

/// An address of emulated memory: an allocation, and an offset in bytes from
/// its start. The default is the null pointer.
struct Pointer {
  uint64_t bits = 0;

  /// Returns the address `bytes` further, which may be outside of the
  /// allocation.
  Pointer operator+(int64_t bytes) const {
    return {bits + static_cast<uint64_t>(bytes)};
  }
  bool operator==(Pointer other) const { return bits == other.bits; }
};

struct AllocationOptions {
  /// Whether the bytes (zeros) count as written. Otherwise, reading a byte
  /// before a kernel or `write` wrote it is an error.
  bool initialized = true;
  /// Whether kernels may not write the memory. Such memory needs no shadow, so
  /// that weights take only their own size.
  bool readOnly = false;
  /// The alignment of the start, in bytes: a power of two of at most 4096. The
  /// start has no larger alignment, so that kernels which rely on one are
  /// detected.
  uint64_t alignment = 256;
};

class MemoryState;

/// Global memory. Only one launch at a time may use it. Launches are ordered,
/// so that only accesses of the same launch can race. Except for read-only
/// memory, it takes five times the bytes that kernels access.
class Memory {
public:
  Memory();
  ~Memory();
  Memory(Memory &&);
  Memory &operator=(Memory &&);

  /// Creates an allocation of `bytes` zeros. Errors refer to it by `name`.
  Pointer allocate(llvm::StringRef name, uint64_t bytes,
                   AllocationOptions options = {});

  /// Creates an allocation that contains `contents`.
  Pointer allocate(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents,
                   AllocationOptions options = {});

  /// Removes the allocation that starts at `start`. Pointers to it are never
  /// valid again.
  void release(Pointer start);

  /// Returns all bytes of the allocation that contains `pointer`. They stay
  /// valid until it is released. Bytes that are written through the result do
  /// not become initialized.
  llvm::MutableArrayRef<uint8_t> getBytes(Pointer pointer);
  llvm::ArrayRef<uint8_t> getBytes(Pointer pointer) const;

  /// Returns the bytes as numbers of type `T`, from the allocation's start.
  template <typename T> llvm::MutableArrayRef<T> getElements(Pointer pointer) {
    llvm::MutableArrayRef<uint8_t> bytes = getBytes(pointer);
    return {reinterpret_cast<T *>(bytes.data()), bytes.size() / sizeof(T)};
  }

  /// Copies `contents` to `pointer`, as the host does between launches, which
  /// makes these bytes initialized. They must be inside of the allocation.
  void write(Pointer pointer, llvm::ArrayRef<uint8_t> contents);

  /// Makes all bytes of the allocation uninitialized, for memory that is reused
  /// for another purpose.
  void forget(Pointer pointer);

  /// Returns the first byte of the allocation that was never written, counted
  /// from its start, or nullopt if all bytes were written. Tests whether a
  /// kernel filled its result.
  std::optional<uint64_t> findUninitialized(Pointer pointer) const;

  MemoryState &getState() { return *state; }

private:
  std::unique_ptr<MemoryState> state;
};

} // namespace tenon::emulate

#endif // TENON_EMULATE_MEMORY_H
