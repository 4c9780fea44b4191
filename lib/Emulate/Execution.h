//===- Execution.h - execution of a launch --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes of a warp run together while they follow the same path. If they
// diverge, the lanes that are behind in the code run first, so that all lanes
// converge where the paths join. Each warp runs until a barrier or its end.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMULATE_EXECUTION_H
#define TENON_LIB_EMULATE_EXECUTION_H

#include "Program.h"
#include "Shadow.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"

namespace tenon::emulate {

class Execution;

/// Lanes that wait until the others reach `pc`.
struct Group {
  uint32_t pc;
  Mask lanes;
};

struct Warp {
  enum class State : uint8_t { Running, AtBarrier, Done, Failed };

  Unit *registers = nullptr;
  Execution *execution = nullptr;
  /// The next instruction.
  uint32_t pc = 0;
  Mask active = 0;
  unsigned activeCount = 0;
  /// Lanes that have a thread, and those that have not returned yet.
  Mask existing = 0;
  Mask alive = 0;
  /// The number in the block of lane 0's thread.
  uint32_t firstThread = 0;
  /// The phase that began with the last barrier of the block or of this warp.
  uint64_t phase = 0;
  State state = State::Running;
  /// All groups have a larger pc than the active lanes. The group with the
  /// smallest pc is last.
  llvm::SmallVector<Group, 8> waiting;

  template <typename T> T *get(uint32_t unit) {
    return reinterpret_cast<T *>(registers + unit);
  }
  void setActive(Mask lanes) {
    active = lanes;
    activeCount = llvm::popcount(lanes);
  }
  /// Makes `lanes` wait for `target`.
  void park(uint32_t target, Mask lanes);
  /// Activates the lanes that are furthest behind. Returns false if there are
  /// none.
  bool unpark();
};

/// Calls `fn` for each lane of a mask until it returns false.
template <typename Fn> bool forEachLane(Mask lanes, Fn fn) {
  for (; lanes; lanes &= lanes - 1)
    if (!fn(static_cast<unsigned>(llvm::countr_zero(lanes))))
      return false;
  return true;
}

/// A copy to shared memory that no thread waited for yet.
struct AsyncCopy {
  Allocation *target;
  uint64_t offset;
  uint32_t bytes;
  /// The number of groups that the thread had committed before the copy was
  /// issued.
  uint32_t group;
  uint32_t origin;
  uint8_t data[16];
};

struct ThreadCopies {
  std::vector<AsyncCopy> copies;
  uint32_t committed = 0;
};

class Execution {
public:
  Execution(const Program &program, const LaunchConfig &config,
            MemoryState &memory, LaunchStatistics &statistics);

  /// Runs all blocks.
  llvm::Error run(llvm::ArrayRef<Argument> arguments);

  /// Returns the allocation that a pointer belongs to, or null if there is
  /// none.
  Allocation *find(uint64_t pointer) {
    uint64_t number = getNumber(pointer);
    if (number >= firstGlobalNumber)
      return memory.find(pointer);
    return number - 1 < shared.size() ? &shared[number - 1] : nullptr;
  }
  const Moment &getMoment(const Allocation &allocation) const {
    return allocation.shared ? sharedMoment : globalMoment;
  }

  /// Ends the launch with an error at `lane`'s thread. Returns false.
  bool fail(Warp &warp, const Instruction &instruction, unsigned lane,
            ErrorKind kind, const llvm::Twine &what);
  /// Like the above, for an access to `bytes` bytes at `offset`, of which the
  /// byte at `place` has the conflict.
  bool failConflict(Warp &warp, const Instruction &instruction, unsigned lane,
                    const Allocation &allocation, uint64_t offset,
                    uint64_t bytes, uint64_t place, bool isWrite,
                    Conflict conflict);
  /// Orders the previous accesses of the running warp's lanes before their next
  /// accesses.
  void passWarpBarrier(Warp &warp) {
    warp.phase = memory.nextPhase++;
    globalMoment.phase = sharedMoment.phase = warp.phase;
  }
  /// Returns text such as "thread (3,0,0)".
  std::string describeThread(unsigned thread) const;

  const Program &program;
  const LaunchConfig &config;
  MemoryState &memory;
  LaunchStatistics &statistics;
  std::vector<Allocation> shared;
  std::vector<ThreadCopies> copies;
  Moment globalMoment, sharedMoment;
  uint64_t budgetLeft;
  unsigned threadCount, warpCount;

private:
  std::optional<EmulationError> checkLaunch(llvm::ArrayRef<Argument> arguments);
  void prepare(llvm::ArrayRef<Argument> arguments);
  void
  fillSpecial(Special special,
              llvm::function_ref<uint64_t(unsigned warp, unsigned lane)> value);
  bool runBlock();
  bool runWarp(Warp &warp);
  bool passBarrier();
  /// Begins a new phase for all warps.
  void beginPhase();
  bool checkCopiesDone();
  std::string describeBlock(uint64_t block) const;
  std::string describeAccessor(Stamp stamp) const;
  std::string describeWhere(const Instruction &instruction) const;

  std::unique_ptr<Unit[]> registers;
  std::vector<Warp> warps;
  std::array<uint32_t, 3> block = {0, 0, 0};
  /// The first phase of each block that has run.
  std::vector<uint64_t> blockPhases;
  std::optional<EmulationError> error;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_EXECUTION_H
