//===- Handlers.h - lookup of handlers by op name and kind ----------------===//
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

/// Returns the bits of a register that holds a number, rounded to the kind.
uint64_t getRegisterBits(Kind kind, double number);

// Each function returns null if there is no such handler for the kind.

/// Functions of one, two or three integers of a kind: "addi", "maxsi", ...,
/// comparisons: "eq", "slt", ...
Handler findIntegerHandler(llvm::StringRef name, Kind kind);
/// The same for floating-point numbers: "addf", "fma", and comparisons: "oeq",
/// "ult", ...
Handler findFloatHandler(llvm::StringRef name, Kind kind);
/// Functions of math: "exp", "powf", ...
Handler findMathHandler(llvm::StringRef name, Kind kind);
/// Conversions: "extf", "sitofp", "index_cast", "bitcast", ...
Handler findCastHandler(llvm::StringRef name, Kind from, Kind to);

/// The first shifts the bits of operand 0 right by the immediate. The second
/// combines the bits of operand 0 with those of operand 1, shifted left by the
/// immediate.
Handler findShiftOutHandler(Kind from, Kind to);
Handler findShiftInHandler(Kind from, Kind to);

/// Computes operand 0 ? operand 1 : operand 2.
Handler findSelectHandler(Kind kind);
/// The first returns the element numbered by operand 0 of the list at operand
/// 1, which has operand 2 elements. The second copies that list with one
/// element replaced by the unit `extra`; the result is the first of its
/// consecutive units.
Handler findExtractHandler(Kind kind);
Handler findInsertHandler(Kind kind);

/// Copies operand 0, only in the active lanes.
Handler findMoveHandler(Kind kind);

/// The first loads operand 1 elements from the address operand 0 to consecutive
/// units. The second stores the list at operand 1, which has operand 2
/// elements, to the address operand 0. The immediate is the alignment in bytes.
Handler findLoadHandler(Kind kind);
Handler findStoreHandler(Kind kind);
/// Computes operand 0 + signed operand 1 of a kind * immediate.
Handler findAddressHandler(Kind kind);
/// Computes operand 0 + immediate.
bool runAddConstant(Warp &warp, const Instruction &instruction);

/// Jumps to the pc in the immediate: always, or if the bit operand 0 is not
/// set.
bool runJump(Warp &warp, const Instruction &instruction);
bool runBranchIfNot(Warp &warp, const Instruction &instruction);
/// The point at which paths join.
bool runJoin(Warp &warp, const Instruction &instruction);
bool runReturn(Warp &warp, const Instruction &instruction);
bool runBarrier(Warp &warp, const Instruction &instruction);
/// A barrier of the lanes in the mask operand 0.
bool runWarpBarrier(Warp &warp, const Instruction &instruction);
/// Reports an error if the bit operand 0 is set in an active lane.
bool runCheckDefined(Warp &warp, const Instruction &instruction);

/// The lane from which a shuffle takes its value, depending on the offset: own
/// ^ offset, own - offset, own + offset, offset.
enum class ShuffleMode : uint8_t { Xor, Up, Down, Index };

/// The operands are value, offset and width. The immediate is a ShuffleMode,
/// and `extra` is the unit that is set if the result is undefined.
Handler findShuffleHandler(Kind kind);

/// The result is the first unit of the result's elements, the immediate is a
/// MatrixShape, and the operands are lists of units.
bool runMatrixProduct(Warp &warp, const Instruction &instruction);
/// Operand 0 is the address, operand 1 the number of matrices, and operand 2
/// whether they are transposed. The results are consecutive.
bool runLoadMatrix(Warp &warp, const Instruction &instruction);

/// The operands are the target, the source, and the number of bytes to copy (or
/// noUnit). The immediate is the size in bytes.
bool runAsyncCopy(Warp &warp, const Instruction &instruction);
bool runAsyncCommit(Warp &warp, const Instruction &instruction);
/// The immediate is the number of groups that may be incomplete.
bool runAsyncWait(Warp &warp, const Instruction &instruction);

/// The shape of a matrix product: M=16, N=8, K=`depth`, with factors of kind
/// `input` and sums of kind `output`.
struct MatrixShape {
  unsigned depth;
  Kind input;
  Kind output;
  /// Whether the inputs are F32 whose low 13 bits are ignored.
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
