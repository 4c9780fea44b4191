//===- LoopEvaluator.cpp - executing loop programs ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopProgram.h"

#include <atomic>
#include <mutex>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;
using namespace tenon::interpret::loops;

namespace {
/// The registers of one thread.
class Frame {
public:
  Frame(const Program &program, ArrayRef<Tensor> operands,
        const Arithmetic &arithmetic, int64_t total)
      : program(program), operands(operands), arithmetic(arithmetic) {
    size_t lanesOfVectors = std::max<int64_t>(1, std::min(maxLanes, total));
    size_t cells = 0;
    for (bool isVector : program.isVector)
      cells += isVector ? lanesOfVectors : 1;
    storage.resize(cells);
    Cell *next = storage.data();
    for (bool isVector : program.isVector) {
      registers.push_back(next);
      next += isVector ? lanesOfVectors : 1;
    }
    strides.assign(program.isVector.size(), noStride);
    lanes = lanesOfVectors;
    run(Program::once);
  }

  /// Computes the elements from `begin` on into `result`. Returns false on an
  /// error, which `error` describes.
  bool runBatch(int64_t begin, int64_t count, Cell *result) {
    position = begin;
    lanes = count;
    fillAxes();
    run(Program::batch);
    std::copy_n(registers[program.result], count, result + begin);
    return error.empty();
  }

  std::string error;

private:
  static constexpr int64_t noStride = INT64_MIN;

  void fillAxes() {
    SmallVector<int64_t, 6> index(program.shape.size());
    int64_t rest = position;
    for (int64_t axis = program.shape.size() - 1; axis >= 0; --axis) {
      index[axis] = rest % program.shape[axis];
      rest /= program.shape[axis];
    }
    // For each axis: runs of `inner` equal values, counting up.
    int64_t inner = 1;
    for (int64_t axis = program.shape.size() - 1; axis >= 0; --axis) {
      int64_t size = program.shape[axis];
      if (program.axes[axis] != none) {
        Cell *cells = registers[program.axes[axis]];
        int64_t value = index[axis];
        int64_t left = inner - position % inner;
        for (int64_t lane = 0; lane < lanes; ++lane) {
          cells[lane].integer = value;
          if (--left == 0) {
            left = inner;
            value = value + 1 == size ? 0 : value + 1;
          }
        }
      }
      inner *= size;
    }
  }

  /// Returns false if an iteration ended early.
  bool run(int scope) {
    for (const Step &step : program.scopes[scope].steps) {
      if (!step.isLoop) {
        if (!execute(program.instructions[step.number]))
          return false;
        continue;
      }
      const Loop &loop = program.loops[step.number];
      int64_t extent = registers[loop.extent]->integer;
      for (int64_t value = 0; value < extent && error.empty(); ++value) {
        registers[loop.var]->integer = value;
        run(loop.scope);
      }
    }
    return true;
  }

  bool execute(const Instruction &instruction) {
    int64_t count = instruction.isVector ? lanes : 1;
    auto at = [&](Register reg) -> Cell * {
      return reg == none ? nullptr : registers[reg];
    };
    Cell *dst = at(instruction.dst);
    const Cell *a = at(instruction.a), *b = at(instruction.b),
               *c = at(instruction.c);
    switch (instruction.opcode) {
    case Opcode::Set:
      std::fill_n(dst, count, instruction.cell);
      return true;
    case Opcode::Broadcast:
      std::fill_n(dst, count, *a);
      return true;
    case Opcode::Linear:
      linear(program.linears[instruction.table], dst, instruction.isVector);
      return true;
    case Opcode::Select:
      selectLanes(dst, a, b, c, count);
      return true;
    case Opcode::Largest: {
      int64_t largest = 0;
      for (int64_t lane = 0; lane < lanes; ++lane)
        largest = std::max(largest, a[lane].integer);
      dst->integer = largest;
      return true;
    }
    case Opcode::Stride:
      strides[instruction.a] = strideOf(a);
      return true;
    case Opcode::Apply:
      applyLanes(arithmetic, instruction.fn, instruction.kind, dst, a,
                 b ? b : a, count);
      return true;
    case Opcode::Cast:
      castLanes(arithmetic, instruction.kind, instruction.toKind, dst, a,
                count);
      return true;
    case Opcode::Load:
      load(program.loads[instruction.table], dst, count);
      return true;
    case Opcode::Accumulate:
      accumulateLanes(arithmetic, instruction.fn, instruction.kind, dst, a, c,
                      count);
      return true;
    case Opcode::SkipUnless:
      for (int64_t lane = 0; lane < count; ++lane)
        if (a[lane].integer)
          return true;
      return false;
    default:
      indexLanes(instruction.opcode, dst, a, b ? b : a, count);
      return true;
    }
  }

  int64_t strideOf(const Cell *offsets) const {
    if (lanes == 1)
      return 0;
    int64_t stride = offsets[1].integer - offsets[0].integer;
    for (int64_t lane = 2; lane < lanes; ++lane)
      if (offsets[lane].integer - offsets[lane - 1].integer != stride)
        return noStride;
    return stride;
  }

  void linear(const Linear &table, Cell *dst, bool isVector) {
    int64_t constant = table.constant;
    for (auto [reg, factor] : table.scalars)
      constant += registers[reg]->integer * factor;
    if (!isVector) {
      dst->integer = constant;
      return;
    }
    SmallVector<std::pair<const Cell *, int64_t>, 6> terms;
    for (auto [reg, factor] : table.vectors)
      terms.push_back({registers[reg], factor});
    linearLanes(dst, constant, terms, lanes);
  }

  void load(const Load &table, Cell *dst, int64_t count) {
    const Tensor &tensor = operands[table.operand];
    if (!table.indices.empty())
      return checkedLoad(table, tensor, dst, count);
    const Cell *base = tensor.data();
    if (table.scalar != none)
      base += registers[table.scalar]->integer;
    if (table.isIdentity)
      return stridedLanes(dst, base + position, 1, count);
    if (table.vector == none) {
      *dst = *base;
      return;
    }
    const Cell *offsets = registers[table.vector];
    int64_t stride = strides[table.vector];
    if (stride == noStride)
      gatherLanes(dst, base, offsets, count);
    else
      stridedLanes(dst, base + offsets->integer, stride, count);
  }

  void checkedLoad(const Load &table, const Tensor &tensor, Cell *dst,
                   int64_t count) {
    const Cell *mask = table.mask == none ? nullptr : registers[table.mask];
    ArrayRef<int64_t> shape = tensor.getShape();
    for (int64_t lane = 0; lane < count; ++lane) {
      dst[lane].integer = 0;
      if (mask && !mask[lane].integer)
        continue;
      int64_t offset = 0;
      bool inside = true;
      for (auto [reg, size] : llvm::zip(table.indices, shape)) {
        int64_t index = registers[reg][lane].integer;
        inside &= index >= 0 && index < size;
        offset = offset * size + index;
      }
      if (inside) {
        dst[lane] = tensor.data()[offset];
        continue;
      }
      if (!error.empty())
        continue;
      SmallVector<int64_t, 6> index;
      for (Register reg : table.indices)
        index.push_back(registers[reg][lane].integer);
      error = describeOutside(table.operand, index, shape);
    }
  }

  const Program &program;
  ArrayRef<Tensor> operands;
  const Arithmetic &arithmetic;
  std::vector<Cell> storage;
  std::vector<Cell *> registers;
  std::vector<int64_t> strides;
  int64_t position = 0, lanes = 1;
};
} // namespace

LogicalResult tenon::interpret::evaluateLoops(const ConcreteForm &form,
                                              ArrayRef<Tensor> operands,
                                              const Arithmetic &arithmetic,
                                              unsigned threads, Tensor &result,
                                              std::string &error) {
  if (result.getNumElements() == 0)
    return success();
  return runProgram(compile(form, operands, arithmetic), operands, arithmetic,
                    threads, result, error);
}

LogicalResult loops::runProgram(const Program &program,
                                ArrayRef<Tensor> operands,
                                const Arithmetic &arithmetic, unsigned threads,
                                Tensor &result, std::string &error) {
  int64_t total = result.getNumElements();
  if (total == 0)
    return success();
  // Each thread runs a sequence of batches, so that it sets up its registers
  // only once.
  int64_t batches = (total + maxLanes - 1) / maxLanes;
  int64_t runs = std::min<int64_t>(batches, threads > 1 ? threads * 8 : 1);
  std::atomic<bool> failed{false};
  std::mutex mutex;
  parallelFor(threads, runs, [&](size_t run) {
    Frame frame(program, operands, arithmetic, total);
    int64_t begin = batches * run / runs, end = batches * (run + 1) / runs;
    for (int64_t batch = begin; batch < end && !failed; ++batch) {
      int64_t first = batch * maxLanes;
      int64_t count = std::min(maxLanes, total - first);
      if (frame.error.empty() && frame.runBatch(first, count, result.data()))
        continue;
      std::lock_guard<std::mutex> lock(mutex);
      if (!failed.exchange(true))
        error = frame.error;
    }
  });
  return failure(failed);
}
