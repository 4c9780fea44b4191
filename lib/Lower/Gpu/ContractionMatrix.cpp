//===- ContractionMatrix.cpp - products of tiles with tensor cores --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp multiplies fragments of 16 rows by 8 columns, 32 bytes of terms at a
// time. A thread has four words of 32 bits of a fragment of the first factor,
// and two of a fragment of the second: a word contains two neighbouring terms
// of 16 bits, or one of 32. The thread's number in the warp, divided by 4, is
// the row of the first of its words, and the remainder is its word (PTX ISA,
// mma.m16n8k16 and mma.m16n8k8).
//
//===----------------------------------------------------------------------===//

#include "ContractionTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;

namespace {
constexpr int64_t kPieceRows = 16, kPieceColumns = 8, kPieceBytes = 32;
/// The number of sums of a thread in a fragment: two rows of two.
constexpr int64_t kPieceSums = 4;

class MatrixProduct : public TileProduct {
public:
  MatrixProduct(GpuKernelBuilder &kernel, const ContractionTile &tile,
                TileLayout a, TileLayout b, Type type)
      : TileProduct(kernel, tile, a, b), type(type) {}

  void prepare() override;
  int64_t countSums() const override {
    return pieceRows() * pieceColumns() * kPieceSums;
  }
  SmallVector<Value> step(Value addressA, Value addressB,
                          ValueRange sums) override;
  int64_t groupSize() const override { return 2; }
  int64_t groupRows() const override { return 2 * pieceRows(); }
  Value row(int64_t groupRow) override {
    return kernel.add(rowInTile, kernel.constant(groupRow * kPieceRows / 2));
  }
  Value column(int64_t groupColumn) override {
    return kernel.add(columnInTile,
                      kernel.constant(groupColumn * kPieceColumns));
  }

private:
  using Words = SmallVector<Value>;

  int64_t pieceRows() const { return tile.ownRows / kPieceRows; }
  int64_t pieceColumns() const { return tile.ownColumns / kPieceColumns; }
  int64_t termsOfPiece() const { return kPieceBytes / a.elementBytes; }
  bool readsMatrices(const TileLayout &layout) const {
    return layout.linesOfTerms || layout.elementBytes == 2;
  }
  Value laneOffset(const TileLayout &layout, bool isFirst, Value own);
  Words loadWords(Value address, const TileLayout &layout, bool isFirst,
                  int64_t row, int64_t term);
  Value toFragment(ArrayRef<Value> words);
  unsigned sumIndex(int64_t pieceRow, int64_t pieceColumn, int64_t i) const {
    // Sums are ordered by row of groups, then by group.
    int64_t row = 2 * pieceRow + i / 2;
    return (row * pieceColumns() + pieceColumn) * 2 + i % 2;
  }

  Type type;
  Value lane, rowInTile, columnInTile, bytesA, bytesB;
};
} // namespace

void MatrixProduct::prepare() {
  Value warp = kernel.div(kernel.thread, kernel.constant(kWarp));
  lane = kernel.rem(kernel.thread, kernel.constant(kWarp));
  Value across = kernel.constant(tile.columns / tile.ownColumns);
  Value ownRow =
      kernel.mul(kernel.div(warp, across), kernel.constant(tile.ownRows));
  Value ownColumn =
      kernel.mul(kernel.rem(warp, across), kernel.constant(tile.ownColumns));
  Value four = kernel.constant(4);
  rowInTile = kernel.add(ownRow, kernel.div(lane, four));
  columnInTile = kernel.add(
      ownColumn, kernel.mul(kernel.rem(lane, four), kernel.constant(2)));
  bytesA = laneOffset(a, /*isFirst=*/true, ownRow);
  bytesB = laneOffset(b, /*isFirst=*/false, ownColumn);
}

/// Emits the offset in the tile of the first word that the thread reads or, if
/// whole matrices are read, of the line whose address it provides.
Value MatrixProduct::laneOffset(const TileLayout &layout, bool isFirst,
                                Value own) {
  auto constant = [&](int64_t value) { return kernel.constant(value); };
  Value row, term;
  if (readsMatrices(layout)) {
    // Loads four matrices of 8 lines of 16 bytes. The lanes of each quarter of
    // the warp provide the addresses of one matrix's lines. In the first
    // factor, the second matrix has the next rows and the third the next terms;
    // in the second factor, it is the opposite. If transposed, lines consist of
    // rows.
    Value line = kernel.rem(lane, constant(8));
    Value second = kernel.rem(kernel.div(lane, constant(8)), constant(2));
    Value third = kernel.div(lane, constant(16));
    Value nextRows = kernel.mul(isFirst ? second : third, constant(8));
    Value nextTerms =
        kernel.mul(isFirst ? third : second, constant(termsOfPiece() / 2));
    row = layout.linesOfTerms ? kernel.add(nextRows, line) : nextRows;
    term = layout.linesOfTerms ? nextTerms : kernel.add(nextTerms, line);
  } else {
    row = kernel.div(lane, constant(4));
    term = kernel.rem(lane, constant(4));
  }
  row = kernel.add(own, row);
  return kernel.add(kernel.mul(row, constant(layout.offset(1, 0))),
                    kernel.mul(term, constant(layout.offset(0, 1))));
}

/// Loads the words of a fragment of the first factor (in the order of the
/// instruction), or of two neighbouring fragments of the second.
MatrixProduct::Words MatrixProduct::loadWords(Value address,
                                              const TileLayout &layout,
                                              bool isFirst, int64_t row,
                                              int64_t term) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Type word = builder.getI32Type();
  Words words;
  if (readsMatrices(layout)) {
    auto four = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                 {word, word, word, word});
    Value read = NVVM::LdMatrixOp::create(
        builder, loc, four, at(address, layout.offset(row, term)), 4,
        layout.linesOfTerms ? NVVM::MMALayout::row : NVVM::MMALayout::col,
        NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    for (int64_t i = 0; i < 4; ++i)
      words.push_back(LLVM::ExtractValueOp::create(builder, loc, read, i));
    return words;
  }
  for (int64_t i = 0; i < 4; ++i) {
    bool nextRow = isFirst ? i % 2 == 1 : i / 2 == 1;
    bool nextTerm = isFirst ? i / 2 == 1 : i % 2 == 1;
    int64_t offset = layout.offset(row + (nextRow ? 8 : 0),
                                   term + (nextTerm ? termsOfPiece() / 2 : 0));
    words.push_back(
        LLVM::LoadOp::create(builder, loc, word, at(address, offset), 4));
  }
  return words;
}

Value MatrixProduct::toFragment(ArrayRef<Value> words) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  int64_t perWord = 4 / a.elementBytes;
  auto fragmentType =
      VectorType::get({static_cast<int64_t>(words.size()), perWord}, type);
  Value fragment = arith::ConstantOp::create(builder, loc,
                                             builder.getZeroAttr(fragmentType));
  for (auto [number, word] : llvm::enumerate(words)) {
    if (perWord == 1) {
      Value element = arith::BitcastOp::create(builder, loc, type, word);
      fragment = vector::InsertOp::create(
          builder, loc, element, fragment,
          ArrayRef<int64_t>{static_cast<int64_t>(number), 0});
      continue;
    }
    Value pair = LLVM::BitcastOp::create(
        builder, loc, VectorType::get({perWord}, type), word);
    fragment = vector::InsertOp::create(
        builder, loc, pair, fragment,
        ArrayRef<int64_t>{static_cast<int64_t>(number)});
  }
  return fragment;
}

SmallVector<Value> MatrixProduct::step(Value addressA, Value addressB,
                                       ValueRange sums) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Value ownA = offsetAddress(kernel, addressA, bytesA);
  Value ownB = offsetAddress(kernel, addressB, bytesB);
  auto sumType = VectorType::get({2, 2}, builder.getF32Type());
  SmallVector<Value> results(sums);
  for (int64_t term = 0; term < tile.terms; term += termsOfPiece()) {
    SmallVector<Value> left, right;
    for (int64_t row = 0; row < tile.ownRows; row += kPieceRows)
      left.push_back(toFragment(loadWords(ownA, a, true, row, term)));
    for (int64_t column = 0; column < tile.ownColumns;
         column += 2 * kPieceColumns) {
      Words words = loadWords(ownB, b, false, column, term);
      right.push_back(toFragment(ArrayRef<Value>(words).take_front(2)));
      right.push_back(toFragment(ArrayRef<Value>(words).drop_front(2)));
    }
    for (auto [row, fragmentA] : llvm::enumerate(left))
      for (auto [column, fragmentB] : llvm::enumerate(right)) {
        SmallVector<Value> old;
        for (int64_t i = 0; i < kPieceSums; ++i)
          old.push_back(results[sumIndex(row, column, i)]);
        Value sum = vector::FromElementsOp::create(builder, loc, sumType, old);
        Value added = nvgpu::MmaSyncOp::create(
            builder, loc, fragmentA, fragmentB, sum,
            ArrayRef<int64_t>{kPieceRows, kPieceColumns, termsOfPiece()},
            /*tf32Enabled=*/type.isF32());
        for (int64_t i = 0; i < kPieceSums; ++i)
          results[sumIndex(row, column, i)] = vector::ExtractOp::create(
              builder, loc, added, ArrayRef<int64_t>{i / 2, i % 2});
      }
  }
  return results;
}

std::unique_ptr<TileProduct>
tenon::lower::createMatrixProduct(GpuKernelBuilder &kernel,
                                  const ContractionTile &tile, TileLayout a,
                                  TileLayout b, Type type) {
  return std::make_unique<MatrixProduct>(kernel, tile, a, b, type);
}
