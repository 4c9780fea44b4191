//===- Launch.cpp - execution of the blocks of a launch -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"
#include "Handlers.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstring>

using namespace tenon::emulate;
using llvm::ArrayRef;
using llvm::Twine;

void Warp::park(uint32_t target, Mask lanes) {
  for (size_t i = waiting.size(); i-- > 0;) {
    if (waiting[i].pc == target) {
      waiting[i].lanes |= lanes;
      return;
    }
    if (waiting[i].pc > target) {
      waiting.insert(waiting.begin() + i + 1, {target, lanes});
      return;
    }
  }
  waiting.insert(waiting.begin(), {target, lanes});
}

bool Warp::unpark() {
  if (waiting.empty())
    return false;
  Group group = waiting.pop_back_val();
  pc = group.pc;
  setActive(group.lanes);
  return true;
}

Execution::Execution(const Program &program, const LaunchConfig &config,
                     MemoryState &memory, LaunchStatistics &statistics)
    : program(program), config(config), memory(memory), statistics(statistics),
      budgetLeft(config.instructionBudget) {
  threadCount = config.block[0] * config.block[1] * config.block[2];
  warpCount = (threadCount + warpSize - 1) / warpSize;
}

/// Returns an error if the arguments or the configuration do not match the
/// kernel.
std::optional<EmulationError>
Execution::checkLaunch(ArrayRef<Argument> arguments) {
  auto bad = [&](const Twine &what) {
    return EmulationError(ErrorKind::BadLaunch,
                          (getName(ErrorKind::BadLaunch) + ": kernel @" +
                           program.name + ": " + what)
                              .str());
  };
  uint64_t threads = 1, blocks = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    threads *= std::min<uint64_t>(config.block[dim], 2048);
    blocks *= std::min<uint64_t>(config.grid[dim], uint64_t(1) << 31);
    if (blocks > uint64_t(1) << 31)
      return bad("expected a grid of at most 2^31 blocks");
    if (program.knownBlockSize &&
        (*program.knownBlockSize)[dim] != config.block[dim])
      return bad("expected blocks of size " +
                 Twine((*program.knownBlockSize)[dim]) + " in dimension " +
                 Twine(dim) + ", but got " + Twine(config.block[dim]));
    if (program.knownGridSize &&
        (*program.knownGridSize)[dim] != config.grid[dim])
      return bad("expected a grid of size " +
                 Twine((*program.knownGridSize)[dim]) + " in dimension " +
                 Twine(dim) + ", but got " + Twine(config.grid[dim]));
  }
  if (threads < 1 || threads > 1024)
    return bad("expected 1 to 1024 threads in a block");
  if (blocks < 1)
    return bad("expected at least one block");
  if (arguments.size() != program.parameters.size())
    return bad("expected " + Twine(program.parameters.size()) +
               " arguments, but got " + Twine(arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Parameter &parameter = program.parameters[i];
    Argument::Kind expected = parameter.isPointer ? Argument::Kind::Pointer
                              : isFloat(parameter.kind)
                                  ? Argument::Kind::Float
                                  : Argument::Kind::Integer;
    static const char *const names[] = {"a pointer", "an integer", "a float"};
    if (arguments[i].getKind() != expected)
      return bad("argument " + Twine(i) + ": expected " +
                 names[static_cast<int>(expected)] + ", but got " +
                 names[static_cast<int>(arguments[i].getKind())]);
  }
  return std::nullopt;
}

static void fillLane(Warp &warp, uint32_t unit, Kind kind, unsigned lane,
                     uint64_t bits) {
  if (isWide(kind))
    warp.get<uint64_t>(unit)[lane] = bits;
  else
    warp.get<uint32_t>(unit)[lane] = static_cast<uint32_t>(bits);
}

void Execution::fillSpecial(
    Special special,
    llvm::function_ref<uint64_t(unsigned warp, unsigned lane)> value) {
  uint32_t unit = program.specials[static_cast<unsigned>(special)];
  if (unit == noUnit)
    return;
  for (unsigned warp = 0; warp < warpCount; ++warp)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      warps[warp].get<uint64_t>(unit)[lane] = value(warp, lane);
}

/// Allocates shared memory and registers, and initializes values that do not
/// depend on the block.
void Execution::prepare(ArrayRef<Argument> arguments) {
  for (const SharedVariable &variable : program.shared) {
    Allocation allocation;
    allocation.name = variable.name;
    allocation.bytes =
        variable.isDynamic ? config.dynamicSharedBytes : variable.bytes;
    allocation.data = allocateZeros<uint8_t>(allocation.bytes);
    allocation.cells = allocateZeros<Cell>(allocation.getCellCount());
    allocation.shared = true;
    allocation.alignment = variable.alignment;
    allocation.start = makeStart(shared.size() + 1, variable.alignment);
    shared.push_back(std::move(allocation));
  }
  copies.resize(threadCount);
  registers = std::make_unique<Unit[]>(uint64_t(program.unitCount) * warpCount);
  warps.resize(warpCount);
  for (unsigned i = 0; i < warpCount; ++i) {
    Warp &warp = warps[i];
    warp.registers = registers.get() + uint64_t(program.unitCount) * i;
    warp.execution = this;
    warp.firstThread = i * warpSize;
    unsigned lanes = std::min(threadCount - warp.firstThread, warpSize);
    warp.existing = lanes == warpSize ? ~0u : (1u << lanes) - 1;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      for (const Constant &constant : program.constants)
        fillLane(warp, constant.unit, constant.kind, lane, constant.bits);
      for (size_t i = 0; i < arguments.size(); ++i) {
        const Parameter &parameter = program.parameters[i];
        uint64_t bits = arguments[i].getBits();
        if (isFloat(parameter.kind))
          bits = getRegisterBits(parameter.kind, arguments[i].getNumber());
        else if (!isWide(parameter.kind))
          bits &= (uint64_t(1) << getBitWidth(parameter.kind)) - 1;
        fillLane(warp, parameter.unit, parameter.kind, lane, bits);
      }
    }
  }
  auto thread = [&](unsigned warp, unsigned lane) {
    return warp * warpSize + lane;
  };
  uint64_t sizeX = config.block[0], sizeY = config.block[1];
  fillSpecial(Special::ThreadX, [&](unsigned warp, unsigned lane) {
    return thread(warp, lane) % sizeX;
  });
  fillSpecial(Special::ThreadY, [&](unsigned warp, unsigned lane) {
    return thread(warp, lane) / sizeX % sizeY;
  });
  fillSpecial(Special::ThreadZ, [&](unsigned warp, unsigned lane) {
    return thread(warp, lane) / sizeX / sizeY;
  });
  fillSpecial(Special::Lane, [](unsigned, unsigned lane) { return lane; });
  fillSpecial(Special::Subgroup, [](unsigned warp, unsigned) { return warp; });
  fillSpecial(Special::SubgroupCount,
              [&](unsigned, unsigned) { return warpCount; });
  for (unsigned dim = 0; dim < 3; ++dim) {
    auto at = [&](Special first) {
      return static_cast<Special>(static_cast<unsigned>(first) + dim);
    };
    fillSpecial(at(Special::BlockSizeX),
                [&](unsigned, unsigned) { return config.block[dim]; });
    fillSpecial(at(Special::GridX),
                [&](unsigned, unsigned) { return config.grid[dim]; });
  }
}

llvm::Error Execution::run(ArrayRef<Argument> arguments) {
  if (std::optional<EmulationError> bad = checkLaunch(arguments))
    return llvm::make_error<EmulationError>(std::move(*bad));
  prepare(arguments);
  globalMoment.first = memory.nextPhase;
  auto &[x, y, z] = block;
  for (z = 0; z < config.grid[2]; ++z)
    for (y = 0; y < config.grid[1]; ++y)
      for (x = 0; x < config.grid[0]; ++x)
        if (!runBlock()) {
          statistics.instructions += config.instructionBudget - budgetLeft;
          return llvm::make_error<EmulationError>(std::move(*error));
        }
  statistics.instructions += config.instructionBudget - budgetLeft;
  return llvm::Error::success();
}

bool Execution::runBlock() {
  beginPhase();
  blockPhases.push_back(globalMoment.phase);
  globalMoment.blockFirst = globalMoment.phase;
  sharedMoment.first = sharedMoment.blockFirst = globalMoment.phase;
  for (unsigned dim = 0; dim < 3; ++dim)
    fillSpecial(
        static_cast<Special>(static_cast<unsigned>(Special::BlockX) + dim),
        [&](unsigned, unsigned) { return block[dim]; });
  // Overwrite the old contents of shared memory, so that the results of an
  // incorrect kernel do not depend on previous blocks.
  for (Allocation &allocation : shared)
    std::memset(allocation.data.get(), 0xcd, allocation.bytes);
  for (Warp &warp : warps) {
    warp.pc = 0;
    warp.alive = warp.existing;
    warp.setActive(warp.existing);
    warp.waiting.clear();
    warp.state = Warp::State::Running;
  }
  while (true) {
    for (Warp &warp : warps)
      if (!runWarp(warp))
        return false;
    bool allDone = true;
    for (Warp &warp : warps)
      allDone &= warp.state == Warp::State::Done;
    if (allDone)
      return checkCopiesDone();
    if (!passBarrier())
      return false;
  }
}

/// Runs a warp to its next stop. Returns false after an error.
bool Execution::runWarp(Warp &warp) {
  warp.state = Warp::State::Running;
  globalMoment.phase = sharedMoment.phase = warp.phase;
  const Instruction *code = program.code.data();
  while (true) {
    const Instruction &instruction = code[warp.pc++];
    if (LLVM_UNLIKELY(budgetLeft < warp.activeCount))
      return fail(warp, instruction, llvm::countr_zero(warp.active),
                  ErrorKind::Budget,
                  "runs on after " + Twine(config.instructionBudget) +
                      " instructions of this launch");
    budgetLeft -= warp.activeCount;
    if (!instruction.run(warp, instruction))
      return warp.state != Warp::State::Failed;
  }
}

/// Called when no warp is running and not all have ended: lets the warps
/// continue if they wait at the same barrier.
bool Execution::passBarrier() {
  Warp *first = nullptr;
  for (Warp &warp : warps)
    if (!first && warp.state == Warp::State::AtBarrier)
      first = &warp;
  const Instruction &barrier = program.code[first->pc - 1];
  for (Warp &warp : warps) {
    if (warp.state == Warp::State::AtBarrier && warp.pc == first->pc)
      continue;
    return fail(
        *first, barrier, 0, ErrorKind::Divergent,
        "waits at a barrier, while " + describeThread(warp.firstThread) +
            (warp.state == Warp::State::Done ? " has returned"
                                             : " waits at another barrier"));
  }
  ++statistics.barriers;
  beginPhase();
  return true;
}

void Execution::beginPhase() {
  uint64_t phase = memory.nextPhase++;
  for (Moment *moment : {&globalMoment, &sharedMoment})
    moment->barrier = moment->phase = phase;
  for (Warp &warp : warps)
    warp.phase = phase;
}

bool Execution::checkCopiesDone() {
  for (unsigned thread = 0; thread < threadCount; ++thread) {
    ThreadCopies &mine = copies[thread];
    mine.committed = 0;
    if (mine.copies.empty())
      continue;
    const AsyncCopy &copy = mine.copies.front();
    Instruction issued;
    issued.origin = copy.origin;
    return fail(warps[thread / warpSize], issued, thread % warpSize,
                ErrorKind::AsyncCopy,
                "ends without a wait for its copy of " + Twine(copy.bytes) +
                    " bytes to @" + copy.target->name + "+" +
                    Twine(copy.offset));
  }
  return true;
}

llvm::Error tenon::emulate::launch(const Kernel &kernel,
                                   const LaunchConfig &config,
                                   ArrayRef<Argument> arguments, Memory &memory,
                                   LaunchStatistics *statistics) {
  LaunchStatistics unused;
  return Execution(kernel.getProgram(), config, memory.getState(),
                   statistics ? *statistics : unused)
      .run(arguments);
}
