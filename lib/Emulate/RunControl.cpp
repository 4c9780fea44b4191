//===- RunControl.cpp - jumps, barriers, selection and moves --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Lanes.h"

using namespace tenon::emulate;
using llvm::Twine;

/// Continues at `target`, or with lanes that are further behind.
static void goTo(Warp &warp, uint32_t target) {
  if (warp.waiting.empty() || warp.waiting.back().pc >= target) {
    warp.pc = target;
    return;
  }
  Mask lanes = warp.active;
  warp.unpark();
  warp.park(target, lanes);
}

bool tenon::emulate::runJump(Warp &warp, const Instruction &instruction) {
  goTo(warp, instruction.immediate);
  return true;
}

bool tenon::emulate::runBranchIfNot(Warp &warp,
                                    const Instruction &instruction) {
  const auto *condition = warp.get<uint32_t>(instruction.operands[0]);
  Mask taken = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    taken |= (condition[lane] & 1u) << lane;
  Mask leave = warp.active & ~taken;
  if (!leave)
    return true;
  uint32_t target = instruction.immediate;
  if (leave == warp.active) {
    goTo(warp, target);
    return true;
  }
  // All conditional jumps are forward, so that the lanes that do not jump are
  // behind.
  warp.park(target, leave);
  warp.setActive(warp.active & taken);
  return true;
}

bool tenon::emulate::runJoin(Warp &warp, const Instruction &instruction) {
  if (!warp.waiting.empty() && warp.waiting.back().pc == warp.pc - 1)
    warp.setActive(warp.active | warp.waiting.pop_back_val().lanes);
  return true;
}

bool tenon::emulate::runReturn(Warp &warp, const Instruction &instruction) {
  warp.alive &= ~warp.active;
  if (warp.unpark())
    return true;
  warp.state = Warp::State::Done;
  return false;
}

/// Reports an error if not all threads of the warp are active.
static bool checkAllLanes(Warp &warp, const Instruction &instruction) {
  if (Mask missing = warp.existing & ~warp.active) {
    unsigned lane = llvm::countr_zero(missing);
    bool returned = !(warp.alive & (1u << lane));
    return warp.execution->fail(
        warp, instruction, llvm::countr_zero(warp.active), ErrorKind::Divergent,
        "waits at a barrier that " +
            warp.execution->describeThread(warp.firstThread + lane) +
            (returned ? " has returned before" : " does not reach with it"));
  }
  return true;
}

bool tenon::emulate::runWarpBarrier(Warp &warp,
                                    const Instruction &instruction) {
  const auto *masks = warp.get<uint32_t>(instruction.operands[0]);
  bool isWhole = forEachLane(warp.active, [&](unsigned lane) {
    if (!(warp.existing & ~masks[lane]))
      return true;
    return warp.execution->fail(
        warp, instruction, lane, ErrorKind::Unsupported,
        "waits for some lanes of its warp: only barriers of all are emulated");
  });
  if (!isWhole || !checkAllLanes(warp, instruction))
    return false;
  warp.execution->passWarpBarrier(warp);
  return true;
}

bool tenon::emulate::runBarrier(Warp &warp, const Instruction &instruction) {
  if (!checkAllLanes(warp, instruction))
    return false;
  warp.state = Warp::State::AtBarrier;
  return false;
}

bool tenon::emulate::runCheckDefined(Warp &warp,
                                     const Instruction &instruction) {
  const auto *undefined = warp.get<uint32_t>(instruction.operands[0]);
  return forEachLane(warp.active, [&](unsigned lane) {
    if (!undefined[lane])
      return true;
    return warp.execution->fail(warp, instruction, lane,
                                ErrorKind::Uninitialized,
                                "uses an undefined value (poison)");
  });
}

template <typename T>
static bool runSelect(Warp &warp, const Instruction &instruction) {
  auto *__restrict result = warp.get<T>(instruction.result);
  const auto *__restrict condition =
      warp.get<uint32_t>(instruction.operands[0]);
  const auto *__restrict a = warp.get<T>(instruction.operands[1]);
  const auto *__restrict b = warp.get<T>(instruction.operands[2]);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result[lane] = condition[lane] ? a[lane] : b[lane];
  return true;
}

Handler tenon::emulate::findSelectHandler(Kind kind) {
  return isWide(kind) ? Handler(runSelect<uint64_t>) : runSelect<uint32_t>;
}

template <typename T>
static bool runExtract(Warp &warp, const Instruction &instruction) {
  auto *result = warp.get<T>(instruction.result);
  const auto *position = warp.get<uint64_t>(instruction.operands[0]);
  const uint32_t *elements =
      warp.execution->program.lists.data() + instruction.operands[1];
  unsigned count = instruction.operands[2];
  return forEachLane(warp.active, [&](unsigned lane) {
    if (position[lane] >= count)
      return warp.execution->fail(
          warp, instruction, lane, ErrorKind::OutOfBounds,
          "takes element " + Twine(static_cast<int64_t>(position[lane])) +
              " of a vector of " + Twine(count));
    result[lane] = warp.get<T>(elements[position[lane]])[lane];
    return true;
  });
}

Handler tenon::emulate::findExtractHandler(Kind kind) {
  return isWide(kind) ? Handler(runExtract<uint64_t>) : runExtract<uint32_t>;
}

template <typename T>
static bool runInsert(Warp &warp, const Instruction &instruction) {
  const auto *position = warp.get<uint64_t>(instruction.operands[0]);
  const uint32_t *elements =
      warp.execution->program.lists.data() + instruction.operands[1];
  unsigned count = instruction.operands[2];
  constexpr unsigned units = sizeof(T) / sizeof(uint32_t);
  const auto *value = warp.get<T>(instruction.extra);
  return forEachLane(warp.active, [&](unsigned lane) {
    if (position[lane] >= count)
      return warp.execution->fail(
          warp, instruction, lane, ErrorKind::OutOfBounds,
          "sets element " + Twine(static_cast<int64_t>(position[lane])) +
              " of a vector of " + Twine(count));
    for (unsigned i = 0; i < count; ++i)
      warp.get<T>(instruction.result + i * units)[lane] =
          i == position[lane] ? value[lane] : warp.get<T>(elements[i])[lane];
    return true;
  });
}

Handler tenon::emulate::findInsertHandler(Kind kind) {
  return isWide(kind) ? Handler(runInsert<uint64_t>) : runInsert<uint32_t>;
}

template <typename T>
static bool runMove(Warp &warp, const Instruction &instruction) {
  auto *result = warp.get<T>(instruction.result);
  const auto *a = warp.get<T>(instruction.operands[0]);
  if (warp.active == ~0u) {
    std::memmove(result, a, sizeof(T) * warpSize);
    return true;
  }
  return forEachLane(warp.active, [&](unsigned lane) {
    result[lane] = a[lane];
    return true;
  });
}

Handler tenon::emulate::findMoveHandler(Kind kind) {
  return isWide(kind) ? Handler(runMove<uint64_t>) : runMove<uint32_t>;
}
