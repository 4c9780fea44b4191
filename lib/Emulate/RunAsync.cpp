//===- RunAsync.cpp - asynchronous copies to shared memory ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy changes its target only when its thread waits for it. Until then, no
// thread may access the target; afterwards, it counts as written by the thread.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Handlers.h"
#include "Lanes.h"

using namespace tenon::emulate;
using llvm::Twine;

bool tenon::emulate::runAsyncCopy(Warp &warp, const Instruction &instruction) {
  const auto *targets = warp.get<uint64_t>(instruction.operands[0]);
  const auto *sources = warp.get<uint64_t>(instruction.operands[1]);
  uint32_t bytes = static_cast<uint32_t>(instruction.immediate);
  const uint32_t *sizes = instruction.operands[2] == noUnit
                              ? nullptr
                              : warp.get<uint32_t>(instruction.operands[2]);
  Execution &execution = *warp.execution;
  Accesses target(warp, instruction), source(warp, instruction);
  return forEachLane(warp.active, [&](unsigned lane) {
    AsyncCopy copy = {};
    copy.bytes = bytes;
    copy.origin = instruction.origin;
    uint32_t size = sizes ? sizes[lane] : bytes;
    if (size > bytes)
      return execution.fail(warp, instruction, lane, ErrorKind::OutOfBounds,
                            "copies " + Twine(size) + " bytes to a target of " +
                                Twine(bytes));
    // Bytes that are filled with zeros have no source.
    if (size != 0) {
      if (!source.locate(lane, sources[lane], size, bytes, /*isWrite=*/false) ||
          !source.note<false>(lane, source.offset, size))
        return false;
      if (source.isShared())
        return execution.fail(warp, instruction, lane, ErrorKind::OutOfBounds,
                              "copies from @" + Twine(source.allocation->name) +
                                  ", which is not global memory");
      std::memcpy(copy.data, source.getData(), size);
      execution.statistics.globalReadBytes += size;
    }
    if (!target.locate(lane, targets[lane], bytes, bytes, /*isWrite=*/true))
      return false;
    if (!target.isShared())
      return execution.fail(warp, instruction, lane, ErrorKind::OutOfBounds,
                            "copies to @" + Twine(target.allocation->name) +
                                ", which is not shared memory");
    if (!target.note<true>(lane, target.offset, bytes))
      return false;
    copy.target = target.allocation;
    copy.offset = target.offset;
    unsigned granule = copy.target->granule;
    for (uint64_t cell = copy.offset >> granule;
         cell < (copy.offset + bytes) >> granule; ++cell)
      copy.target->cells[cell].writer |= pendingBit;
    ThreadCopies &mine = execution.copies[warp.firstThread + lane];
    copy.group = mine.committed;
    mine.copies.push_back(copy);
    return true;
  });
}

bool tenon::emulate::runAsyncCommit(Warp &warp,
                                    const Instruction &instruction) {
  return forEachLane(warp.active, [&](unsigned lane) {
    ++warp.execution->copies[warp.firstThread + lane].committed;
    return true;
  });
}

bool tenon::emulate::runAsyncWait(Warp &warp, const Instruction &instruction) {
  Execution &execution = *warp.execution;
  return forEachLane(warp.active, [&](unsigned lane) {
    unsigned thread = warp.firstThread + lane;
    ThreadCopies &mine = execution.copies[thread];
    size_t done = 0;
    // Groups complete in the order in which they were committed.
    for (; done < mine.copies.size(); ++done) {
      AsyncCopy &copy = mine.copies[done];
      if (copy.group + instruction.immediate >= mine.committed)
        break;
      std::memcpy(copy.target->data.get() + copy.offset, copy.data, copy.bytes);
      Stamp stamp = makeStamp(execution.sharedMoment.phase, thread);
      unsigned granule = copy.target->granule;
      for (uint64_t cell = copy.offset >> granule;
           cell < (copy.offset + copy.bytes) >> granule; ++cell)
        copy.target->cells[cell].writer = stamp;
      execution.statistics.sharedWrittenBytes += copy.bytes;
    }
    mine.copies.erase(mine.copies.begin(), mine.copies.begin() + done);
    return true;
  });
}
