//===- RunMatrix.cpp - matrix products of a warp --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts of fragments are those of mma.m16n8k* and ldmatrix in the PTX
// ISA. The order in which tensor cores add is not documented. Here, sums are
// computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Handlers.h"
#include "Lanes.h"

using namespace tenon::emulate;
using llvm::Twine;

static constexpr unsigned productRows = 16, productColumns = 8;

static bool checkWholeWarp(Warp &warp, const Instruction &instruction,
                           const char *what) {
  if (warp.active == ~0u)
    return true;
  unsigned missing = llvm::countr_zero(~warp.active);
  return warp.execution->fail(
      warp, instruction, llvm::countr_zero(warp.active), ErrorKind::Divergent,
      Twine("runs ") + what + " that lane " + Twine(missing) +
          " of its warp does not take part in");
}

bool tenon::emulate::runMatrixProduct(Warp &warp,
                                      const Instruction &instruction) {
  if (!checkWholeWarp(warp, instruction, "a matrix product"))
    return false;
  MatrixShape shape = MatrixShape::decode(instruction.immediate);
  const uint32_t *lists = warp.execution->program.lists.data();
  const uint32_t *a = lists + instruction.operands[0];
  const uint32_t *b = lists + instruction.operands[1];
  const uint32_t *c = lists + instruction.operands[2];
  // Numbers of 16 bits are in pairs along the depth.
  unsigned pair = shape.tf32 ? 1 : 2, depth = shape.depth;
  unsigned aCount = productRows * depth / warpSize;
  unsigned bCount = productColumns * depth / warpSize;
  auto cut = [&](float number) -> double {
    return shape.tf32 ? floatOf(bitsOf(number) & 0xffffe000u) : number;
  };
  double left[productRows][16], right[16][productColumns];
  for (unsigned i = 0; i < aCount; ++i) {
    const auto *values = warp.get<float>(a[i]);
    // Registers are numbered along the rows first, then along the depth.
    unsigned part = i / pair, within = i % pair;
    unsigned row = part % 2 * 8, column = part / 2 * 4 * pair + within;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      left[row + lane / 4][column + lane % 4 * pair] = cut(values[lane]);
  }
  for (unsigned i = 0; i < bCount; ++i) {
    const auto *values = warp.get<float>(b[i]);
    unsigned row = i / pair * 4 * pair + i % pair;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      right[row + lane % 4 * pair][lane / 4] = cut(values[lane]);
  }
  double sums[productRows][productColumns] = {};
  for (unsigned row = 0; row < productRows; ++row)
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned column = 0; column < productColumns; ++column)
        sums[row][column] += left[row][k] * right[k][column];
  for (unsigned i = 0; i < 4; ++i) {
    const auto *before = warp.get<float>(c[i]);
    auto *result = warp.get<float>(instruction.result + i);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      double sum = sums[i / 2 * 8 + lane / 4][lane % 4 * 2 + i % 2] +
                   static_cast<double>(before[lane]);
      result[lane] = shape.output == Kind::F16 ? HalfKind::round(sum)
                                               : static_cast<float>(sum);
    }
  }
  ++warp.execution->statistics.matrixProducts;
  return true;
}

bool tenon::emulate::runLoadMatrix(Warp &warp, const Instruction &instruction) {
  if (!checkWholeWarp(warp, instruction, "a load of matrices"))
    return false;
  const auto *addresses = warp.get<uint64_t>(instruction.operands[0]);
  unsigned matrices = instruction.operands[1];
  bool transpose = instruction.operands[2];
  constexpr unsigned rows = 8, rowBytes = 16;
  Accesses accesses(warp, instruction);
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    Allocation *memory[rows];
    uint64_t offsets[rows];
    // Each lane provides the address of a row, from which other lanes read.
    for (unsigned row = 0; row < rows; ++row) {
      unsigned lane = matrix * rows + row;
      if (!accesses.locate(lane, addresses[lane], rowBytes, rowBytes,
                           /*isWrite=*/false))
        return false;
      if (!accesses.isShared())
        return warp.execution->fail(
            warp, instruction, lane, ErrorKind::OutOfBounds,
            "loads a matrix from @" + Twine(accesses.allocation->name) +
                ", which is not shared memory");
      memory[row] = accesses.allocation;
      offsets[row] = accesses.offset;
    }
    auto *result = warp.get<uint32_t>(instruction.result + matrix);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint32_t bits = 0;
      for (unsigned half = 0; half < 2; ++half) {
        unsigned row = lane / 4, column = lane % 4 * 2 + half;
        if (transpose)
          std::swap(row, column);
        uint64_t offset = offsets[row] + column * 2;
        accesses.allocation = memory[row];
        // Two neighbouring elements are one access of 4 bytes.
        if (transpose || half == 0)
          if (!accesses.note<false>(lane, offset, transpose ? 2 : 4))
            return false;
        uint16_t value;
        std::memcpy(&value, memory[row]->data.get() + offset, sizeof(value));
        bits |= uint32_t(value) << (16 * half);
      }
      result[lane] = bits;
    }
  }
  warp.execution->statistics.sharedReadBytes +=
      uint64_t(matrices) * rows * rowBytes;
  return true;
}
