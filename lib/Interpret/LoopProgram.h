//===- LoopProgram.h - index forms as loop programs -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled index form. Registers hold one cell, or one per lane; lanes are
// consecutive elements of the result. Instructions are in scopes: `once` (which
// depends on nothing), `batch` (which depends on the element), and one scope
// per reduction variable inside. An instruction is in the outermost scope in
// which its operands are known.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_LOOPPROGRAM_H
#define TENON_LIB_INTERPRET_LOOPPROGRAM_H

#include "Arithmetic.h"
#include "FormEvaluators.h"

#include <vector>

namespace tenon::interpret::loops {

/// The number of lanes in a full batch.
constexpr int64_t maxLanes = 256;

using Register = uint32_t;
constexpr Register none = UINT32_MAX;

enum class Opcode : uint8_t {
  Set,    // cell
  Linear, // linears[table]: index arithmetic
  FloorDiv,
  Mod,
  Min,
  Max, // of indices a, b
  Less,
  LessEqual,
  Equal,
  And,
  Or,
  Not,        // of indices or conditions; 0 or 1
  Select,     // a ? b : c
  Broadcast,  // of the scalar a
  Largest,    // the scalar maximum over the lanes of a
  Stride,     // records whether the lanes of a are equally spaced
  Apply,      // fn of a, b, of type kind
  Cast,       // a from kind to toKind
  Load,       // loads[table]
  Accumulate, // dst = reduce(dst, a), only where c holds if there is a c
  SkipUnless  // ends this iteration of the scope if a holds in no lane
};

struct Instruction {
  Opcode opcode;
  bool isVector = false; // one lane otherwise
  Kind kind = Kind::F64, toKind = Kind::F64;
  graph::ScalarFn fn = graph::ScalarFn::Neg;
  Register dst = none, a = none, b = none, c = none;
  uint32_t table = 0;
  Cell cell{};
};

struct Linear {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<Register, int64_t>, 4> scalars, vectors;
};

struct Load {
  unsigned operand;
  /// Reads element scalar + vector (each may be none). If `isIdentity`, the
  /// vector part is the position of the result's element.
  Register scalar = none, vector = none;
  bool isIdentity = false;
  /// If not empty: indices that may be out of range where `mask` (if any) is
  /// false; the registers above are not used.
  llvm::SmallVector<Register, 6> indices;
  Register mask = none;
};

struct Step {
  bool isLoop;
  uint32_t number; // of instructions or loops
};

struct Scope {
  int parent, depth;
  std::vector<Step> steps;
};

struct Loop {
  Register var, extent;
  int scope;
};

struct Program {
  static constexpr int once = 0, batch = 1;
  std::vector<bool> isVector; // by register
  std::vector<Instruction> instructions;
  std::vector<Linear> linears;
  std::vector<Load> loads;
  std::vector<Loop> loops;
  std::vector<Scope> scopes;
  llvm::SmallVector<int64_t, 6> shape;
  /// The index of each lane, by axis of the result; none if not used.
  llvm::SmallVector<Register, 6> axes;
  Register result = none;
};

Program compile(const ConcreteForm &form, llvm::ArrayRef<Tensor> operands,
                const Arithmetic &arithmetic);

/// Computes the elements of `result`. The operands have the shapes with which
/// the program was compiled.
mlir::LogicalResult runProgram(const Program &program,
                               llvm::ArrayRef<Tensor> operands,
                               const Arithmetic &arithmetic, unsigned threads,
                               Tensor &result, std::string &error);

/// Kernels over lanes (LoopKernels.cpp).
void applyLanes(const Arithmetic &arithmetic, graph::ScalarFn fn, Kind kind,
                Cell *dst, const Cell *a, const Cell *b, int64_t lanes);
void castLanes(const Arithmetic &arithmetic, Kind from, Kind to, Cell *dst,
               const Cell *a, int64_t lanes);
/// `mask` may be null.
void accumulateLanes(const Arithmetic &arithmetic, graph::ScalarFn fn,
                     Kind kind, Cell *dst, const Cell *a, const Cell *mask,
                     int64_t lanes);
void indexLanes(Opcode opcode, Cell *dst, const Cell *a, const Cell *b,
                int64_t lanes);
void selectLanes(Cell *dst, const Cell *condition, const Cell *then,
                 const Cell *otherwise, int64_t lanes);
/// dst = constant + sum of factors[i] * terms[i].
void linearLanes(Cell *dst, int64_t constant,
                 llvm::ArrayRef<std::pair<const Cell *, int64_t>> terms,
                 int64_t lanes);
void gatherLanes(Cell *dst, const Cell *base, const Cell *offsets,
                 int64_t lanes);
void stridedLanes(Cell *dst, const Cell *base, int64_t stride, int64_t lanes);

} // namespace tenon::interpret::loops

#endif // TENON_LIB_INTERPRET_LOOPPROGRAM_H
