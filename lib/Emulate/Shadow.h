//===- Shadow.h - who accessed a byte last --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time is counted in phases, which never repeat: a block begins a new one, so
// does each barrier, and each barrier of a warp for this warp. Blocks run one
// after the other, so that the phase of an access says whether it was in an
// earlier launch, in another block of this launch, or in this block, before the
// last barrier or after it. Two accesses are ordered if they are of different
// launches, of one thread, of one block with a barrier in between, or of one
// warp in different phases.
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

/// An access: its phase, flags and thread. Zero: there was none.
using Stamp = uint64_t;
constexpr unsigned phaseShift = 15;
constexpr Stamp threadBits = (1 << 11) - 1;
/// Those that say the warp.
constexpr Stamp warpBits = threadBits & ~Stamp(31);
/// Of a writer: an asynchronous copy that was not waited for.
constexpr Stamp pendingBit = 1 << 11;
/// Of a reader: other threads of its warp read in the same phase.
constexpr Stamp otherLanesBit = 1 << 12;
/// Of a reader: threads of other warps read since the barrier.
constexpr Stamp otherWarpsBit = 1 << 13;
/// Of a reader: earlier blocks of the same launch read.
constexpr Stamp earlierBlockBit = 1 << 14;
constexpr Stamp readerFlags = otherLanesBit | otherWarpsBit | earlierBlockBit;

inline Stamp makeStamp(uint64_t phase, unsigned thread) {
  return phase << phaseShift | thread;
}
inline uint64_t getPhase(Stamp stamp) { return stamp >> phaseShift; }
inline unsigned getThread(Stamp stamp) { return stamp & threadBits; }

/// The last accesses of some bytes that are accessed together.
struct Cell {
  Stamp writer;
  Stamp reader;
};

/// The present: the first phases of the launch and of the block, the one that
/// began with the last barrier, and the running warp's. Of shared memory,
/// nothing before the block counts.
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
  /// One cell for 1 << granule bytes; none for read-only memory.
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
  /// Makes the cells small enough for `bits`, an offset or'ed with a size.
  void refineFor(uint64_t bits) {
    if (LLVM_UNLIKELY(bits & ((uint64_t(1) << granule) - 1)))
      refine(bits);
  }
  void refine(uint64_t bits);
};

/// Memory of zeros; pages that nobody touches cost nothing.
template <typename T>
std::unique_ptr<T[], FreeDeleter> allocateZeros(uint64_t count) {
  void *memory = std::calloc(std::max<uint64_t>(count, 1), sizeof(T));
  if (!memory)
    llvm::report_bad_alloc_error("emulated memory");
  return std::unique_ptr<T[], FreeDeleter>(static_cast<T *>(memory));
}

/// Pointers: the allocation's number, and the offset from the middle of what
/// the low bits can count, so that a small step before the start does not
/// reach another number. The start itself is aligned as asked for, not more.
constexpr unsigned offsetBits = 40;
/// Shared variables are 1, 2, ...; global memory begins here.
constexpr uint64_t firstGlobalNumber = 4096;

inline Pointer makeStart(uint64_t number, uint64_t alignment) {
  return {number << offsetBits |
          ((uint64_t(1) << (offsetBits - 1)) + alignment)};
}
inline uint64_t getNumber(uint64_t pointer) { return pointer >> offsetBits; }

inline bool isSameWarp(Stamp a, Stamp b) { return !((a ^ b) & warpBits); }

/// Whether an access of this block comes before the present of `mine`'s thread.
inline bool isOrdered(Stamp access, const Moment &now, Stamp mine) {
  uint64_t phase = getPhase(access);
  return phase < now.barrier || getThread(access) == getThread(mine) ||
         (phase < now.phase && isSameWarp(access, mine));
}

/// Notes a read of a cell.
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
    // An earlier read that comes before this one need not be remembered: what
    // comes after this one comes after it, too.
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

/// Notes a write of a cell.
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

/// The allocations of a Memory, and its clock.
class MemoryState {
public:
  /// By number, from firstGlobalNumber on; null where released.
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
