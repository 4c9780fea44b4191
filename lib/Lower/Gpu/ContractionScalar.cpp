//===- ContractionScalar.cpp - products of tiles with f32 arithmetic ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;

namespace {
/// The number of elements of one access to shared memory.
constexpr int64_t kGroup = 4;

/// A thread has rows and columns in groups of four. Its groups are as far apart
/// as the block has groups, so that the threads of a warp read neighbouring
/// groups.
class ScalarProduct : public TileProduct {
public:
  using TileProduct::TileProduct;

  void prepare() override;
  int64_t countSums() const override { return tile.ownRows * tile.ownColumns; }
  SmallVector<Value> step(Value addressA, Value addressB,
                          ValueRange sums) override;
  int64_t groupSize() const override { return kGroup; }
  int64_t groupRows() const override { return tile.ownRows; }
  Value row(int64_t groupRow) override {
    return kernel.add(rowInTile, kernel.constant(rowOffset(groupRow)));
  }
  Value column(int64_t groupColumn) override {
    return kernel.add(columnInTile,
                      kernel.constant(groupColumn * columnStride()));
  }

private:
  int64_t rowStride() const { return kGroup * tile.rows / tile.ownRows; }
  int64_t columnStride() const {
    return kGroup * tile.columns / tile.ownColumns;
  }
  int64_t rowOffset(int64_t row) const {
    return row / kGroup * rowStride() + row % kGroup;
  }
  SmallVector<Value> load(Value address, const TileLayout &layout, int64_t term,
                          int64_t count, int64_t stride);

  Value rowInTile, columnInTile, bytesA, bytesB;
};
} // namespace

void ScalarProduct::prepare() {
  Value across = kernel.constant(tile.columns / tile.ownColumns);
  Value four = kernel.constant(kGroup);
  rowInTile = kernel.mul(kernel.div(kernel.thread, across), four);
  columnInTile = kernel.mul(kernel.rem(kernel.thread, across), four);
  bytesA = kernel.mul(rowInTile, kernel.constant(a.elementBytes));
  bytesB = kernel.mul(columnInTile, kernel.constant(b.elementBytes));
}

SmallVector<Value> ScalarProduct::load(Value address, const TileLayout &layout,
                                       int64_t term, int64_t count,
                                       int64_t stride) {
  OpBuilder &builder = kernel.builder;
  auto type = VectorType::get({kGroup}, builder.getF32Type());
  SmallVector<Value> values;
  for (int64_t group = 0; group < count / kGroup; ++group) {
    Value wide = LLVM::LoadOp::create(
        builder, kernel.loc, type,
        at(address, layout.offset(group * stride, term)), kWidestAccess);
    for (int64_t i = 0; i < kGroup; ++i)
      values.push_back(vector::ExtractOp::create(builder, kernel.loc, wide, i));
  }
  return values;
}

SmallVector<Value> ScalarProduct::step(Value addressA, Value addressB,
                                       ValueRange sums) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  bool fuses = bitEnumContainsAny(kernel.context.fastMath,
                                  arith::FastMathFlags::contract);
  Value ownA = offsetAddress(kernel, addressA, bytesA);
  Value ownB = offsetAddress(kernel, addressB, bytesB);
  SmallVector<Value> results(sums);
  for (int64_t term = 0; term < tile.terms; ++term) {
    SmallVector<Value> left = load(ownA, a, term, tile.ownRows, rowStride());
    SmallVector<Value> right =
        load(ownB, b, term, tile.ownColumns, columnStride());
    for (int64_t row = 0; row < tile.ownRows; ++row)
      for (int64_t column = 0; column < tile.ownColumns; ++column) {
        Value &sum = results[row * tile.ownColumns + column];
        // Use LLVM's op, because upstream's conversion of math.fma calls a
        // library.
        if (fuses)
          sum =
              LLVM::FMAOp::create(builder, loc, left[row], right[column], sum);
        else
          sum = arith::AddFOp::create(
              builder, loc, sum,
              arith::MulFOp::create(builder, loc, left[row], right[column]));
      }
  }
  return results;
}

std::unique_ptr<TileProduct>
tenon::lower::createScalarProduct(GpuKernelBuilder &kernel,
                                  const ContractionTile &tile, TileLayout a,
                                  TileLayout b) {
  return std::make_unique<ScalarProduct>(kernel, tile, a, b);
}
