//===- Access.h - checked accesses to memory ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMULATE_ACCESS_H
#define TENON_LIB_EMULATE_ACCESS_H

#include "Execution.h"

namespace tenon::emulate {

/// The accesses of one instruction, which are usually to one allocation.
class Accesses {
public:
  Accesses(Warp &warp, const Instruction &instruction)
      : warp(warp), execution(*warp.execution), instruction(instruction) {}

  /// Sets the allocation and the offset of `bytes` bytes at `pointer`, which
  /// must be inside of the allocation and aligned. Otherwise reports an error
  /// and returns false.
  bool locate(unsigned lane, uint64_t pointer, uint64_t bytes,
              uint64_t alignment, bool isWrite) {
    if (LLVM_UNLIKELY(!allocation || getNumber(pointer) !=
                                         getNumber(allocation->start.bits))) {
      allocation = execution.find(pointer);
      if (!allocation)
        return failNowhere(lane, pointer, bytes, isWrite);
    }
    offset = pointer - allocation->start.bits;
    if (LLVM_UNLIKELY(offset > allocation->bytes ||
                      bytes > allocation->bytes - offset))
      return failOutside(lane, bytes, isWrite);
    if (LLVM_UNLIKELY(pointer & (alignment - 1)))
      return failMisaligned(lane, bytes, alignment, isWrite);
    if (isWrite && LLVM_UNLIKELY(allocation->readOnly))
      return failReadOnly(lane, bytes);
    return true;
  }

  /// Checks and records an access by the thread of `lane` to the located bytes,
  /// or to `bytes` bytes at offset `at` of the same allocation.
  template <bool isWrite>
  bool note(unsigned lane, uint64_t at, uint64_t bytes) {
    if (!allocation->cells)
      return true;
    // The last cell may extend beyond the end of the allocation.
    allocation->refineFor(at | bytes);
    const Moment &now = execution.getMoment(*allocation);
    Stamp mine = makeStamp(now.phase, warp.firstThread + lane);
    unsigned granule = allocation->granule;
    for (uint64_t cell = at >> granule, end = (at + bytes) >> granule;
         cell < end; ++cell) {
      Conflict conflict;
      if constexpr (isWrite)
        conflict = noteWrite(allocation->cells[cell], now, mine);
      else
        conflict = noteRead(allocation->cells[cell], now, mine,
                            allocation->initialized, allocation->shared);
      if (LLVM_UNLIKELY(conflict != Conflict::None))
        return execution.failConflict(
            warp, instruction, lane, *allocation, at, bytes,
            std::max<uint64_t>(cell << granule, at), isWrite, conflict);
    }
    return true;
  }

  uint8_t *getData() const { return allocation->data.get() + offset; }
  bool isShared() const { return allocation->shared; }

  Allocation *allocation = nullptr;
  uint64_t offset = 0;

private:
  bool failNowhere(unsigned lane, uint64_t pointer, uint64_t bytes,
                   bool isWrite);
  bool failOutside(unsigned lane, uint64_t bytes, bool isWrite);
  bool failMisaligned(unsigned lane, uint64_t bytes, uint64_t alignment,
                      bool isWrite);
  bool failReadOnly(unsigned lane, uint64_t bytes);

  Warp &warp;
  Execution &execution;
  const Instruction &instruction;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_ACCESS_H
