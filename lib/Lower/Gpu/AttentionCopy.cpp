//===- AttentionCopy.cpp - copies of matrix tiles to shared memory --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionCore.h"
#include "ContractionTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;

TileCopy::TileCopy(GpuKernelBuilder &kernel, Shape shape)
    : kernel(kernel), shape(shape) {
  lanes = kWidestAccess / shape.elementBytes;
  while (shape.depth % lanes != 0 || shape.lineElements % lanes != 0)
    lanes /= 2;
  isAsynchronous = shape.mayBeAsynchronous && !shape.roundsToTf32 &&
                   lanes * shape.elementBytes >= 4;
  // Neighbouring threads read neighbouring elements. Each thread reads the same
  // part of several rows.
  int64_t perLine = shape.lineElements / lanes;
  int64_t across = std::min(perLine, kernel.blockThreads);
  int64_t down = kernel.blockThreads / across;
  activeThreads = across * down;
  for (int64_t row = 0; row < shape.rows; row += down)
    for (int64_t part = 0; part < perLine; part += across)
      chunks.push_back({row, part * lanes});
}

void TileCopy::prepare(Value matrix, Value rowEnd, Value shared) {
  this->matrix = matrix;
  this->rowEnd = rowEnd;
  this->shared = shared;
  rowStride = ExprEmitter(kernel.builder, kernel.loc, kernel.context)
                  .emitSize(shape.rowStride);
  int64_t across = std::min(shape.lineElements / lanes, kernel.blockThreads);
  ownRow = kernel.div(kernel.thread, kernel.constant(across));
  ownElement = kernel.mul(kernel.rem(kernel.thread, kernel.constant(across)),
                          kernel.constant(lanes));
}

/// Emits whether the thread has the chunk of the tile. Returns null if all
/// threads do.
Value TileCopy::hasChunk(const Chunk &chunk) {
  OpBuilder &b = kernel.builder;
  Value has;
  auto require = [&](Value condition) {
    has = has ? Value(arith::AndIOp::create(b, kernel.loc, has, condition))
              : condition;
  };
  int64_t across = std::min(shape.lineElements / lanes, kernel.blockThreads);
  int64_t down = activeThreads / across;
  if (chunk.row + down > shape.rows)
    require(kernel.less(ownRow, kernel.constant(shape.rows - chunk.row)));
  else if (activeThreads < kernel.blockThreads)
    require(kernel.less(ownRow, kernel.constant(down)));
  if (chunk.line + across * lanes > shape.lineElements)
    require(kernel.less(ownElement,
                        kernel.constant(shape.lineElements - chunk.line)));
  return has;
}

/// Emits whether the chunk is within the matrix.
Value TileCopy::isInside(const Chunk &chunk, Value firstRow) {
  OpBuilder &b = kernel.builder;
  Value row =
      kernel.add(kernel.add(firstRow, ownRow), kernel.constant(chunk.row));
  Value inside = arith::CmpIOp::create(b, kernel.loc, arith::CmpIPredicate::slt,
                                       row, rowEnd);
  if (shape.lineElements > shape.depth)
    inside = arith::AndIOp::create(
        b, kernel.loc, inside,
        arith::CmpIOp::create(b, kernel.loc, arith::CmpIPredicate::slt,
                              ownElement,
                              kernel.constant(shape.depth - chunk.line)));
  return inside;
}

/// Emits the address of the chunk from the thread's base address.
Value TileCopy::locate(Value own, const Chunk &chunk) {
  std::optional<int64_t> stride = shape.rowStride.getConstant();
  int64_t elements = chunk.line + chunk.row * stride.value_or(0);
  if (!stride && chunk.row > 0)
    own = offsetAddress(
        kernel, own,
        kernel.mul(rowStride, kernel.constant(chunk.row * shape.elementBytes)));
  return offsetAddress(kernel, own, elements * shape.elementBytes);
}

Type TileCopy::bitsType() const {
  int64_t bytes = lanes * shape.elementBytes;
  OpBuilder &b = kernel.builder;
  return bytes > 4 ? VectorType::get({bytes / 4}, b.getI32Type())
                   : Type(b.getIntegerType(bytes * 8));
}

SmallVector<Value> TileCopy::begin(Value firstRow) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  int64_t bytes = lanes * shape.elementBytes;
  Value position = kernel.add(
      kernel.mul(kernel.add(firstRow, ownRow), rowStride), ownElement);
  Value source =
      offsetAddress(kernel, matrix,
                    kernel.mul(position, kernel.constant(shape.elementBytes)));
  SmallVector<Value> begun;
  if (isAsynchronous) {
    Value own = offsetAddress(
        kernel, shared,
        kernel.add(
            kernel.mul(ownRow, kernel.constant(shape.lineBytes)),
            kernel.mul(ownElement, kernel.constant(shape.elementBytes))));
    for (const Chunk &chunk : chunks) {
      auto copy = [&] {
        kernel.emitAsyncCopy(offsetAddress(kernel, own,
                                           chunk.row * shape.lineBytes +
                                               chunk.line * shape.elementBytes),
                             locate(source, chunk), bytes,
                             isInside(chunk, firstRow));
      };
      if (Value has = hasChunk(chunk))
        kernel.emitIf(has, copy);
      else
        copy();
    }
    kernel.emitAsyncGroup();
    return begun;
  }
  for (const Chunk &chunk : chunks) {
    Value exists = isInside(chunk, firstRow);
    if (Value has = hasChunk(chunk))
      exists = arith::AndIOp::create(b, loc, exists, has);
    auto branch = scf::IfOp::create(b, loc, TypeRange{bitsType()}, exists,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value read = LLVM::LoadOp::create(b, loc, bitsType(), locate(source, chunk),
                                      static_cast<unsigned>(bytes));
    scf::YieldOp::create(b, loc, read);
    b.setInsertionPointToStart(branch.elseBlock());
    Value zero = arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(b.getZeroAttr(bitsType())));
    scf::YieldOp::create(b, loc, zero);
    begun.push_back(branch.getResult(0));
  }
  return begun;
}

Value TileCopy::roundToTf32(Value bits) {
  OpBuilder &b = kernel.builder;
  auto vector = dyn_cast<VectorType>(bits.getType());
  if (!vector)
    return emitTf32(kernel, bits);
  SmallVector<Value> words;
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
    words.push_back(
        emitTf32(kernel, vector::ExtractOp::create(b, kernel.loc, bits, lane)));
  return vector::FromElementsOp::create(b, kernel.loc, vector, words);
}

void TileCopy::finish(ValueRange begun) {
  OpBuilder &b = kernel.builder;
  if (isAsynchronous) {
    kernel.emitAsyncWait(0);
    return;
  }
  Value own = offsetAddress(
      kernel, shared,
      kernel.add(kernel.mul(ownRow, kernel.constant(shape.lineBytes)),
                 kernel.mul(ownElement, kernel.constant(shape.elementBytes))));
  for (auto [chunk, bits] : llvm::zip_equal(chunks, begun)) {
    auto store = [&, &chunk = chunk, &bits = bits] {
      Value value = shape.roundsToTf32 ? roundToTf32(bits) : bits;
      LLVM::StoreOp::create(b, kernel.loc, value,
                            offsetAddress(kernel, own,
                                          chunk.row * shape.lineBytes +
                                              chunk.line * shape.elementBytes),
                            static_cast<unsigned>(lanes * shape.elementBytes));
    };
    if (Value has = hasChunk(chunk))
      kernel.emitIf(has, store);
    else
      store();
  }
}
