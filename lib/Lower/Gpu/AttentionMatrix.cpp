//===- AttentionMatrix.cpp - attention with tensor cores ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each of four warps has 16 queries and all keys of a tile. If values are long,
// two times four warps share their columns. ContractionMatrix.cpp describes
// which words of a fragment a thread has. Scores have the layout of the
// instruction's accumulators: two neighbours in each of two rows. They need not
// move for the product with the values: two fragments of 8 keys form the first
// factor's fragment of 16 terms of 16 bits. In a fragment of 8 terms of tf32,
// the terms are numbered so that a thread has the keys that it needs.
//
//===----------------------------------------------------------------------===//

#include "AttentionCore.h"
#include "ContractionTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;

namespace {
constexpr int64_t kPieceRows = 16, kPieceColumns = 8, kPieceBytes = 32;
constexpr int64_t kRowWarps = 4;
/// If values have more columns, two warps share them, so that each has enough
/// registers for its sums.
constexpr int64_t kMostColumns = 128;

/// The layout of tiles in shared memory: lines of terms of queries and keys,
/// and of columns of values. A padding of 16 bytes at the end of each line puts
/// neighbouring lines in different banks.
struct Lines {
  Lines(int64_t depth, int64_t valueDepth, int64_t elementBytes)
      : columnWarps(getMatrixAttentionColumnWarps(valueDepth)),
        terms(llvm::alignTo(depth, kPieceBytes / elementBytes)),
        columns(llvm::alignTo(valueDepth, 16 * columnWarps)),
        keyBytes(terms * elementBytes + kWidestAccess),
        valueBytes(columns * elementBytes + kWidestAccess) {}

  int64_t columnWarps, terms, columns, keyBytes, valueBytes;
};

class MatrixAttention : public AttentionCore {
public:
  MatrixAttention(GpuKernelBuilder &kernel, const AttentionForm &form,
                  const AttentionTile &tile);

  Value row(int64_t number) override {
    return kernel.add(laneRow, kernel.constant(8 * number));
  }
  Value key(int64_t number) override {
    return kernel.add(lanePair,
                      kernel.constant(number / 2 * kPieceColumns + number % 2));
  }
  Value column(int64_t number) override {
    return kernel.add(
        firstColumn,
        kernel.add(lanePair,
                   kernel.constant(number / 2 * kPieceColumns + number % 2)));
  }
  void prepare(const AttentionMatrices &matrices) override;
  SmallVector<Value> beginKeys(Value firstKey) override {
    return keys.begin(firstKey);
  }
  SmallVector<Value> emitScores(Value firstKey, ValueRange begun) override;
  SmallVector<Value> addValues(Value nextKey, ArrayRef<Value> weights,
                               ArrayRef<Value> sums,
                               SmallVector<Value> &begun) override;
  // Keys that were read into registers are already complete.
  void finish(ValueRange begun) override {
    if (begun.empty())
      keys.finish(begun);
  }

private:
  using Words = SmallVector<Value>;

  Words loadMatrices(Value address, bool transposed);
  Value toFragment(ArrayRef<Value> words);
  Value toTf32(Value number);
  Value roundPair(ArrayRef<Value> pair);
  Value multiply(Value a, Value b, Value sum);
  SmallVector<Value> weightFragments(ArrayRef<Value> weights, int64_t step);
  SmallVector<Value> valueFragments(int64_t step, int64_t column);
  bool isWide() const { return form.type.isF32(); }
  int64_t termsOfPiece() const { return kPieceBytes / elementBytes; }
  TileCopy::Shape shapeOf(bool isInterleaved, int64_t rows, int64_t depth,
                          int64_t elements, int64_t lineBytes) const {
    return {rows,
            depth,
            elements,
            elementBytes,
            lineBytes,
            form.rowStride(isInterleaved, depth),
            isWide(),
            /*asynchronous=*/true};
  }

  int64_t elementBytes;
  Lines lines;
  TileCopy queries, keys, values;
  SmallVector<Value> queryFragments;
  Value shared, sharedValues, lane, laneRow, lanePair, firstColumn;
  /// The addresses of a thread's first words of keys and of values.
  Value ownKeyWords, ownValueWords;
  SmallVector<Value> begunValues;
};
} // namespace

int64_t tenon::lower::getMatrixAttentionColumnWarps(int64_t valueDepth) {
  return valueDepth > kMostColumns ? 2 : 1;
}

int64_t tenon::lower::getMatrixAttentionKeys(int64_t depth, int64_t valueDepth,
                                             int64_t elementBytes) {
  // A thread keeps its words of the queries (one for each 8 bytes of depth) and
  // its sums in registers, which do not suffice beyond this size.
  constexpr int64_t kMostBytes = 512;
  if (depth * elementBytes > kMostBytes ||
      valueDepth * elementBytes > kMostBytes)
    return 0;
  Lines lines(depth, valueDepth, elementBytes);
  if (kRowWarps * kPieceRows * lines.keyBytes > kStaticShared)
    return 0;
  for (int64_t keys : {64, 32, 16})
    if (keys * (lines.keyBytes + lines.valueBytes) <= kStaticShared)
      return keys;
  return 0;
}

MatrixAttention::MatrixAttention(GpuKernelBuilder &kernel,
                                 const AttentionForm &form,
                                 const AttentionTile &tile)
    : AttentionCore(kernel, form, tile), elementBytes(byteWidth(form.type)),
      lines(form.depth, form.valueDepth, elementBytes),
      queries(kernel, shapeOf(form.interleaved.q, tile.rows, form.depth,
                              lines.terms, lines.keyBytes)),
      keys(kernel, shapeOf(form.interleaved.k, tile.keys, form.depth,
                           lines.terms, lines.keyBytes)),
      values(kernel, shapeOf(form.interleaved.v, tile.keys, form.valueDepth,
                             lines.columns, lines.valueBytes)) {
  ownRows = 2;
  ownKeys = tile.keys / 4;
  ownColumns = lines.columns / lines.columnWarps / 4;
  columnLanes = 2;
  rowLanes = 4;
}

/// Loads four matrices of 8 lines of 16 bytes. The lanes of each quarter of the
/// warp provide the addresses of one matrix's lines.
MatrixAttention::Words MatrixAttention::loadMatrices(Value address,
                                                     bool transposed) {
  OpBuilder &b = kernel.builder;
  Type word = b.getI32Type();
  auto four = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                               {word, word, word, word});
  Value read = NVVM::LdMatrixOp::create(
      b, kernel.loc, four, address, 4,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  Words words;
  for (int64_t i = 0; i < 4; ++i)
    words.push_back(LLVM::ExtractValueOp::create(b, kernel.loc, read, i));
  return words;
}

Value MatrixAttention::toFragment(ArrayRef<Value> words) {
  OpBuilder &b = kernel.builder;
  int64_t perWord = 4 / elementBytes;
  auto type = VectorType::get({int64_t(words.size()), perWord}, form.type);
  Value fragment =
      arith::ConstantOp::create(b, kernel.loc, b.getZeroAttr(type));
  for (auto [number, word] : llvm::enumerate(words)) {
    Value elements = LLVM::BitcastOp::create(
        b, kernel.loc,
        perWord == 1 ? form.type : VectorType::get({perWord}, form.type), word);
    SmallVector<int64_t> position = {int64_t(number)};
    if (perWord == 1)
      position.push_back(0);
    fragment =
        vector::InsertOp::create(b, kernel.loc, elements, fragment, position);
  }
  return fragment;
}

Value MatrixAttention::multiply(Value a, Value b, Value sum) {
  return nvgpu::MmaSyncOp::create(
      kernel.builder, kernel.loc, a, b, sum,
      ArrayRef<int64_t>{kPieceRows, kPieceColumns, termsOfPiece()},
      /*tf32Enabled=*/isWide());
}

void MatrixAttention::prepare(const AttentionMatrices &matrices) {
  auto constant = [&](int64_t value) { return kernel.constant(value); };
  int64_t queryBytes = tile.rows * lines.keyBytes;
  int64_t keyBytes = tile.keys * lines.keyBytes;
  // The queries are in registers before the first keys arrive.
  shared = kernel.allocateShared(
      std::max(queryBytes, keyBytes + tile.keys * lines.valueBytes));
  sharedValues = offsetAddress(kernel, shared, keyBytes);

  Value warp = kernel.div(kernel.thread, constant(kWarp));
  lane = kernel.rem(kernel.thread, constant(kWarp));
  Value rowWarp = kernel.rem(warp, constant(kRowWarps));
  Value firstRow = kernel.mul(rowWarp, constant(kPieceRows));
  laneRow = kernel.add(firstRow, kernel.div(lane, constant(4)));
  lanePair = kernel.mul(kernel.rem(lane, constant(4)), constant(2));
  firstColumn = kernel.mul(kernel.div(warp, constant(kRowWarps)),
                           constant(lines.columns / lines.columnWarps));

  // The second matrix has the next 8 rows of queries, and the third the next 8
  // keys or (transposed) columns. The other one of the two has the next terms.
  Value line = kernel.rem(lane, constant(8));
  Value second = kernel.rem(kernel.div(lane, constant(8)), constant(2));
  Value third = kernel.div(lane, constant(16));
  auto place = [&](Value row, Value rowBytes, Value next) {
    return kernel.add(kernel.mul(row, rowBytes),
                      kernel.mul(next, constant(kWidestAccess)));
  };
  Value lineBytes = constant(lines.keyBytes);
  auto lineOf = [&](Value next) {
    return kernel.add(kernel.mul(next, constant(8)), line);
  };
  ownKeyWords =
      offsetAddress(kernel, shared, place(lineOf(third), lineBytes, second));
  if (isWide()) {
    // Keys 2t and 2t + 1, where t is the thread's number in its group of four,
    // are terms t and t + 4.
    Value offset = kernel.add(
        kernel.mul(lanePair, constant(lines.valueBytes)),
        kernel.mul(kernel.add(kernel.div(lane, constant(4)), firstColumn),
                   constant(elementBytes)));
    ownValueWords = offsetAddress(kernel, sharedValues, offset);
  } else {
    Value offset =
        kernel.add(place(lineOf(second), constant(lines.valueBytes), third),
                   kernel.mul(firstColumn, constant(elementBytes)));
    ownValueWords = offsetAddress(kernel, sharedValues, offset);
  }

  queries.prepare(matrices.q, matrices.rowEnd, shared);
  keys.prepare(matrices.k, matrices.keyEnd, shared);
  values.prepare(matrices.v, matrices.keyEnd, sharedValues);
  queries.finish(queries.begin(matrices.firstRow));
  kernel.emitBarrier();
  Value ownQueryWords = offsetAddress(
      kernel, shared,
      place(kernel.add(firstRow, lineOf(second)), lineBytes, third));
  for (int64_t term = 0; term < lines.terms; term += termsOfPiece())
    queryFragments.push_back(toFragment(loadMatrices(
        offsetAddress(kernel, ownQueryWords, term * elementBytes), false)));
  kernel.emitBarrier();
}

SmallVector<Value> MatrixAttention::emitScores(Value firstKey,
                                               ValueRange begun) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  keys.finish(begun);
  // This barrier also ensures that no thread still reads the previous tile's
  // values.
  kernel.emitBarrier();
  begunValues = values.begin(firstKey);
  auto sumType = VectorType::get({2, 2}, b.getF32Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(sumType));
  SmallVector<Value> pieces(tile.keys / kPieceColumns, zero);
  for (auto [step, query] : llvm::enumerate(queryFragments))
    for (int64_t piece = 0; piece < int64_t(pieces.size()); piece += 2) {
      Words words =
          loadMatrices(offsetAddress(kernel, ownKeyWords,
                                     piece * kPieceColumns * lines.keyBytes +
                                         int64_t(step) * kPieceBytes),
                       false);
      for (int64_t i = 0; i < 2; ++i)
        pieces[piece + i] =
            multiply(query, toFragment(ArrayRef<Value>(words).slice(2 * i, 2)),
                     pieces[piece + i]);
    }
  SmallVector<Value> scores;
  for (int64_t row = 0; row < 2; ++row)
    for (Value piece : pieces)
      for (int64_t i = 0; i < 2; ++i)
        scores.push_back(vector::ExtractOp::create(b, loc, piece,
                                                   ArrayRef<int64_t>{row, i}));
  return scores;
}

Value MatrixAttention::toTf32(Value number) {
  return emitTf32(kernel, arith::BitcastOp::create(kernel.builder, kernel.loc,
                                                   kernel.builder.getI32Type(),
                                                   number));
}

/// Rounds two numbers to 16 bits.
Value MatrixAttention::roundPair(ArrayRef<Value> pair) {
  OpBuilder &b = kernel.builder;
  Value wide = vector::FromElementsOp::create(
      b, kernel.loc, VectorType::get({2}, b.getF32Type()), pair);
  return arith::TruncFOp::create(b, kernel.loc, VectorType::get({2}, form.type),
                                 wide);
}

/// Returns the weights of a fragment's keys. If weights are split, these are
/// followed by their rounding errors.
SmallVector<Value> MatrixAttention::weightFragments(ArrayRef<Value> weights,
                                                    int64_t step) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Type i32 = b.getI32Type();
  auto weight = [&](int64_t row, int64_t piece, int64_t i) {
    return weights[row * ownKeys + 2 * piece + i];
  };
  // With this factor, the rest after rounding is always positive. A rest that
  // is zero or negative would turn an infinite value into a NaN.
  int64_t digits = form.type.isF16() ? 11 : 8;
  Value lower = arith::ConstantOp::create(
      b, loc, b.getF32FloatAttr(1 - std::ldexp(1.0f, int(1 - digits))));
  Words words, rests;
  for (int64_t word = 0; word < 4; ++word) {
    if (isWide()) {
      words.push_back(toTf32(weight(word % 2, step, word / 2)));
      continue;
    }
    SmallVector<Value> exact, first, rest;
    for (int64_t i = 0; i < 2; ++i) {
      exact.push_back(weight(word % 2, 2 * step + word / 2, i));
      first.push_back(tile.splitsWeights ? Value(arith::MulFOp::create(
                                               b, loc, exact.back(), lower))
                                         : exact.back());
    }
    Value pair = roundPair(first);
    words.push_back(LLVM::BitcastOp::create(b, loc, i32, pair));
    if (!tile.splitsWeights)
      continue;
    for (int64_t i = 0; i < 2; ++i) {
      Value part = vector::ExtractOp::create(b, loc, pair, i);
      rest.push_back(arith::SubFOp::create(
          b, loc, exact[i],
          arith::ExtFOp::create(b, loc, b.getF32Type(), part)));
    }
    rests.push_back(LLVM::BitcastOp::create(b, loc, i32, roundPair(rest)));
  }
  SmallVector<Value> fragments = {toFragment(words)};
  if (tile.splitsWeights)
    fragments.push_back(toFragment(rests));
  return fragments;
}

/// Returns the values of two neighbouring fragments of columns.
SmallVector<Value> MatrixAttention::valueFragments(int64_t step,
                                                   int64_t column) {
  OpBuilder &b = kernel.builder;
  Value address = offsetAddress(kernel, ownValueWords,
                                step * termsOfPiece() * lines.valueBytes +
                                    column * elementBytes);
  Words words;
  if (isWide()) {
    for (int64_t i = 0; i < 4; ++i)
      words.push_back(LLVM::LoadOp::create(
          b, kernel.loc, b.getI32Type(),
          offsetAddress(kernel, address,
                        i % 2 * lines.valueBytes +
                            i / 2 * kPieceColumns * elementBytes),
          4));
  } else {
    words = loadMatrices(address, true);
  }
  return {toFragment(ArrayRef<Value>(words).take_front(2)),
          toFragment(ArrayRef<Value>(words).drop_front(2))};
}

SmallVector<Value> MatrixAttention::addValues(Value nextKey,
                                              ArrayRef<Value> weights,
                                              ArrayRef<Value> sums,
                                              SmallVector<Value> &begun) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  values.finish(begunValues);
  // This barrier also ensures that no thread still reads the keys.
  kernel.emitBarrier();
  begun = keys.begin(nextKey);
  auto sumType = VectorType::get({2, 2}, b.getF32Type());
  SmallVector<Value> pieces;
  for (int64_t column = 0; column < ownColumns; column += 2)
    pieces.push_back(vector::FromElementsOp::create(
        b, loc, sumType,
        ValueRange{sums[column], sums[column + 1], sums[ownColumns + column],
                   sums[ownColumns + column + 1]}));
  for (int64_t step = 0; step < tile.keys / termsOfPiece(); ++step) {
    SmallVector<Value> factors = weightFragments(weights, step);
    for (int64_t piece = 0; piece < int64_t(pieces.size()); piece += 2) {
      SmallVector<Value> two = valueFragments(step, piece * kPieceColumns);
      for (Value factor : factors)
        for (int64_t i = 0; i < 2; ++i)
          pieces[piece + i] = multiply(factor, two[i], pieces[piece + i]);
    }
  }
  SmallVector<Value> results;
  for (int64_t row = 0; row < 2; ++row)
    for (Value piece : pieces)
      for (int64_t i = 0; i < 2; ++i)
        results.push_back(vector::ExtractOp::create(b, loc, piece,
                                                    ArrayRef<int64_t>{row, i}));
  return results;
}

std::unique_ptr<AttentionCore>
tenon::lower::createMatrixAttention(GpuKernelBuilder &kernel,
                                    const AttentionForm &form,
                                    const AttentionTile &tile) {
  return std::make_unique<MatrixAttention>(kernel, form, tile);
}
