//===- Handlers.h - what runs an op, by its name and kinds ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMULATE_HANDLERS_H
#define TENON_LIB_EMULATE_HANDLERS_H

#include "Program.h"

#include "llvm/ADT/StringRef.h"

namespace tenon::emulate {

/// The bits of a register that holds a number, rounded to the kind.
uint64_t getRegisterBits(Kind kind, double number);

// Each gives null where there is no such function for the kind.

/// Functions of one, two or three integers of a kind: "addi", "maxsi", ...,
/// comparisons: "eq", "slt", ...
Handler findIntegerHandler(llvm::StringRef name, Kind kind);
/// The same for numbers: "addf", "fma", and comparisons: "oeq", "ult", ...
Handler findFloatHandler(llvm::StringRef name, Kind kind);
/// Functions of math: "exp", "powf", ...
Handler findMathHandler(llvm::StringRef name, Kind kind);
/// Conversions: "extf", "sitofp", "index_cast", "bitcast", ...
Handler findCastHandler(llvm::StringRef name, Kind from, Kind to);

/// The bits of operand 0 shifted right by the immediate; those of operand 0,
/// and of operand 1 shifted left by it.
Handler findShiftOutHandler(Kind from, Kind to);
Handler findShiftInHandler(Kind from, Kind to);

/// operand 0 ? operand 1 : operand 2.
Handler findSelectHandler(Kind kind);
/// The element numbered by operand 0 of those in the list at operand 1, of
/// which there are operand 2; and all of them with one changed: the result is
/// the first of as many units, the value is unit `extra`.
Handler findExtractHandler(Kind kind);
Handler findInsertHandler(Kind kind);

/// Copies operand 0 in the active lanes only.
Handler findMoveHandler(Kind kind);

/// A load from the address operand 0 of operand 1 elements to units that
/// follow each other; a store to it of the list at operand 1 of operand 2
/// elements. The immediate is the alignment in bytes.
Handler findLoadHandler(Kind kind);
Handler findStoreHandler(Kind kind);
/// operand 0 + signed operand 1 of a kind * immediate.
Handler findAddressHandler(Kind kind);
/// operand 0 + immediate.
bool runAddConstant(Warp &warp, const Instruction &instruction);

/// To the pc in the immediate: always, or where the bit operand 0 is not set.
bool runJump(Warp &warp, const Instruction &instruction);
bool runBranchIfNot(Warp &warp, const Instruction &instruction);
/// Where ways meet.
bool runJoin(Warp &warp, const Instruction &instruction);
bool runReturn(Warp &warp, const Instruction &instruction);
bool runBarrier(Warp &warp, const Instruction &instruction);
/// A barrier of the lanes in the mask operand 0.
bool runWarpBarrier(Warp &warp, const Instruction &instruction);
/// An error if the bit operand 0 is set in an active lane.
bool runCheckDefined(Warp &warp, const Instruction &instruction);

/// From which lane a shuffle takes its value, by the offset: own ^ offset,
/// own - offset, own + offset, offset.
enum class ShuffleMode : uint8_t { Xor, Up, Down, Index };

/// operands: value, offset, width; the immediate is a ShuffleMode, and `extra`
/// the unit that is set where the result is undefined.
Handler findShuffleHandler(Kind kind);

/// The result is the first unit of the result's elements; the immediate is a
/// MatrixShape; the operands are lists of units.
bool runMatrixProduct(Warp &warp, const Instruction &instruction);
/// Operand 0 is the address, operand 1 how many matrices, operand 2 whether
/// they are transposed. The results follow each other.
bool runLoadMatrix(Warp &warp, const Instruction &instruction);

/// operands: target, source, size of what is copied (or noUnit); the immediate
/// is the size in bytes.
bool runAsyncCopy(Warp &warp, const Instruction &instruction);
bool runAsyncCommit(Warp &warp, const Instruction &instruction);
/// The immediate is how many groups may stay under way.
bool runAsyncWait(Warp &warp, const Instruction &instruction);

/// What a matrix product multiplies: an M=16, N=8, K=`depth` product of
/// `input`s, summed up in `output`s.
struct MatrixShape {
  unsigned depth;
  Kind input;
  Kind output;
  /// The inputs are F32 of which the low 13 bits are not looked at.
  bool tf32;

  uint64_t encode() const {
    return depth | uint64_t(input) << 8 | uint64_t(output) << 16 |
           uint64_t(tf32) << 24;
  }
  static MatrixShape decode(uint64_t bits) {
    return {static_cast<unsigned>(bits & 0xff),
            static_cast<Kind>(bits >> 8 & 0xff),
            static_cast<Kind>(bits >> 16 & 0xff), (bits >> 24 & 1) != 0};
  }
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_HANDLERS_H
