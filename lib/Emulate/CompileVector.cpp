//===- CompileVector.cpp - vectors and structs ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are lists of their elements, so that most of these ops only choose
// elements and execute no instruction.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::emulate;

static ArrayRef<int64_t> getShape(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getShape();
  return {};
}

std::optional<uint64_t> Compiler::getPosition(ArrayRef<int64_t> shape,
                                              ArrayRef<OpFoldResult> where,
                                              Slot &dynamic) {
  // Positions count units of the dimensions that `where` does not index.
  uint64_t known = 0, stride = 1;
  bool isDynamic = false;
  Slot sum;
  for (size_t dim = where.size(); dim-- > 0; stride *= shape[dim]) {
    if (std::optional<int64_t> number = getConstantIntValue(where[dim])) {
      known += *number * stride;
      continue;
    }
    Slot index = get(cast<Value>(where[dim])).front();
    Slot base = isDynamic ? sum : Slot{newConstant(Kind::I64, 0), noUnit};
    sum = emitFunction(findAddressHandler(Kind::I64), Kind::I64, {base, index},
                       stride);
    isDynamic = true;
  }
  if (!isDynamic)
    return known;
  dynamic = emitFunction(runAddConstant, Kind::I64, {sum}, known);
  return std::nullopt;
}

/// Returns every `size`-th element from `first` on.
static SmallVector<uint32_t> getColumn(ArrayRef<Slot> slots, size_t first,
                                       size_t size) {
  SmallVector<uint32_t> units;
  for (size_t i = first; i < slots.size(); i += size)
    units.push_back(slots[i].unit);
  return units;
}

LogicalResult Compiler::compileExtract(Operation *op) {
  auto extract = cast<vector::ExtractOp>(op);
  Kinds kinds = *getKinds(extract.getType());
  Slots source = get(extract.getSource()), results;
  Slot dynamic;
  size_t size = kinds.size();
  std::optional<uint64_t> number =
      getPosition(getShape(extract.getSource().getType()),
                  extract.getMixedPosition(), dynamic);
  if (number && *number * size + size > source.size())
    return fail(op, "a position outside of the vector is not emulated");
  if (number) {
    set(op->getResult(0), ArrayRef(source).slice(*number * size, size));
    return success();
  }
  checkDefined({dynamic});
  uint32_t undefined = joinUndefined(source);
  for (size_t i = 0; i < size; ++i) {
    SmallVector<uint32_t> units = getColumn(source, i, size);
    Slot result = {newUnit(kinds[i]), undefined};
    Instruction &instruction =
        emit(findExtractHandler(kinds[i]), result.unit, {dynamic.unit});
    instruction.operands[1] = newList(units);
    instruction.operands[2] = units.size();
    results.push_back(result);
  }
  set(op->getResult(0), results);
  return success();
}

LogicalResult Compiler::compileInsert(Operation *op) {
  auto insert = cast<vector::InsertOp>(op);
  Slots value = get(insert.getValueToStore()), results = get(insert.getDest());
  Kind kind = getKind(insert.getType());
  Slot dynamic;
  size_t size = value.size();
  std::optional<uint64_t> number = getPosition(
      getShape(insert.getType()), insert.getMixedPosition(), dynamic);
  if (number && *number * size + size > results.size())
    return fail(op, "a position outside of the vector is not emulated");
  if (number) {
    llvm::copy(value, results.begin() + *number * size);
    set(op->getResult(0), results);
    return success();
  }
  checkDefined({dynamic});
  for (size_t i = 0; i < size; ++i) {
    SmallVector<uint32_t> units = getColumn(results, i, size);
    SmallVector<Kind> kinds(units.size(), kind);
    Slots changed = newSlots(kinds);
    Instruction &instruction =
        emit(findInsertHandler(kind), changed[0].unit, {dynamic.unit});
    instruction.operands[1] = newList(units);
    instruction.operands[2] = units.size();
    instruction.extra = value[i].unit;
    for (auto [place, slot] : llvm::enumerate(changed)) {
      Slot &old = results[place * size + i];
      slot.undefined = joinUndefined({old, value[i]});
      old = slot;
    }
  }
  set(op->getResult(0), results);
  return success();
}

/// Calls `fn` for each element of a slice that begins at `offsets`, row by row,
/// with its number in the whole vector and its number in the slice.
template <typename Fn>
static void forEachOfSlice(ArrayRef<int64_t> whole, ArrayRef<int64_t> part,
                           ArrayRef<int64_t> offsets, Fn fn) {
  int64_t count = 1;
  for (int64_t size : part)
    count *= size;
  for (int64_t number = 0; number < count; ++number) {
    int64_t rest = number, place = 0, stride = 1;
    for (size_t dim = whole.size(); dim-- > 0; stride *= whole[dim]) {
      place += (rest % part[dim] + offsets[dim]) * stride;
      rest /= part[dim];
    }
    fn(place, number);
  }
}

/// Returns the offsets of a slice in all dimensions of the vector that contains
/// it.
static SmallVector<int64_t> getOffsets(ArrayAttr attribute, size_t rank) {
  SmallVector<int64_t> offsets;
  for (Attribute offset : attribute)
    offsets.push_back(cast<IntegerAttr>(offset).getInt());
  offsets.resize(rank, 0);
  return offsets;
}

LogicalResult Compiler::compileSlice(Operation *op) {
  if (auto extract = dyn_cast<vector::ExtractStridedSliceOp>(op)) {
    if (extract.hasNonUnitStrides())
      return fail(op, "strides other than 1 are not emulated");
    ArrayRef<int64_t> whole = getShape(extract.getSource().getType());
    Slots source = get(extract.getSource());
    Slots results(getKinds(extract.getType())->size());
    forEachOfSlice(whole, getShape(extract.getType()),
                   getOffsets(extract.getOffsets(), whole.size()),
                   [&](int64_t place, int64_t number) {
                     results[number] = source[place];
                   });
    set(op->getResult(0), results);
    return success();
  }
  auto insert = cast<vector::InsertStridedSliceOp>(op);
  if (insert.hasNonUnitStrides())
    return fail(op, "strides other than 1 are not emulated");
  ArrayRef<int64_t> whole = getShape(insert.getType());
  SmallVector<int64_t> part(
      whole.size() - insert.getSourceVectorType().getRank(), 1);
  llvm::append_range(part, insert.getSourceVectorType().getShape());
  Slots value = get(insert.getValueToStore()), results = get(insert.getDest());
  forEachOfSlice(
      whole, part, getOffsets(insert.getOffsets(), whole.size()),
      [&](int64_t place, int64_t number) { results[place] = value[number]; });
  set(op->getResult(0), results);
  return success();
}

LogicalResult Compiler::compileReduction(Operation *op) {
  auto reduction = cast<vector::ReductionOp>(op);
  Kind kind = getKind(reduction.getType());
  auto pick = [&](StringRef integer, StringRef number) {
    return isFloat(kind) ? findFloatHandler(number, kind)
                         : findIntegerHandler(integer, kind);
  };
  auto find = [&]() -> Handler {
    switch (reduction.getKind()) {
    case vector::CombiningKind::ADD:
      return pick("addi", "addf");
    case vector::CombiningKind::MUL:
      return pick("muli", "mulf");
    case vector::CombiningKind::MINUI:
      return pick("minui", "");
    case vector::CombiningKind::MINSI:
      return pick("minsi", "");
    case vector::CombiningKind::MAXUI:
      return pick("maxui", "");
    case vector::CombiningKind::MAXSI:
      return pick("maxsi", "");
    case vector::CombiningKind::AND:
      return pick("andi", "");
    case vector::CombiningKind::OR:
      return pick("ori", "");
    case vector::CombiningKind::XOR:
      return pick("xori", "");
    case vector::CombiningKind::MINNUMF:
      return pick("", "minnumf");
    case vector::CombiningKind::MAXNUMF:
      return pick("", "maxnumf");
    case vector::CombiningKind::MINIMUMF:
      return pick("", "minimumf");
    case vector::CombiningKind::MAXIMUMF:
      return pick("", "maximumf");
    }
    return nullptr;
  };
  Handler handler = find();
  if (!handler)
    return fail(op, "this reduction is not emulated");
  Slots elements = get(reduction.getVector());
  if (Value start = reduction.getAcc())
    elements.insert(elements.begin(), get(start).front());
  Slot sum = elements.front();
  for (Slot element : ArrayRef(elements).drop_front())
    sum = emitFunction(handler, kind, {sum, element});
  set(op->getResult(0), {sum});
  return success();
}

/// Returns the position, in elements, and the type of the member at a path of
/// indices.
static std::pair<size_t, Type> getMember(ArrayRef<int64_t> path, Type type,
                                         function_ref<size_t(Type)> getCount) {
  size_t start = 0;
  for (int64_t number : path) {
    if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
      for (int64_t i = 0; i < number; ++i)
        start += getCount(structure.getBody()[i]);
      type = structure.getBody()[number];
    } else {
      type = cast<LLVM::LLVMArrayType>(type).getElementType();
      start += number * getCount(type);
    }
  }
  return {start, type};
}

std::optional<LogicalResult> Compiler::compileVector(Operation *op) {
  auto count = [&](Type type) { return getKinds(type)->size(); };
  auto choose = [&](ArrayRef<Slot> slots) -> LogicalResult {
    set(op->getResult(0), slots);
    return success();
  };
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case<vector::ExtractOp>([&](auto) { return compileExtract(op); })
      .Case<vector::InsertOp>([&](auto) { return compileInsert(op); })
      .Case<vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp>(
          [&](auto) { return compileSlice(op); })
      .Case<vector::ReductionOp>([&](auto) { return compileReduction(op); })
      .Case<vector::BitCastOp>([&](auto) { return compileBitcast(op); })
      .Case<vector::FMAOp>([&](auto) { return compileElementwise(op, "fma"); })
      .Case<vector::ShapeCastOp>(
          [&](auto) { return choose(get(op->getOperand(0))); })
      .Case<vector::FromElementsOp>([&](auto) {
        Kinds kinds;
        return choose(getAll(op->getOperands(), kinds));
      })
      .Case<vector::ToElementsOp>([&](auto) {
        for (auto [result, slot] :
             llvm::zip_equal(op->getResults(), get(op->getOperand(0))))
          set(result, {slot});
        return success();
      })
      .Case<vector::BroadcastOp>([&](vector::BroadcastOp broadcast) {
        ArrayRef<int64_t> from = getShape(broadcast.getSourceType());
        ArrayRef<int64_t> to = getShape(broadcast.getType());
        Slots source = get(broadcast.getSource());
        Slots results(count(broadcast.getType()));
        for (size_t number = 0; number < results.size(); ++number) {
          size_t rest = number, place = 0, stride = 1;
          for (size_t i = 0; i < from.size(); ++i) {
            int64_t size = from[from.size() - 1 - i];
            int64_t index = rest % to[to.size() - 1 - i];
            rest /= to[to.size() - 1 - i];
            place += (size == 1 ? 0 : index) * stride;
            stride *= size;
          }
          results[number] = source[place];
        }
        return choose(results);
      })
      .Case<vector::TransposeOp>([&](vector::TransposeOp transpose) {
        ArrayRef<int64_t> from = transpose.getSourceVectorType().getShape();
        ArrayRef<int64_t> to = transpose.getResultVectorType().getShape();
        ArrayRef<int64_t> order = transpose.getPermutation();
        SmallVector<int64_t> strides(from.size(), 1);
        for (size_t dim = from.size(); dim-- > 1;)
          strides[dim - 1] = strides[dim] * from[dim];
        Slots source = get(transpose.getVector()), results(source.size());
        for (size_t number = 0; number < results.size(); ++number) {
          size_t rest = number, place = 0;
          for (size_t dim = to.size(); dim-- > 0; rest /= to[dim])
            place += rest % to[dim] * strides[order[dim]];
          results[number] = source[place];
        }
        return choose(results);
      })
      .Case<vector::ShuffleOp>([&](vector::ShuffleOp shuffle) {
        Kinds kinds;
        Slots both = getAll(op->getOperands(), kinds), results;
        size_t first = getShape(shuffle.getV1VectorType()).empty()
                           ? 1
                           : shuffle.getV1VectorType().getDimSize(0);
        size_t second = getShape(shuffle.getV2VectorType()).empty()
                            ? 1
                            : shuffle.getV2VectorType().getDimSize(0);
        size_t row = both.size() / (first + second);
        for (int64_t number : shuffle.getMask())
          for (size_t i = 0; i < row; ++i)
            results.push_back(number < 0 ? Slot{newConstant(kinds[i], 0),
                                                newConstant(Kind::Bit, 1)}
                                         : both[number * row + i]);
        return choose(results);
      })
      .Case<vector::StepOp>([&](auto) {
        Slots results;
        for (size_t i = 0; i < count(op->getResult(0).getType()); ++i)
          results.push_back({newConstant(Kind::I64, i)});
        return choose(results);
      })
      .Case<LLVM::ExtractValueOp>([&](LLVM::ExtractValueOp extract) {
        Slots source = get(extract.getContainer());
        auto [start, type] = getMember(extract.getPosition(),
                                       extract.getContainer().getType(), count);
        return choose(ArrayRef(source).slice(start, count(type)));
      })
      .Case<LLVM::InsertValueOp>([&](LLVM::InsertValueOp insert) {
        Slots results = get(insert.getContainer());
        size_t start = getMember(insert.getPosition(),
                                 insert.getContainer().getType(), count)
                           .first;
        llvm::copy(get(insert.getValue()), results.begin() + start);
        return choose(results);
      })
      .Default([](auto) { return std::nullopt; });
}
