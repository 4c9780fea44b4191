//===- Shadow.h - records of the last accesses to memory ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time is counted in phases, which are never reused: each block and each
// barrier begins a new phase, and each warp-level barrier begins a new phase
// for its warp. Blocks run one after the other. The phase of an access
// therefore shows whether it was in an earlier launch, in another block of this
// launch, or in this block, before or after the last barrier. Two accesses are
// ordered if they are of different launches, of the same thread, of the same
// block with a barrier in between, or of the same warp in different phases.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMULATE_SHADOW_H
#define TENON_LIB_EMULATE_SHADOW_H

#include "tenon/Emulate/Memory.h"

#include "llvm/Support/Compiler.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace tenon::emulate {

/// An access: its phase, flags and thread. Zero means that there was none.
using Stamp = uint64_t;
constexpr unsigned phaseShift = 15;
constexpr Stamp threadBits = (1 << 11) - 1;
/// The bits that identify the warp.
constexpr Stamp warpBits = threadBits & ~Stamp(31);
/// For a writer: it is an asynchronous copy that no thread has waited for.
constexpr Stamp pendingBit = 1 << 11;
/// For a reader: other threads of its warp read in the same phase.
constexpr Stamp otherLanesBit = 1 << 12;
/// For a reader: threads of other warps read since the barrier.
constexpr Stamp otherWarpsBit = 1 << 13;
/// For a reader: earlier blocks of the same launch read.
constexpr Stamp earlierBlockBit = 1 << 14;
constexpr Stamp readerFlags = otherLanesBit | otherWarpsBit | earlierBlockBit;

inline Stamp makeStamp(uint64_t phase, unsigned thread) {
  return phase << phaseShift | thread;
}
inline uint64_t getPhase(Stamp stamp) { return stamp >> phaseShift; }
inline unsigned getThread(Stamp stamp) { return stamp & threadBits; }

/// The last accesses to some bytes that are accessed together.
struct Cell {
  Stamp writer;
  Stamp reader;
};

/// The current time: the first phases of the launch and of the block, the phase
/// that began with the last barrier, and the running warp's phase. For shared
/// memory, accesses before the block do not count.
struct Moment {
  uint64_t first;
  uint64_t blockFirst;
  uint64_t barrier;
  uint64_t phase;
};

enum class Conflict : uint8_t { None, Uninitialized, Writer, Reader, Pending };

struct FreeDeleter {
  void operator()(void *memory) const { std::free(memory); }
};

struct Allocation {
  std::string name;
  uint64_t bytes = 0;
  std::unique_ptr<uint8_t[], FreeDeleter> data;
  /// One cell per 1 << granule bytes; null for read-only memory.
  std::unique_ptr<Cell[], FreeDeleter> cells;
  unsigned granule = 2;
  bool initialized = false;
  bool readOnly = false;
  bool shared = false;
  uint64_t alignment = 1;
  Pointer start;

  uint64_t getCellCount() const {
    return (bytes + (uint64_t(1) << granule) - 1) >> granule;
  }
  /// Makes the cells small enough for `bits`, the bitwise or of an offset and a
  /// size.
  void refineFor(uint64_t bits) {
    if (LLVM_UNLIKELY(bits & ((uint64_t(1) << granule) - 1)))
      refine(bits);
  }
  void refine(uint64_t bits);
};

/// Allocates zeroed memory. Pages that are never accessed take no memory.
template <typename T>
std::unique_ptr<T[], FreeDeleter> allocateZeros(uint64_t count) {
  void *memory = std::calloc(std::max<uint64_t>(count, 1), sizeof(T));
  if (!memory)
    llvm::report_bad_alloc_error("emulated memory");
  return std::unique_ptr<T[], FreeDeleter>(static_cast<T *>(memory));
}

/// A pointer consists of the allocation's number and an offset. Offsets begin
/// at the middle of the range of the low bits, so that a small step before the
/// start does not change the number. The start has the requested alignment, and
/// no larger one.
constexpr unsigned offsetBits = 40;
/// Shared variables have the numbers 1, 2, ..., and global memory begins here.
constexpr uint64_t firstGlobalNumber = 4096;

inline Pointer makeStart(uint64_t number, uint64_t alignment) {
  return {number << offsetBits |
          ((uint64_t(1) << (offsetBits - 1)) + alignment)};
}
inline uint64_t getNumber(uint64_t pointer) { return pointer >> offsetBits; }

inline bool isSameWarp(Stamp a, Stamp b) { return !((a ^ b) & warpBits); }

/// Returns true if an access of this block is ordered before the current access
/// of `mine`'s thread.
inline bool isOrdered(Stamp access, const Moment &now, Stamp mine) {
  uint64_t phase = getPhase(access);
  return phase < now.barrier || getThread(access) == getThread(mine) ||
         (phase < now.phase && isSameWarp(access, mine));
}

/// Records a read of a cell.
inline Conflict noteRead(Cell &cell, const Moment &now, Stamp mine,
                         bool zeroIsWritten, bool shared) {
  Stamp writer = cell.writer;
  uint64_t phase = getPhase(writer);
  if (phase < now.first) {
    if (!zeroIsWritten && (writer == 0 || shared))
      return Conflict::Uninitialized;
  } else if (LLVM_UNLIKELY(writer & pendingBit)) {
    return Conflict::Pending;
  } else if (phase < now.blockFirst || !isOrdered(writer, now, mine)) {
    return Conflict::Writer;
  }
  Stamp reader = cell.reader;
  if ((reader & ~readerFlags) == mine)
    return Conflict::None;
  uint64_t before = getPhase(reader);
  if (before >= now.barrier) {
    // An earlier read that is ordered before this one can be forgotten:
    // accesses that are ordered after this read are also ordered after the
    // earlier one.
    if (reader & otherWarpsBit)
      return Conflict::None;
    if (!isSameWarp(reader, mine))
      cell.reader = reader | otherWarpsBit;
    else if (before == now.phase)
      cell.reader = reader | otherLanesBit;
    else
      cell.reader = mine | (reader & earlierBlockBit);
    return Conflict::None;
  }
  Stamp flag = 0;
  if (before >= now.first)
    flag = before < now.blockFirst ? earlierBlockBit : reader & earlierBlockBit;
  cell.reader = mine | flag;
  return Conflict::None;
}

/// Records a write of a cell.
inline Conflict noteWrite(Cell &cell, const Moment &now, Stamp mine) {
  Stamp writer = cell.writer;
  uint64_t phase = getPhase(writer);
  if (phase >= now.first) {
    if (LLVM_UNLIKELY(writer & pendingBit))
      return Conflict::Pending;
    if (phase < now.blockFirst || !isOrdered(writer, now, mine))
      return Conflict::Writer;
  }
  Stamp reader = cell.reader;
  uint64_t before = getPhase(reader);
  if (before >= now.first) {
    if (before < now.blockFirst || (reader & earlierBlockBit))
      return Conflict::Reader;
    if (before >= now.barrier &&
        ((reader & otherWarpsBit) || !isOrdered(reader, now, mine) ||
         ((reader & otherLanesBit) && before == now.phase)))
      return Conflict::Reader;
  }
  cell.writer = mine;
  return Conflict::None;
}

/// The allocations of a Memory, and its phase counter.
class MemoryState {
public:
  /// Indexed by number, from firstGlobalNumber on; null if released.
  std::vector<std::unique_ptr<Allocation>> allocations;
  /// Phase 1 is the host's.
  uint64_t nextPhase = 2;

  Allocation *find(uint64_t pointer) const {
    uint64_t index = getNumber(pointer) - firstGlobalNumber;
    return index < allocations.size() ? allocations[index].get() : nullptr;
  }
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_SHADOW_H
