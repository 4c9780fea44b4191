//===- AttentionScalar.cpp - attention with f32 arithmetic ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each half of a warp has four queries. Its lanes divide the keys, and then the
// columns, among them. Weights go through shared memory, from which each lane
// reads all weights of its rows. Keys and values use the same shared memory
// alternately.
//
//===----------------------------------------------------------------------===//

#include "AttentionCore.h"
#include "ContractionTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;

namespace {
constexpr int64_t kLanes = 16, kOwnRows = 4, kBytes = 4;
/// The number of terms that a thread reads in one step.
constexpr int64_t kStep = 4;

/// The layout of tiles in shared memory. Neighbouring lines that lanes read at
/// the same time are in different banks.
struct Lines {
  Lines(int64_t depth, int64_t valueDepth, int64_t rows, int64_t keys)
      : columnLanes(valueDepth % 64 == 0   ? 4
                    : valueDepth % 32 == 0 ? 2
                                           : 1),
        terms(llvm::alignTo(depth, 2 * kStep)),
        columns(llvm::alignTo(valueDepth, columnLanes * kLanes)),
        keyBytes(terms * kBytes + kWidestAccess), valueBytes(columns * kBytes),
        weightBytes(keys * kBytes + kWidestAccess),
        tileBytes(keys * std::max(keyBytes, valueBytes)),
        allBytes(rows * (keyBytes + weightBytes) + tileBytes) {}

  int64_t columnLanes, terms, columns;
  int64_t keyBytes, valueBytes, weightBytes; // bytes per line
  int64_t tileBytes, allBytes;
};

class ScalarAttention : public AttentionCore {
public:
  ScalarAttention(GpuKernelBuilder &kernel, const AttentionForm &form,
                  const AttentionTile &tile);

  Value row(int64_t number) override {
    return kernel.add(firstRow, kernel.constant(number));
  }
  Value key(int64_t number) override {
    return kernel.add(lane, kernel.constant(number * kLanes));
  }
  Value column(int64_t number) override {
    return kernel.add(
        kernel.mul(lane, kernel.constant(columnLanes)),
        kernel.constant(number / columnLanes * columnLanes * kLanes +
                        number % columnLanes));
  }
  void prepare(const AttentionMatrices &matrices) override;
  SmallVector<Value> beginKeys(Value firstKey) override {
    return keys.begin(firstKey);
  }
  SmallVector<Value> emitScores(Value firstKey, ValueRange begun) override;
  SmallVector<Value> addValues(Value nextKey, ArrayRef<Value> weights,
                               ArrayRef<Value> sums,
                               SmallVector<Value> &begun) override;

private:
  SmallVector<Value> load(Value address, int64_t count);
  Value multiplyAdd(Value a, Value b, Value sum) {
    return math::FmaOp::create(kernel.builder, kernel.loc, a, b, sum);
  }
  Value bytes(Value number, int64_t size) {
    return kernel.mul(number, kernel.constant(size));
  }

  Lines lines;
  TileCopy queries, keys, values;
  Value sharedTile, lane, firstRow;
  /// The addresses of a thread's queries, keys, weights (also of its rows) and
  /// values.
  Value ownQueries, ownKeyLines, ownWeights, rowWeights, ownValues;
  SmallVector<Value> begunValues;
};
} // namespace

int64_t tenon::lower::getScalarAttentionKeys(int64_t depth, int64_t valueDepth,
                                             int64_t rows) {
  for (int64_t keys : {64, 48, 32, 16})
    if (Lines(depth, valueDepth, rows, keys).allBytes <= kStaticShared)
      return keys;
  return 0;
}

static TileCopy::Shape shapeOf(const graph::SymInt &rowStride, int64_t rows,
                               int64_t depth, int64_t elements,
                               int64_t lineBytes) {
  TileCopy::Shape shape;
  shape.rowStride = rowStride;
  shape.rows = rows;
  shape.depth = depth;
  shape.lineElements = elements;
  shape.elementBytes = kBytes;
  shape.lineBytes = lineBytes;
  return shape;
}

ScalarAttention::ScalarAttention(GpuKernelBuilder &kernel,
                                 const AttentionForm &form,
                                 const AttentionTile &tile)
    : AttentionCore(kernel, form, tile),
      lines(form.depth, form.valueDepth, tile.rows, tile.keys),
      queries(kernel,
              shapeOf(form.rowStride(form.interleaved.q, form.depth), tile.rows,
                      form.depth, lines.terms, lines.keyBytes)),
      keys(kernel, shapeOf(form.rowStride(form.interleaved.k, form.depth),
                           tile.keys, form.depth, lines.terms, lines.keyBytes)),
      values(kernel,
             shapeOf(form.rowStride(form.interleaved.v, form.valueDepth),
                     tile.keys, form.valueDepth, lines.columns,
                     lines.valueBytes)) {
  ownRows = kOwnRows;
  ownKeys = tile.keys / kLanes;
  ownColumns = lines.columns / kLanes;
  columnLanes = lines.columnLanes;
  rowLanes = kLanes;
}

SmallVector<Value> ScalarAttention::load(Value address, int64_t count) {
  OpBuilder &b = kernel.builder;
  if (count == 1)
    return {LLVM::LoadOp::create(b, kernel.loc, b.getF32Type(), address,
                                 static_cast<unsigned>(kBytes))};
  Value read = LLVM::LoadOp::create(
      b, kernel.loc, VectorType::get({count}, b.getF32Type()), address,
      static_cast<unsigned>(count * kBytes));
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(vector::ExtractOp::create(b, kernel.loc, read, i));
  return elements;
}

void ScalarAttention::prepare(const AttentionMatrices &matrices) {
  int64_t queryBytes = tile.rows * lines.keyBytes;
  Value shared = kernel.allocateShared(lines.allBytes);
  sharedTile = offsetAddress(kernel, shared, queryBytes);
  Value weights = offsetAddress(kernel, sharedTile, lines.tileBytes);
  lane = kernel.rem(kernel.thread, kernel.constant(kLanes));
  firstRow = kernel.mul(kernel.div(kernel.thread, kernel.constant(kLanes)),
                        kernel.constant(kOwnRows));
  ownQueries = offsetAddress(kernel, shared, bytes(firstRow, lines.keyBytes));
  ownKeyLines = offsetAddress(kernel, sharedTile, bytes(lane, lines.keyBytes));
  rowWeights =
      offsetAddress(kernel, weights, bytes(firstRow, lines.weightBytes));
  ownWeights = offsetAddress(kernel, rowWeights, bytes(lane, kBytes));
  ownValues =
      offsetAddress(kernel, sharedTile, bytes(lane, columnLanes * kBytes));
  queries.prepare(matrices.q, matrices.rowEnd, shared);
  keys.prepare(matrices.k, matrices.keyEnd, sharedTile);
  values.prepare(matrices.v, matrices.keyEnd, sharedTile);
  // The barrier after the first keys also covers the queries.
  queries.finish(queries.begin(matrices.firstRow));
}

SmallVector<Value> ScalarAttention::emitScores(Value firstKey,
                                               ValueRange begun) {
  OpBuilder &b = kernel.builder;
  keys.finish(begun);
  kernel.emitBarrier();
  begunValues = values.begin(firstKey);
  Value zero =
      arith::ConstantOp::create(b, kernel.loc, b.getF32FloatAttr(0.0f));
  SmallVector<Value> scores(ownRows * ownKeys, zero);
  return kernel.emitFor(
      kernel.constant(0), kernel.constant(lines.terms),
      kernel.constant(2 * kStep), scores, [&](Value term, ValueRange carried) {
        SmallVector<Value> sums(carried);
        Value offset = bytes(term, kBytes);
        Value queryLine = offsetAddress(kernel, ownQueries, offset);
        Value keyLine = offsetAddress(kernel, ownKeyLines, offset);
        for (int64_t step = 0; step < 2; ++step) {
          SmallVector<SmallVector<Value>> left, right;
          for (int64_t i = 0; i < ownRows; ++i)
            left.push_back(
                load(offsetAddress(kernel, queryLine,
                                   i * lines.keyBytes + step * kStep * kBytes),
                     kStep));
          for (int64_t j = 0; j < ownKeys; ++j)
            right.push_back(load(offsetAddress(kernel, keyLine,
                                               j * kLanes * lines.keyBytes +
                                                   step * kStep * kBytes),
                                 kStep));
          for (int64_t k = 0; k < kStep; ++k)
            for (int64_t i = 0; i < ownRows; ++i)
              for (int64_t j = 0; j < ownKeys; ++j) {
                Value &sum = sums[i * ownKeys + j];
                sum = multiplyAdd(left[i][k], right[j][k], sum);
              }
        }
        return sums;
      });
}

SmallVector<Value> ScalarAttention::addValues(Value nextKey,
                                              ArrayRef<Value> weights,
                                              ArrayRef<Value> sums,
                                              SmallVector<Value> &begun) {
  OpBuilder &b = kernel.builder;
  // Wait until all threads have used the keys.
  kernel.emitBarrier();
  values.finish(begunValues);
  for (int64_t i = 0; i < ownRows; ++i)
    for (int64_t j = 0; j < ownKeys; ++j)
      LLVM::StoreOp::create(
          b, kernel.loc, weights[i * ownKeys + j],
          offsetAddress(kernel, ownWeights,
                        i * lines.weightBytes + j * kLanes * kBytes),
          static_cast<unsigned>(kBytes));
  kernel.emitBarrier();
  begun = keys.begin(nextKey);
  SmallVector<Value> added = kernel.emitFor(
      kernel.constant(0), kernel.constant(tile.keys), kernel.constant(kStep),
      SmallVector<Value>(sums), [&](Value key, ValueRange carried) {
        SmallVector<Value> results(carried);
        Value weightLine =
            offsetAddress(kernel, rowWeights, bytes(key, kBytes));
        Value valueLine =
            offsetAddress(kernel, ownValues, bytes(key, lines.valueBytes));
        SmallVector<SmallVector<Value>> left;
        for (int64_t i = 0; i < ownRows; ++i)
          left.push_back(load(
              offsetAddress(kernel, weightLine, i * lines.weightBytes), kStep));
        for (int64_t k = 0; k < kStep; ++k)
          for (int64_t c = 0; c < ownColumns; c += columnLanes) {
            SmallVector<Value> right =
                load(offsetAddress(kernel, valueLine,
                                   k * lines.valueBytes + c * kLanes * kBytes),
                     columnLanes);
            for (int64_t i = 0; i < ownRows; ++i)
              for (int64_t lane = 0; lane < columnLanes; ++lane) {
                Value &sum = results[i * ownColumns + c + lane];
                sum = multiplyAdd(left[i][k], right[lane], sum);
              }
          }
        return results;
      });
  // Wait until all threads have used the values, which the next keys overwrite.
  kernel.emitBarrier();
  return added;
}

std::unique_ptr<AttentionCore>
tenon::lower::createScalarAttention(GpuKernelBuilder &kernel,
                                    const AttentionForm &form,
                                    const AttentionTile &tile) {
  return std::make_unique<ScalarAttention>(kernel, form, tile);
}
