//===- Memory.h - global memory of emulated kernels -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Global memory as a set of allocations that know which of their bytes were
// written, and by whom. Each buffer gets an allocation of its own, also where
// buffers share one arena in real life: a pointer that leaves its buffer is
// then an error, whatever lies there.
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

/// An address of emulated memory: an allocation and a distance in bytes from
/// its start. The default is the null pointer.
struct Pointer {
  uint64_t bits = 0;

  /// The address `bytes` further on, which may lie outside of the allocation.
  Pointer operator+(int64_t bytes) const {
    return {bits + static_cast<uint64_t>(bytes)};
  }
  bool operator==(Pointer other) const { return bits == other.bits; }
};

struct AllocationOptions {
  /// Whether the bytes (zeros) count as written. Where they do not, reading a
  /// byte before a kernel or `write` wrote it is an error.
  bool initialized = true;
  /// Kernels may not write. Such memory needs no shadow, so that weights cost
  /// only their own size.
  bool readOnly = false;
  /// What the start is a multiple of, in bytes: a power of two of at most
  /// 4096. It is a multiple of nothing more, so that kernels which rely on
  /// more are found out.
  uint64_t alignment = 256;
};

class MemoryState;

/// Global memory. One launch at a time may use it; launches are ordered, so
/// that only accesses of one launch race. Other memory takes five times the
/// bytes that kernels touched.
class Memory {
public:
  Memory();
  ~Memory();
  Memory(Memory &&);
  Memory &operator=(Memory &&);

  /// A new allocation of `bytes` zeros, which errors call by `name`.
  Pointer allocate(llvm::StringRef name, uint64_t bytes,
                   AllocationOptions options = {});

  /// A new allocation that holds `contents`.
  Pointer allocate(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents,
                   AllocationOptions options = {});

  /// Forgets the allocation that starts at `start`. Pointers to it stay
  /// invalid for ever.
  void release(Pointer start);

  /// All bytes of the allocation that `pointer` points into (anywhere). They
  /// stay valid until it is released. What is written this way does not count
  /// as initialized.
  llvm::MutableArrayRef<uint8_t> getBytes(Pointer pointer);
  llvm::ArrayRef<uint8_t> getBytes(Pointer pointer) const;

  /// The bytes as numbers: of type `T`, from the allocation's start.
  template <typename T> llvm::MutableArrayRef<T> getElements(Pointer pointer) {
    llvm::MutableArrayRef<uint8_t> bytes = getBytes(pointer);
    return {reinterpret_cast<T *>(bytes.data()), bytes.size() / sizeof(T)};
  }

  /// Copies `contents` to `pointer`, as the host does between launches; they
  /// count as initialized. They must lie inside of the allocation.
  void write(Pointer pointer, llvm::ArrayRef<uint8_t> contents);

  /// Makes all bytes of the allocation uninitialized, for memory that is
  /// used again for another purpose.
  void forget(Pointer pointer);

  /// The first byte of the allocation that nobody wrote, counted from its
  /// start; none where all are written. Says whether a kernel filled its
  /// result.
  std::optional<uint64_t> findUninitialized(Pointer pointer) const;

  MemoryState &getState() { return *state; }

private:
  std::unique_ptr<MemoryState> state;
};

} // namespace tenon::emulate

#endif // TENON_EMULATE_MEMORY_H
