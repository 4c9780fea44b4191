//===- CompileGpu.cpp - threads, warps and asynchronous copies ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::emulate;

LogicalResult Compiler::compileSpecial(Operation *op, Special special) {
  uint32_t &unit = program->specials[static_cast<unsigned>(special)];
  if (unit == noUnit)
    unit = newUnit(Kind::I64);
  set(op->getResult(0), {{unit}});
  return success();
}

bool tenon::emulate::isAlwaysDefined(gpu::ShuffleOp shuffle) {
  APInt offset, width;
  if (!matchPattern(shuffle.getOffset(), m_ConstantInt(&offset)) ||
      !matchPattern(shuffle.getWidth(), m_ConstantInt(&width)))
    return false;
  bool isDirect = shuffle.getMode() == gpu::ShuffleMode::XOR ||
                  shuffle.getMode() == gpu::ShuffleMode::IDX;
  return isDirect && width.isPowerOf2() && offset.ult(width);
}

static ShuffleMode getMode(gpu::ShuffleMode mode) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return ShuffleMode::Xor;
  case gpu::ShuffleMode::UP:
    return ShuffleMode::Up;
  case gpu::ShuffleMode::DOWN:
    return ShuffleMode::Down;
  case gpu::ShuffleMode::IDX:
    return ShuffleMode::Index;
  }
  llvm_unreachable("not a mode of shuffles");
}

LogicalResult Compiler::compileShuffle(Operation *op) {
  auto shuffle = cast<gpu::ShuffleOp>(op);
  Kinds kinds = *getKinds(shuffle.getValue().getType());
  Slot offset = get(shuffle.getOffset()).front();
  Slot width = get(shuffle.getWidth()).front();
  checkDefined({offset, width});
  bool alwaysDefined = isAlwaysDefined(shuffle);
  Slots results;
  Slot invalid;
  auto run = [&](Kind kind, uint32_t value) {
    uint32_t result = newUnit(kind);
    invalid = {newUnit(Kind::Bit), noUnit};
    Instruction &instruction =
        emit(findShuffleHandler(kind), result, {value, offset.unit, width.unit},
             static_cast<uint64_t>(getMode(shuffle.getMode())));
    instruction.extra = invalid.unit;
    return result;
  };
  for (auto [kind, value] : llvm::zip_equal(kinds, get(shuffle.getValue()))) {
    Slot result;
    // The undefined bit is shuffled together with the value.
    if (value.undefined != noUnit)
      result.undefined = run(Kind::Bit, value.undefined);
    result.unit = run(kind, value.unit);
    if (!alwaysDefined)
      result.undefined = joinUndefined({result, Slot{0, invalid.unit}});
    results.push_back(result);
  }
  set(shuffle.getShuffleResult(), results);
  Slot one = {newConstant(Kind::Bit, 1), noUnit};
  set(shuffle.getValid(), {emitFunction(findIntegerHandler("xori", Kind::Bit),
                                        Kind::Bit, {invalid, one})});
  return success();
}

LogicalResult Compiler::compileMatrixProduct(Operation *op) {
  auto product = cast<nvgpu::MmaSyncOp>(op);
  auto [rows, columns, depth] = product.getMmaShapeAsArray();
  Kind input = getKind(product.getMatrixA().getType());
  Kind output = getKind(product.getMatrixC().getType());
  bool tf32 = input == Kind::F32 && product.getTf32Enabled();
  bool fits =
      rows == 16 && columns == 8 &&
      (tf32 ? depth == 4 || depth == 8
            : (input == Kind::F16 || input == Kind::BF16) &&
                  (depth == 8 || depth == 16)) &&
      (output == Kind::F32 || (output == Kind::F16 && input == Kind::F16));
  Slots a = get(product.getMatrixA()), b = get(product.getMatrixB()),
        c = get(product.getMatrixC());
  if (!fits || a.size() != static_cast<size_t>(depth) / 2 ||
      b.size() != static_cast<size_t>(depth) / 4 || c.size() != 4)
    return fail(op, "a matrix product of this shape and type is not emulated");
  Slots all = a;
  llvm::append_range(all, b);
  llvm::append_range(all, c);
  checkDefined(all);
  auto list = [&](ArrayRef<Slot> slots) {
    SmallVector<uint32_t> units;
    for (Slot slot : slots)
      units.push_back(slot.unit);
    return newList(units);
  };
  SmallVector<Kind> kinds(4, output);
  Slots results = newSlots(kinds);
  MatrixShape shape = {static_cast<unsigned>(depth), input, output, tf32};
  emit(runMatrixProduct, results[0].unit, {list(a), list(b), list(c)},
       shape.encode());
  set(product.getResult(), results);
  return success();
}

LogicalResult Compiler::compileLoadMatrix(Operation *op) {
  auto load = cast<NVVM::LdMatrixOp>(op);
  if (load.getShape().getM() != 8 || load.getShape().getN() != 8 ||
      load.getEltType() != NVVM::LdStMatrixEltType::B16)
    return fail(op, "only matrices of 8x8 elements of 16 bits are emulated");
  Slot address = get(load.getPtr()).front();
  checkDefined({address});
  Slots results = newSlots(*getKinds(load.getType()));
  if (results.size() != load.getNum())
    return fail(op, "expected one result for each matrix");
  Instruction &instruction =
      emit(runLoadMatrix, results[0].unit, {address.unit});
  instruction.operands[1] = load.getNum();
  instruction.operands[2] = load.getLayout() == NVVM::MMALayout::col;
  set(load, results);
  return success();
}

LogicalResult Compiler::compileAsyncCopy(Operation *op) {
  auto copy = cast<NVVM::CpAsyncOp>(op);
  Slots operands = {get(copy.getDst()).front(), get(copy.getSrc()).front()};
  if (copy.getCpSize())
    operands.push_back(get(copy.getCpSize()).front());
  checkDefined(operands);
  emit(runAsyncCopy, 0,
       {operands[0].unit, operands[1].unit,
        copy.getCpSize() ? operands[2].unit : noUnit},
       copy.getSize());
  return success();
}

std::optional<LogicalResult> Compiler::compileGpu(Operation *op) {
  auto special = [&](Special first, gpu::Dimension dim) {
    return compileSpecial(op,
                          static_cast<Special>(static_cast<unsigned>(first) +
                                               static_cast<unsigned>(dim)));
  };
  auto plain = [&](Handler handler, uint64_t immediate) -> LogicalResult {
    emit(handler, 0, {}, immediate);
    return success();
  };
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case<gpu::ThreadIdOp>([&](gpu::ThreadIdOp id) {
        return special(Special::ThreadX, id.getDimension());
      })
      .Case<gpu::BlockIdOp>([&](gpu::BlockIdOp id) {
        return special(Special::BlockX, id.getDimension());
      })
      .Case<gpu::BlockDimOp>([&](gpu::BlockDimOp size) {
        return special(Special::BlockSizeX, size.getDimension());
      })
      .Case<gpu::GridDimOp>([&](gpu::GridDimOp size) {
        return special(Special::GridX, size.getDimension());
      })
      .Case<gpu::LaneIdOp>(
          [&](auto) { return compileSpecial(op, Special::Lane); })
      .Case<gpu::SubgroupIdOp>(
          [&](auto) { return compileSpecial(op, Special::Subgroup); })
      .Case<gpu::NumSubgroupsOp>(
          [&](auto) { return compileSpecial(op, Special::SubgroupCount); })
      .Case<gpu::SubgroupSizeOp>([&](auto) {
        set(op->getResult(0), {{newConstant(Kind::I64, warpSize)}});
        return success();
      })
      .Case<gpu::BarrierOp, NVVM::Barrier0Op>(
          [&](auto) { return plain(runBarrier, 0); })
      .Case<NVVM::BarrierOp>([&](auto) -> LogicalResult {
        if (op->getNumOperands() != 0 || op->getNumResults() != 0)
          return fail(op, "barriers of some of the threads, and barriers that "
                          "reduce, are not emulated");
        return plain(runBarrier, 0);
      })
      .Case<NVVM::SyncWarpOp>([&](NVVM::SyncWarpOp sync) {
        Slot mask = get(sync.getMask()).front();
        checkDefined({mask});
        emit(runWarpBarrier, 0, {mask.unit});
        return success();
      })
      .Case<gpu::ShuffleOp>([&](auto) { return compileShuffle(op); })
      .Case<nvgpu::MmaSyncOp>([&](auto) { return compileMatrixProduct(op); })
      .Case<NVVM::LdMatrixOp>([&](auto) { return compileLoadMatrix(op); })
      .Case<NVVM::CpAsyncOp>([&](auto) { return compileAsyncCopy(op); })
      .Case<NVVM::CpAsyncCommitGroupOp>(
          [&](auto) { return plain(runAsyncCommit, 0); })
      .Case<NVVM::CpAsyncWaitGroupOp>([&](NVVM::CpAsyncWaitGroupOp wait) {
        return plain(runAsyncWait, wait.getN());
      })
      .Default([](auto) { return std::nullopt; });
}
