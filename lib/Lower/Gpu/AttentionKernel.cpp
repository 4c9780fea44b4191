//===- AttentionKernel.cpp - the attention kernel's loop over keys --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionCore.h"
#include "AttentionMask.h"
#include "ContractionTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
class AttentionKernel {
public:
  AttentionKernel(const GpuKernelPlace &place, const AttentionForm &form,
                  const AttentionTile &tile);
  GpuKernel run();

private:
  /// The state of a thread's rows after some of the keys.
  struct State {
    SmallVector<Value> largest, weights, sums;
  };

  void locateBlock();
  void locateRows();
  SmallVector<Value> emitTile(Value firstKey, ValueRange carried);
  SmallVector<Value> toLogits(Value firstKey, ArrayRef<Value> scores);
  SmallVector<Value> hide(Value firstKey, ArrayRef<Value> logits);
  SmallVector<Value> weigh(ArrayRef<Value> logits, State &state);
  void storeResult(const State &state);
  void storeSplit(const State &state);
  void storeColumns(Value address, ArrayRef<Value> sums, Type type);

  Value number(double value) {
    return arith::ConstantOp::create(
        b, loc, b.getF32FloatAttr(static_cast<float>(value)));
  }
  Value largestOf(Value x, Value y) {
    return arith::MaxNumFOp::create(b, loc, x, y);
  }
  /// Reduces a value over the lanes that have the same rows.
  Value overLanes(Value value, llvm::function_ref<Value(Value, Value)> join);
  Value isLess(Value x, Value y) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
  }
  Value least(Value x, Value y) { return arith::MinSIOp::create(b, loc, x, y); }
  Value subtract(Value x, Value y) {
    return arith::SubIOp::create(b, loc, x, y);
  }
  Value scaleBytes(Value count, int64_t bytes) {
    return kernel.mul(count, kernel.constant(bytes));
  }
  State unpack(ValueRange values) const;

  const AttentionForm form;
  const AttentionTile tile;
  GpuKernelBuilder kernel;
  OpBuilder &b;
  Location loc;
  ExprEmitter sizes;
  std::unique_ptr<AttentionCore> core;
  std::optional<AttentionMask> mask;
  AttentionMatrices matrices;
  Value rows, queries, matrix, split, firstKey;
  /// The smallest query position in the block: its visible keys are visible to
  /// all of the block's queries. With causal attention, a query sees the keys
  /// up to `offset` positions beyond its own.
  Value leastQuery, offset;
  /// For each row of the thread, the end of its visible keys.
  SmallVector<Value> rowEnds;
};
} // namespace

/// Returns a plan with only the numbers of inputs and outputs, from which the
/// builder derives the kernel's arguments.
static LoopPlan planArguments(unsigned inputs, int outputs) {
  LoopPlan plan;
  plan.numInputs = inputs;
  for (int output = 0; output < outputs; ++output) {
    KernelLoop loop;
    loop.output = output;
    plan.loops.push_back(std::move(loop));
  }
  return plan;
}

AttentionKernel::AttentionKernel(const GpuKernelPlace &place,
                                 const AttentionForm &form,
                                 const AttentionTile &tile)
    : form(form), tile(tile),
      kernel(place, planArguments(form.mask ? 4 : 3, tile.splits > 1 ? 2 : 1),
             tile.threads),
      b(kernel.builder), loc(kernel.loc), sizes(b, loc, kernel.context) {
  core = tile.useTensorCores
             ? createMatrixAttention(kernel, this->form, this->tile)
             : createScalarAttention(kernel, this->form, this->tile);
}

/// Blocks of one matrix are consecutive, because they read the same keys.
/// Blocks with the most keys come first.
void AttentionKernel::locateBlock() {
  Value tiles = sizes.emitSize(form.rows().ceilDiv(tile.rows));
  Value count = sizes.emitSize(form.matrices());
  Value tileNumber = kernel.rem(kernel.block, tiles);
  Value rest = kernel.div(kernel.block, tiles);
  if (form.causal)
    tileNumber = subtract(subtract(tiles, kernel.constant(1)), tileNumber);
  matrix = tile.splits > 1 ? kernel.rem(rest, count) : rest;
  split = tile.splits > 1 ? kernel.div(rest, count) : kernel.constant(0);

  rows = sizes.emitSize(form.rows());
  queries = sizes.emitSize(form.queries);
  Value keys = sizes.emitSize(form.keys);
  matrices.firstRow = kernel.mul(tileNumber, kernel.constant(tile.rows));
  matrices.rowEnd = rows;
  matrices.keyEnd = keys;
  if (form.causal) {
    offset = subtract(keys, queries);
    Value first = matrices.firstRow;
    if (form.groups().getConstant() != 1)
      first = kernel.rem(first, queries);
    Value end = kernel.add(first, kernel.constant(tile.rows));
    leastQuery = first;
    // A tile may contain queries of several heads.
    if (form.groups().getConstant() != 1)
      leastQuery = arith::SelectOp::create(b, loc, isLess(queries, end),
                                           kernel.constant(0), first);
    matrices.keyEnd = least(keys, kernel.add(end, offset));
  }
  firstKey = kernel.constant(0);
  if (tile.splits > 1) {
    Value part = scaleBytes(
        sizes.emitSize(form.keys.ceilDiv(tile.keys * tile.splits)), tile.keys);
    firstKey = kernel.mul(split, part);
    matrices.keyEnd = least(matrices.keyEnd, kernel.add(firstKey, part));
  }
  auto locate = [&](unsigned input, bool isInterleaved, const SymInt &count,
                    int64_t width) {
    Value row = emitRowPosition(kernel, form, isInterleaved, matrix,
                                sizes.emitSize(count), kernel.constant(0));
    return offsetAddress(kernel, kernel.context.pointers[input],
                         scaleBytes(row, width * byteWidth(form.type)));
  };
  matrices.q = locate(0, form.interleaved.q, form.rows(), form.depth);
  matrices.k = locate(1, form.interleaved.k, form.keys, form.depth);
  matrices.v = locate(2, form.interleaved.v, form.keys, form.valueDepth);
}

/// Rows beyond the last one are computed, but not stored. They use the mask of
/// the last row.
void AttentionKernel::locateRows() {
  Value last;
  if (form.mask) {
    mask.emplace(kernel, sizes, form, matrix);
    last = subtract(rows, kernel.constant(1));
  }
  for (int64_t number = 0; number < core->ownRows; ++number) {
    Value end = matrices.keyEnd;
    if (form.causal || form.mask) {
      Value row = kernel.add(matrices.firstRow, core->row(number));
      if (mask)
        row = least(row, last);
      Value head = kernel.constant(0), query = row;
      if (form.groups().getConstant() != 1) {
        head = kernel.div(row, queries);
        query = kernel.rem(row, queries);
      }
      // The keys of the block end at this row's end or later, or at the end of
      // a tile.
      if (form.causal)
        end = kernel.add(kernel.add(query, offset), kernel.constant(1));
      if (mask)
        mask->addRow(head, query);
    }
    rowEnds.push_back(end);
  }
}

AttentionKernel::State AttentionKernel::unpack(ValueRange values) const {
  State state;
  int64_t numRows = core->ownRows;
  state.largest.assign(values.begin(), values.begin() + numRows);
  state.weights.assign(values.begin() + numRows, values.begin() + 2 * numRows);
  state.sums.assign(values.begin() + 2 * numRows,
                    values.begin() + numRows * (2 + core->ownColumns));
  return state;
}

/// Emits the scaled and masked scores. Without a mask, they are in units of log
/// 2.
SmallVector<Value> AttentionKernel::toLogits(Value firstKey,
                                             ArrayRef<Value> scores) {
  // The scale is rounded to f32, as in the decomposition.
  double scale = static_cast<float>(form.scale);
  Value factor = number(mask ? scale : scale * llvm::numbers::log2e);
  SmallVector<Value> logits;
  for (Value score : scores)
    logits.push_back(arith::MulFOp::create(b, loc, score, factor));
  if (!mask)
    return logits;
  Value last = subtract(sizes.emitSize(form.keys), kernel.constant(1));
  for (int64_t key = 0; key < core->ownKeys; ++key) {
    // The mask of a key that does not exist is ignored, because the key is
    // hidden later.
    Value position = least(kernel.add(firstKey, core->key(key)), last);
    for (int64_t row = 0; row < core->ownRows; ++row) {
      Value &logit = logits[row * core->ownKeys + key];
      logit = arith::AddFOp::create(b, loc, logit, mask->load(row, position));
    }
  }
  return logits;
}

/// Replaces the logits of keys that are not visible to the rows by minus
/// infinity.
SmallVector<Value> AttentionKernel::hide(Value firstKey,
                                         ArrayRef<Value> logits) {
  std::optional<int64_t> count = form.keys.getConstant();
  if (!form.causal && tile.splits == 1 && count && *count % tile.keys == 0)
    return SmallVector<Value>(logits);
  // Most tiles are entirely visible.
  Value end = kernel.add(firstKey, kernel.constant(tile.keys));
  Value seen = matrices.keyEnd;
  if (form.causal)
    seen = kernel.add(kernel.add(leastQuery, offset), kernel.constant(1));
  SmallVector<Type> types(logits.size(), b.getF32Type());
  auto branch = scf::IfOp::create(b, loc, types, isLess(seen, end),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value lowest = number(-INFINITY);
  auto narrow = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
  };
  SmallVector<Value> hidden, keys;
  for (int64_t key = 0; key < core->ownKeys; ++key)
    keys.push_back(narrow(core->key(key)));
  for (int64_t row = 0; row < core->ownRows; ++row) {
    Value rowEnd = narrow(subtract(rowEnds[row], firstKey));
    for (int64_t key = 0; key < core->ownKeys; ++key)
      hidden.push_back(
          arith::SelectOp::create(b, loc, isLess(keys[key], rowEnd),
                                  logits[row * core->ownKeys + key], lowest));
  }
  scf::YieldOp::create(b, loc, hidden);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, loc, SmallVector<Value>(logits));
  return SmallVector<Value>(branch.getResults());
}

Value AttentionKernel::overLanes(Value value,
                                 llvm::function_ref<Value(Value, Value)> join) {
  for (int64_t bits = 1; bits < core->rowLanes; bits *= 2)
    value = join(value, kernel.emitShuffleXor(value, bits));
  return value;
}

/// Emits weights relative to the largest logit so far, and rescales the
/// accumulated sums to that logit.
SmallVector<Value> AttentionKernel::weigh(ArrayRef<Value> logits,
                                          State &state) {
  Value zero = number(0), lowest = number(-INFINITY);
  Value unit = number(llvm::numbers::log2e);
  auto distance = [&](Value logit, Value shift) -> Value {
    Value x = arith::SubFOp::create(b, loc, logit, shift);
    return mask ? Value(arith::MulFOp::create(b, loc, x, unit)) : x;
  };
  // For f16, the second part of a small weight would have no mantissa bits.
  // Weights are therefore scaled by 2^14, which cancels in the quotient of the
  // sums.
  Value raise = tile.splitsWeights && form.type.isF16() ? number(14) : Value();
  auto weight = [&](Value logit, Value shift) -> Value {
    Value x = distance(logit, shift);
    if (raise)
      x = arith::AddFOp::create(b, loc, x, raise);
    return math::Exp2Op::create(b, loc, x);
  };
  SmallVector<Value> weights;
  for (int64_t row = 0; row < core->ownRows; ++row) {
    ArrayRef<Value> own = logits.slice(row * core->ownKeys, core->ownKeys);
    Value largest = own.front();
    for (Value logit : own.drop_front())
      largest = largestOf(largest, logit);
    largest =
        overLanes(largest, [&](Value x, Value y) { return largestOf(x, y); });
    largest = largestOf(largest, state.largest[row]);
    // Rows without a visible key so far have no largest logit.
    Value isNone = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                         largest, lowest);
    Value shift = arith::SelectOp::create(b, loc, isNone, zero, largest);
    Value rescale =
        math::Exp2Op::create(b, loc, distance(state.largest[row], shift));
    state.largest[row] = largest;
    Value sum = arith::MulFOp::create(b, loc, state.weights[row], rescale);
    for (Value logit : own) {
      weights.push_back(weight(logit, shift));
      sum = arith::AddFOp::create(b, loc, sum, weights.back());
    }
    state.weights[row] = sum;
    for (int64_t column = 0; column < core->ownColumns; ++column) {
      Value &value = state.sums[row * core->ownColumns + column];
      value = arith::MulFOp::create(b, loc, value, rescale);
    }
  }
  return weights;
}

SmallVector<Value> AttentionKernel::emitTile(Value firstKey,
                                             ValueRange carried) {
  State state = unpack(carried);
  SmallVector<Value> begun(
      carried.drop_front(core->ownRows * (2 + core->ownColumns)));
  SmallVector<Value> scores = core->emitScores(firstKey, begun);
  SmallVector<Value> logits = hide(firstKey, toLogits(firstKey, scores));
  SmallVector<Value> weights = weigh(logits, state);
  Value next = kernel.add(firstKey, kernel.constant(tile.keys));
  SmallVector<Value> sums = core->addValues(next, weights, state.sums, begun);
  SmallVector<Value> results = state.largest;
  results.append(state.weights);
  results.append(sums);
  results.append(begun);
  return results;
}

void AttentionKernel::storeColumns(Value address, ArrayRef<Value> sums,
                                   Type type) {
  int64_t lanes =
      form.valueDepth % core->columnLanes == 0 ? core->columnLanes : 1;
  int64_t bytes = byteWidth(type);
  for (int64_t first = 0; first < core->ownColumns; first += lanes) {
    SmallVector<Value> values(sums.slice(first, lanes));
    if (!type.isF32())
      for (Value &value : values)
        value = arith::TruncFOp::create(b, loc, type, value);
    Value stored = lanes == 1
                       ? values.front()
                       : Value(vector::FromElementsOp::create(
                             b, loc, VectorType::get({lanes}, type), values));
    Value column = core->column(first);
    kernel.emitIf(isLess(column, kernel.constant(form.valueDepth)), [&] {
      LLVM::StoreOp::create(
          b, loc, stored,
          offsetAddress(kernel, address, scaleBytes(column, bytes)),
          static_cast<unsigned>(lanes * bytes));
    });
  }
}

void AttentionKernel::storeResult(const State &state) {
  // If no key is visible, this is 0 / 0, a NaN, as required. However, if there
  // are no keys at all, the sum of products is 0.
  Value one = number(1), zero = number(0);
  Value result = kernel.context.pointers[form.mask ? 4 : 3];
  for (int64_t number = 0; number < core->ownRows; ++number) {
    Value row = kernel.add(matrices.firstRow, core->row(number));
    Value factor = arith::DivFOp::create(b, loc, one, state.weights[number]);
    if (!form.keys.getConstant()) {
      Value isEmpty =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                sizes.emitSize(form.keys), kernel.constant(0));
      factor = arith::SelectOp::create(b, loc, isEmpty, zero, factor);
    }
    SmallVector<Value> values;
    for (int64_t column = 0; column < core->ownColumns; ++column)
      values.push_back(arith::MulFOp::create(
          b, loc, state.sums[number * core->ownColumns + column], factor));
    kernel.emitIf(isLess(row, rows), [&] {
      Value position = emitRowPosition(kernel, form, form.interleaved.result,
                                       matrix, rows, row);
      storeColumns(
          offsetAddress(
              kernel, result,
              scaleBytes(position, form.valueDepth * byteWidth(form.type))),
          values, form.type);
    });
  }
}

void AttentionKernel::storeSplit(const State &state) {
  unsigned first = form.mask ? 4 : 3;
  Value sums = kernel.context.pointers[first];
  Value totals = kernel.context.pointers[first + 1];
  Value count = sizes.emitSize(form.matrices());
  Value base = kernel.mul(kernel.add(kernel.mul(split, count), matrix), rows);
  for (int64_t number = 0; number < core->ownRows; ++number) {
    Value row = kernel.add(matrices.firstRow, core->row(number));
    kernel.emitIf(isLess(row, rows), [&] {
      Value position = kernel.add(base, row);
      storeColumns(offsetAddress(kernel, sums,
                                 scaleBytes(position, form.valueDepth * 4)),
                   ArrayRef<Value>(state.sums)
                       .slice(number * core->ownColumns, core->ownColumns),
                   b.getF32Type());
      // Only one of the threads that have the row stores these.
      Value isFirst =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                core->column(0), kernel.constant(0));
      kernel.emitIf(isFirst, [&] {
        Value pair = vector::FromElementsOp::create(
            b, loc, VectorType::get({2}, b.getF32Type()),
            ValueRange{state.largest[number], state.weights[number]});
        LLVM::StoreOp::create(
            b, loc, pair,
            offsetAddress(kernel, totals, scaleBytes(position, 8)), 8u);
      });
    });
  }
}

GpuKernel AttentionKernel::run() {
  locateBlock();
  core->prepare(matrices);
  locateRows();
  SmallVector<Value> carried(core->ownRows, number(-INFINITY));
  carried.append(core->ownRows * (1 + core->ownColumns), number(0));
  carried.append(core->beginKeys(firstKey));
  carried = kernel.emitFor(
      firstKey, matrices.keyEnd, kernel.constant(tile.keys), carried,
      [&](Value key, ValueRange values) { return emitTile(key, values); });
  State state = unpack(carried);
  core->finish(
      ValueRange(carried).drop_front(core->ownRows * (2 + core->ownColumns)));
  for (Value &sum : state.weights)
    sum = overLanes(sum, [&](Value x, Value y) -> Value {
      return arith::AddFOp::create(b, loc, x, y);
    });
  if (tile.splits > 1)
    storeSplit(state);
  else
    storeResult(state);
  return kernel.finish(form.rows().ceilDiv(tile.rows) * form.matrices() *
                       tile.splits);
}

GpuKernel tenon::lower::buildAttention(const GpuKernelPlace &place,
                                       const AttentionForm &form,
                                       const AttentionTile &tile) {
  return AttentionKernel(place, form, tile).run();
}
