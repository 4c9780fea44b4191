//===- Program.h - kernels in executable form -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel becomes straight-line code with jumps, which operates on registers.
// An instruction runs for a whole warp: a register holds one number for each of
// the warp's 32 lanes. Vectors and structs are split into their elements, so
// that moves within them cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EMULATE_PROGRAM_H
#define TENON_LIB_EMULATE_PROGRAM_H

#include "tenon/Emulate/Emulator.h"

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace tenon::emulate {

constexpr unsigned warpSize = 32;

/// One bit per lane.
using Mask = uint32_t;

/// The type of a register's contents. Pointers and index are I64. F16 and BF16
/// are stored as rounded floats. Integers of up to 32 bits are stored as 32
/// bits, with zeros beyond the type's width.
enum class Kind : uint8_t { Bit, I8, I16, I32, I64, F16, BF16, F32, F64 };
constexpr unsigned kindCount = 9;

inline bool isFloat(Kind kind) { return kind >= Kind::F16; }
inline bool isWide(Kind kind) { return kind == Kind::I64 || kind == Kind::F64; }
inline unsigned getBitWidth(Kind kind) {
  constexpr unsigned widths[kindCount] = {1, 8, 16, 32, 64, 16, 16, 32, 64};
  return widths[static_cast<unsigned>(kind)];
}
/// Returns the size in memory, where a bit takes a byte.
inline unsigned getByteWidth(Kind kind) { return (getBitWidth(kind) + 7) / 8; }
/// Returns the integer kind of the same size.
inline Kind getIntegerKind(Kind kind) {
  switch (kind) {
  case Kind::F16:
  case Kind::BF16:
    return Kind::I16;
  case Kind::F32:
    return Kind::I32;
  case Kind::F64:
    return Kind::I64;
  default:
    return kind;
  }
}

/// Holds 32 bits for each lane. Kinds of 64 bits take two units, in which the
/// lanes' numbers are consecutive.
struct alignas(64) Unit {
  uint32_t words[warpSize];
};

struct Warp;
struct Instruction;

/// Runs an instruction. Returns false if the warp stops: at a barrier, at its
/// end, or at an error.
using Handler = bool (*)(Warp &, const Instruction &);

struct Instruction {
  Handler run;
  /// Units of the result and of the operands.
  uint32_t result = 0;
  uint32_t operands[3] = {0, 0, 0};
  /// The meaning depends on the handler.
  uint64_t immediate = 0;
  uint32_t extra = 0;
  /// The number in Program::origins.
  uint32_t origin = 0;
};

/// The op and location of an instruction.
struct Origin {
  std::string op;
  mlir::Location location;
};

/// A unit that is filled before the code runs.
struct Constant {
  uint32_t unit;
  Kind kind;
  /// The bits of the register. For F16 and BF16, these are the bits of a float.
  uint64_t bits;
};

struct Parameter {
  uint32_t unit;
  Kind kind;
  bool isPointer;
};

/// Numbers that depend only on the thread, block or launch.
enum class Special : uint8_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  BlockSizeX,
  BlockSizeY,
  BlockSizeZ,
  GridX,
  GridY,
  GridZ,
  Lane,
  Subgroup,
  SubgroupCount
};
constexpr unsigned specialCount = 15;
constexpr uint32_t noUnit = ~0u;

struct SharedVariable {
  std::string name;
  uint64_t bytes;
  uint64_t alignment;
  /// Whether the launch determines the size.
  bool isDynamic;
};

class Program {
public:
  std::string name;
  std::vector<Instruction> code;
  std::vector<Origin> origins;
  /// The operands of instructions that have many.
  std::vector<uint32_t> lists;
  std::vector<Constant> constants;
  std::vector<Parameter> parameters;
  std::array<uint32_t, specialCount> specials;
  std::vector<SharedVariable> shared;
  uint32_t unitCount = 0;
  std::optional<std::array<uint32_t, 3>> knownBlockSize, knownGridSize;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_PROGRAM_H
