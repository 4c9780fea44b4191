//===- ContractionLoad.cpp - loading of factor tiles ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionLoad.h"
#include "../AffineOffsets.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// Represents the variable along chunks of one element if there is none.
static constexpr unsigned kNoVar = 1u << 29;

void tenon::lower::decompose(GpuKernelBuilder &kernel, ExprEmitter &at,
                             Value index, ArrayRef<LoopVar> vars) {
  std::optional<int64_t> count = countOf(vars).getConstant();
  bool isNarrow = count && *count <= std::numeric_limits<int32_t>::max();
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Value rest = index;
  // 32-bit divisions are much cheaper than 64-bit ones.
  if (isNarrow && vars.size() > 1)
    rest = arith::IndexCastUIOp::create(b, loc, b.getI32Type(), index);
  for (size_t number = vars.size(); number-- > 0;) {
    Value value = rest;
    if (number > 0) {
      // If a size is 0, there are no elements, but the division is still
      // executed.
      Value size = at.emitSize(vars[number].size);
      if (!vars[number].size.getConstant())
        size = arith::MaxSIOp::create(b, loc, size, kernel.constant(1));
      if (isNarrow)
        size = arith::IndexCastUIOp::create(b, loc, b.getI32Type(), size);
      value = arith::RemUIOp::create(b, loc, rest, size);
      rest = arith::DivUIOp::create(b, loc, rest, size);
    }
    if (!isa<IndexType>(value.getType()))
      value = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), value);
    at.setVar(vars[number].var, value);
  }
}

FactorTile::FactorTile(GpuKernelBuilder &kernel,
                       const ContractionFactor &factor, int64_t rows,
                       int64_t terms, SymInt allRows, SymInt allTerms,
                       bool useTensorCores)
    : kernel(kernel), factor(factor), rows(rows), terms(terms),
      allRows(std::move(allRows)), allTerms(std::move(allTerms)) {
  // Every thread must have at least one chunk.
  int64_t mostLanes = std::min(kWidestAccess / byteWidth(factor.type),
                               rows * terms / kernel.blockThreads);
  access = analyzeAccess(factor, mostLanes);
  layout = layOut(factor, access, rows, terms, useTensorCores);
  roundsToTf32 = useTensorCores && factor.type.isF32();
  isPlain = factor.element.getKind() == ExprKind::Load &&
            factor.element->type == factor.type;
  findParts();
  divideTile();
}

unsigned FactorTile::laneVar() const {
  const LoopVars &vars = access.alongTerms ? factor.terms : factor.rows;
  return access.lanes == 1 || vars.empty() ? kNoVar : vars.back().var;
}

/// Assigns chunks to threads in order, so that neighbouring threads have
/// neighbouring chunks.
void FactorTile::divideTile() {
  int64_t minor = (access.alongTerms ? terms : rows) / access.lanes;
  int64_t count = rows * terms / access.lanes / kernel.blockThreads;
  for (int64_t number = 0; number < count; ++number) {
    int64_t along, across;
    if (minor <= kernel.blockThreads) {
      along = 0;
      across = number * (kernel.blockThreads / minor);
    } else {
      int64_t rounds = minor / kernel.blockThreads;
      along = number % rounds * kernel.blockThreads * access.lanes;
      across = number / rounds;
    }
    Chunk chunk;
    chunk.row = access.alongTerms ? across : along;
    chunk.term = access.alongTerms ? along : across;
    auto *known = llvm::find(rowOffsets, chunk.row);
    chunk.rowNumber = known - rowOffsets.begin();
    if (known == rowOffsets.end())
      rowOffsets.push_back(chunk.row);
    chunks.push_back(chunk);
  }
}

/// Subexpressions under a condition on indices are read under that condition.
void FactorTile::findParts() {
  std::function<void(const Expr &)> visit = [&](const Expr &node) {
    bool isGuarded = node.getKind() == ExprKind::Select &&
                     node->operands[0].getKind() != ExprKind::FromBoolElement;
    bool reads = false;
    walk(node, [&](Expr inner) { reads |= inner.getKind() == ExprKind::Load; });
    if (!reads)
      return;
    if (node.getKind() == ExprKind::Load || isGuarded) {
      if (llvm::none_of(parts, [&](const Expr &part) {
            return part.getPointer() == node.getPointer();
          }))
        parts.push_back(node);
      return;
    }
    for (const Expr &operand : node->operands)
      visit(operand);
  };
  visit(factor.element);
}

void FactorTile::prepare(const ExprEmitter &at, Value batch, Value firstRow) {
  int64_t minor = (access.alongTerms ? terms : rows) / access.lanes;
  Value across = kernel.constant(0), along = kernel.thread;
  if (minor < kernel.blockThreads) {
    across = kernel.div(kernel.thread, kernel.constant(minor));
    along = kernel.rem(kernel.thread, kernel.constant(minor));
  }
  along = kernel.mul(along, kernel.constant(access.lanes));
  ownRow = access.alongTerms ? across : along;
  ownTerm = access.alongTerms ? along : across;
  ownBytes =
      kernel.add(kernel.mul(ownRow, kernel.constant(layout.offset(1, 0))),
                 kernel.mul(ownTerm, kernel.constant(layout.offset(0, 1))));

  ExprEmitter inBatch = at.nested();
  decompose(kernel, inBatch, batch, factor.batch);
  std::optional<int64_t> count = allRows.getConstant();
  bool hasRest = !count || *count % rows != 0;
  for (int64_t offset : rowOffsets) {
    Value row =
        kernel.add(kernel.add(firstRow, ownRow), kernel.constant(offset));
    ExprEmitter &own = rowEmitters.emplace_back(inBatch.nested());
    decompose(kernel, own, row, factor.rows);
    rowExists.push_back(hasRest ? kernel.less(row, own.emitSize(allRows))
                                : Value());
    // Offsets are the sum of a part that depends on rows and a part that
    // depends on terms.
    for (const Expr &part : parts)
      walk(part, [&](Expr node) {
        if (node.getKind() != ExprKind::Load ||
            node->operands[0].getKind() != ExprKind::IndexAdd)
          return;
        const Expr &ofRow = node->operands[0]->operands[0];
        if (llvm::none_of(factor.terms,
                          [&](const LoopVar &term) {
                            return usesVar(ofRow, term.var);
                          }) &&
            getAffineForm(ofRow))
          own.emitIndex(ofRow);
      });
  }
}

Value FactorTile::zeroBits() const {
  OpBuilder &b = kernel.builder;
  int64_t bytes = access.lanes * layout.elementBytes;
  Type type = bytes > 4 ? VectorType::get({bytes / 4}, b.getI32Type())
                        : Type(b.getIntegerType(bytes * 8));
  return arith::ConstantOp::create(b, kernel.loc,
                                   cast<TypedAttr>(b.getZeroAttr(type)));
}

void FactorTile::load(Value firstTerm) {
  pending.clear();
  for (const Chunk &chunk : chunks)
    pending.push_back(loadChunk(chunk, firstTerm));
}

std::pair<ExprEmitter, Value>
FactorTile::locateChunk(const Chunk &chunk, Value firstTerm, bool hasTerms) {
  OpBuilder &b = kernel.builder;
  ExprEmitter at = rowEmitters[chunk.rowNumber].nested();
  Value inStep = kernel.add(ownTerm, kernel.constant(chunk.term));
  Value term = kernel.add(firstTerm, inStep);
  std::optional<int64_t> last = factor.terms.empty()
                                    ? std::nullopt
                                    : factor.terms.back().size.getConstant();
  if (factor.terms.size() > 1 && last && *last % terms == 0) {
    // The terms of a step differ only in the last variable.
    decompose(kernel, at, firstTerm, factor.terms);
    Value first = at.emitIndex(Expr::var(factor.terms.back().var));
    at.setVar(factor.terms.back().var, kernel.add(first, inStep));
  } else {
    decompose(kernel, at, term, factor.terms);
  }

  Value exists;
  auto require = [&](Value condition) {
    if (!condition)
      return;
    exists =
        exists ? Value(arith::AndIOp::create(b, kernel.loc, exists, condition))
               : condition;
  };
  std::optional<int64_t> count = allTerms.getConstant();
  bool stepsEven = count && *count % terms == 0;
  if (!stepsEven || !hasTerms)
    require(kernel.less(stepsEven ? firstTerm : term, at.emitSize(allTerms)));
  require(rowExists[chunk.rowNumber]);
  if (factor.guard.getKind() != ExprKind::True)
    require(at.emitBool(factor.guard));
  return {std::move(at), exists};
}

Value FactorTile::plainAddress(ExprEmitter &at) {
  Value offset = kernel.mul(at.emitIndex(factor.element->operands[0]),
                            kernel.constant(layout.elementBytes));
  return offsetAddress(kernel, kernel.context.pointers[factor.element->operand],
                       offset);
}

FactorTile::Pending FactorTile::loadChunk(const Chunk &chunk, Value firstTerm) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  Pending result;
  // Nothing is read for the step after the last one.
  auto [at, exists] = locateChunk(chunk, firstTerm, /*hasTerms=*/false);
  result.exists = exists;

  if (isPlain) {
    Value zero = zeroBits();
    auto branch = scf::IfOp::create(b, loc, TypeRange{zero.getType()},
                                    result.exists, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    ExprEmitter inner = at.nested();
    Value read = LLVM::LoadOp::create(
        b, loc, zero.getType(), plainAddress(inner),
        static_cast<unsigned>(access.lanes * layout.elementBytes));
    scf::YieldOp::create(b, loc, read);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, zero);
    result.values.push_back(branch.getResult(0));
    return result;
  }

  unsigned var = laneVar();
  Value first =
      var == kNoVar ? kernel.constant(0) : at.emitIndex(Expr::var(var));
  result.lanes.emplace(kernel, at, LaneVar{var, access.lanes}, first);
  SmallVector<Type> types;
  for (const Expr &part : parts)
    types.append(access.lanes, computeType(part->type));
  if (types.empty())
    return result;
  auto branch = scf::IfOp::create(b, loc, types, result.exists,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> values, zeros;
  LaneEmitter inner = *result.lanes;
  for (const Expr &part : parts)
    values.append(inner.emit(part));
  scf::YieldOp::create(b, loc, values);
  b.setInsertionPointToStart(branch.elseBlock());
  for (Type type : types)
    zeros.push_back(arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(b.getZeroAttr(type))));
  scf::YieldOp::create(b, loc, zeros);
  result.values.append(branch.getResults().begin(), branch.getResults().end());
  return result;
}

void FactorTile::store(Value address) {
  Value own = offsetAddress(kernel, address, ownBytes);
  for (auto [chunk, read] : llvm::zip(chunks, pending)) {
    if (isPlain)
      storeBits(read.values.front(), own, chunk);
    else
      storeElements(read, own, chunk);
  }
}

bool FactorTile::canCopy() const {
  if (!isPlain || roundsToTf32 || access.lanes * layout.elementBytes < 4 ||
      (access.lanes > 1 && access.alongTerms != layout.linesOfTerms))
    return false;
  // An index that is itself read from memory must not be read at elements that
  // do not exist.
  bool reads = false;
  walk(factor.element->operands[0],
       [&](Expr node) { reads |= node.getKind() == ExprKind::Load; });
  return !reads;
}

void FactorTile::copy(Value firstTerm, Value address) {
  Value own = offsetAddress(kernel, address, ownBytes);
  for (const Chunk &chunk : chunks) {
    auto [at, exists] = locateChunk(chunk, firstTerm, /*hasTerms=*/true);
    kernel.emitAsyncCopy(
        offsetAddress(kernel, own, layout.offset(chunk.row, chunk.term)),
        plainAddress(at), access.lanes * layout.elementBytes, exists);
  }
}

void FactorTile::storeBits(Value bits, Value address, const Chunk &chunk) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  auto storeAt = [&](Value value, int64_t row, int64_t term, int64_t bytes) {
    LLVM::StoreOp::create(
        b, loc, value, offsetAddress(kernel, address, layout.offset(row, term)),
        static_cast<unsigned>(bytes));
  };
  bool isWide = access.lanes == 1 || access.alongTerms == layout.linesOfTerms;
  if (isWide && !roundsToTf32)
    return storeAt(bits, chunk.row, chunk.term,
                   access.lanes * layout.elementBytes);
  // Only single 32-bit numbers are rounded or stored.
  SmallVector<Value> words;
  for (int64_t lane = 0; lane < access.lanes; ++lane) {
    Value word = access.lanes == 1
                     ? bits
                     : Value(vector::ExtractOp::create(b, loc, bits, lane));
    words.push_back(roundsToTf32 ? emitTf32(kernel, word) : word);
  }
  if (isWide)
    return storeAt(access.lanes == 1
                       ? words.front()
                       : Value(vector::FromElementsOp::create(
                             b, loc, cast<VectorType>(bits.getType()), words)),
                   chunk.row, chunk.term, access.lanes * layout.elementBytes);
  for (auto [lane, word] : llvm::enumerate(words))
    storeAt(word, chunk.row + (access.alongTerms ? 0 : lane),
            chunk.term + (access.alongTerms ? lane : 0), layout.elementBytes);
}

void FactorTile::storeElements(const Pending &read, Value address,
                               const Chunk &chunk) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  LaneEmitter lanes = *read.lanes;
  for (auto [number, part] : llvm::enumerate(parts))
    lanes.setValues(part, ArrayRef<Value>(read.values)
                              .slice(number * access.lanes, access.lanes));
  ExprEmitter conversion(b, loc, kernel.context);
  SmallVector<Value> raw;
  for (Value value : lanes.emit(factor.element)) {
    // An element that is not read becomes zero, regardless of what is computed
    // from it.
    Value zero = arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(b.getZeroAttr(value.getType())));
    value = arith::SelectOp::create(b, loc, read.exists, value, zero);
    value = conversion.toMemory(value, factor.type);
    if (layout.elementBytes == 4)
      value = arith::BitcastOp::create(b, loc, b.getI32Type(), value);
    raw.push_back(value);
  }
  if (raw.size() == 1)
    return storeBits(raw.front(), address, chunk);
  Value wide = vector::FromElementsOp::create(
      b, loc, VectorType::get({access.lanes}, raw.front().getType()), raw);
  storeBits(wide, address, chunk);
}
