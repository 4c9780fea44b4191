//===- Report.cpp - texts of the emulator's errors ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace tenon::emulate;
using llvm::Twine;

char EmulationError::ID;

llvm::StringRef tenon::emulate::getName(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::Unsupported:
    return "unsupported";
  case ErrorKind::BadLaunch:
    return "bad launch";
  case ErrorKind::Race:
    return "race";
  case ErrorKind::OutOfBounds:
    return "out of bounds";
  case ErrorKind::Misaligned:
    return "misaligned";
  case ErrorKind::ReadOnly:
    return "read-only";
  case ErrorKind::Uninitialized:
    return "uninitialized";
  case ErrorKind::Divergent:
    return "divergent";
  case ErrorKind::AsyncCopy:
    return "asynchronous copy";
  case ErrorKind::Arithmetic:
    return "undefined arithmetic";
  case ErrorKind::Budget:
    return "instruction budget";
  }
  llvm_unreachable("not a kind of error");
}

static std::string formatTriple(uint64_t x, uint64_t y, uint64_t z) {
  return ("(" + Twine(x) + "," + Twine(y) + "," + Twine(z) + ")").str();
}

std::string Execution::describeThread(unsigned thread) const {
  uint64_t x = config.block[0], y = config.block[1];
  return "thread " + formatTriple(thread % x, thread / x % y, thread / x / y);
}

std::string Execution::describeBlock(uint64_t number) const {
  uint64_t x = config.grid[0], y = config.grid[1];
  return "block " + formatTriple(number % x, number / x % y, number / x / y);
}

/// Returns the thread that made an access in this launch, and its block if it
/// is a different one.
std::string Execution::describeAccessor(Stamp stamp) const {
  std::string thread = describeThread(getThread(stamp));
  if (getPhase(stamp) >= globalMoment.blockFirst)
    return thread;
  uint64_t number =
      llvm::upper_bound(blockPhases, getPhase(stamp)) - blockPhases.begin() - 1;
  return thread + " of " + describeBlock(number);
}

std::string Execution::describeWhere(const Instruction &instruction) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Origin &origin = program.origins[instruction.origin];
  os << "; in kernel @" << program.name << " at " << origin.op << ", ";
  origin.location.print(os);
  return text;
}

bool Execution::fail(Warp &warp, const Instruction &instruction, unsigned lane,
                     ErrorKind kind, const Twine &what) {
  warp.state = Warp::State::Failed;
  error.emplace(kind, (getName(kind) + ": " +
                       describeThread(warp.firstThread + lane) + " of block " +
                       formatTriple(block[0], block[1], block[2]) + " " + what +
                       describeWhere(instruction))
                          .str());
  return false;
}

bool Execution::failConflict(Warp &warp, const Instruction &instruction,
                             unsigned lane, const Allocation &allocation,
                             uint64_t offset, uint64_t bytes, uint64_t place,
                             bool isWrite, Conflict conflict) {
  const Cell &cell = allocation.cells[place >> allocation.granule];
  std::string what = (Twine(isWrite ? "writes " : "reads ") + Twine(bytes) +
                      " bytes at @" + allocation.name + "+" + Twine(offset))
                         .str();
  // If the conflict is not at the first byte of the access, name the byte.
  std::string which = ", which ";
  if (place > offset)
    which = (", of which the byte at @" + allocation.name + "+" + Twine(place) +
             " was ")
                .str();
  bool isPart = place > offset;
  switch (conflict) {
  case Conflict::Uninitialized:
    return fail(warp, instruction, lane, ErrorKind::Uninitialized,
                what + (isPart ? which + "never written"
                               : which + "were never written"));
  case Conflict::Pending:
    return fail(warp, instruction, lane, ErrorKind::AsyncCopy,
                what +
                    (isPart ? which + "the target of"
                            : std::string(", the target of")) +
                    " a copy that " + describeAccessor(cell.writer) +
                    " has not waited for");
  case Conflict::Writer:
  case Conflict::Reader: {
    bool byWriter = conflict == Conflict::Writer;
    const char *verb = byWriter ? "wrote" : "read";
    const char *passive = byWriter ? "written" : "read";
    std::string other = describeAccessor(byWriter ? cell.writer : cell.reader);
    // A cell records one reader, which need not be the one in conflict if there
    // are several.
    if (!byWriter) {
      if ((cell.reader & earlierBlockBit) &&
          getPhase(cell.reader) >= globalMoment.blockFirst)
        other = "a thread of another block";
      else if (getPhase(cell.reader) >= globalMoment.blockFirst &&
               (getThread(cell.reader) == warp.firstThread + lane ||
                (cell.reader & otherWarpsBit)))
        other = "another thread";
    }
    const char *since = getPhase(byWriter ? cell.writer : cell.reader) <
                                    globalMoment.blockFirst ||
                                (!byWriter && (cell.reader & earlierBlockBit))
                            ? " in the same launch"
                            : " since the last barrier";
    return fail(warp, instruction, lane, ErrorKind::Race,
                what +
                    (isPart ? which + passive + " by " + other
                            : which + other + " " + verb) +
                    since);
  }
  case Conflict::None:
    break;
  }
  llvm_unreachable("not a conflict");
}
