//===- Emission.cpp - registers, constants and instructions ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace tenon::emulate;

uint32_t Compiler::newUnit(Kind kind) {
  uint32_t unit = program->unitCount;
  program->unitCount += isWide(kind) ? 2 : 1;
  return unit;
}

Slots Compiler::newSlots(ArrayRef<Kind> kinds) {
  Slots slots;
  for (Kind kind : kinds)
    slots.push_back({newUnit(kind), noUnit});
  return slots;
}

uint32_t Compiler::newConstant(Kind kind, uint64_t bits) {
  // 32-bit registers with the same bits are shared by all kinds.
  auto [place, isNew] =
      constants.try_emplace({isWide(kind) ? 1u : 0u, bits}, 0u);
  if (isNew) {
    place->second = newUnit(kind);
    program->constants.push_back({place->second, kind, bits});
  }
  return place->second;
}

uint32_t Compiler::newList(ArrayRef<uint32_t> units) {
  uint32_t start = program->lists.size();
  llvm::append_range(program->lists, units);
  return start;
}

Instruction &Compiler::emit(Handler handler, uint32_t result,
                            ArrayRef<uint32_t> operands, uint64_t immediate) {
  Instruction instruction;
  instruction.run = handler;
  instruction.result = result;
  // Functions with fewer operands read their first operand again.
  for (unsigned i = 0; i < 3 && !operands.empty(); ++i)
    instruction.operands[i] = operands[i < operands.size() ? i : 0];
  instruction.immediate = immediate;
  instruction.origin = program->origins.size() - 1;
  program->code.push_back(instruction);
  return program->code.back();
}

uint32_t Compiler::joinUndefined(ArrayRef<Slot> slots) {
  uint32_t joined = noUnit;
  for (Slot slot : slots) {
    if (slot.undefined == noUnit || slot.undefined == joined)
      continue;
    if (joined == noUnit) {
      joined = slot.undefined;
      continue;
    }
    uint32_t unit = newUnit(Kind::Bit);
    emit(findIntegerHandler("ori", Kind::Bit), unit, {joined, slot.undefined});
    joined = unit;
  }
  return joined;
}

void Compiler::checkDefined(ArrayRef<Slot> slots) {
  uint32_t undefined = joinUndefined(slots);
  if (undefined != noUnit)
    emit(runCheckDefined, 0, {undefined});
}

Slot Compiler::emitFunction(Handler handler, Kind result,
                            ArrayRef<Slot> operands, uint64_t immediate) {
  SmallVector<uint32_t, 3> units;
  for (Slot slot : operands)
    units.push_back(slot.unit);
  Slot slot = {newUnit(result), joinUndefined(operands)};
  emit(handler, slot.unit, units, immediate);
  return slot;
}

void Compiler::emitMoves(ArrayRef<Kind> kinds, ArrayRef<Slot> targets,
                         ArrayRef<Slot> sources) {
  struct Move {
    Kind kind;
    uint32_t target, source;
  };
  SmallVector<Move> moves;
  llvm::SmallSet<uint32_t, 16> written;
  auto add = [&](Kind kind, uint32_t target, uint32_t source) {
    if (target == source)
      return;
    moves.push_back({kind, target, source});
    written.insert(target);
  };
  for (auto [kind, target, source] : llvm::zip_equal(kinds, targets, sources)) {
    add(kind, target.unit, source.unit);
    if (target.undefined != noUnit)
      add(Kind::Bit, target.undefined,
          source.undefined == noUnit ? newConstant(Kind::Bit, 0)
                                     : source.undefined);
  }
  // Registers that are both read and written are saved first.
  for (Move &move : moves) {
    if (!written.contains(move.source))
      continue;
    uint32_t aside = newUnit(move.kind);
    emit(findMoveHandler(move.kind), aside, {move.source});
    move.source = aside;
  }
  for (const Move &move : moves)
    emit(findMoveHandler(move.kind), move.target, {move.source});
}

Compiler::Label Compiler::newLabel() {
  labelTargets.push_back(0);
  return labelTargets.size() - 1;
}

void Compiler::bind(Label label) {
  labelTargets[label] = program->code.size();
  emit(runJoin, 0, {});
}

void Compiler::emitJump(Label label) {
  jumps.push_back(program->code.size());
  emit(runJump, 0, {}, label);
}

void Compiler::emitBranchIfNot(uint32_t condition, Label label) {
  jumps.push_back(program->code.size());
  emit(runBranchIfNot, 0, {condition}, label);
}

static std::optional<Kind> getScalarKind(Type type) {
  if (isa<IndexType, LLVM::LLVMPointerType>(type))
    return Kind::I64;
  if (type.isF16())
    return Kind::F16;
  if (type.isBF16())
    return Kind::BF16;
  if (type.isF32())
    return Kind::F32;
  if (type.isF64())
    return Kind::F64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return Kind::Bit;
    case 8:
      return Kind::I8;
    case 16:
      return Kind::I16;
    case 32:
      return Kind::I32;
    case 64:
      return Kind::I64;
    default:
      break;
    }
  }
  return std::nullopt;
}

std::optional<Kinds> Compiler::getKinds(Type type) {
  auto repeat = [&](Type element, uint64_t count) -> std::optional<Kinds> {
    std::optional<Kinds> kinds = getKinds(element);
    // No realistic kernel keeps more than this in registers.
    if (!kinds || count * kinds->size() > 65536)
      return std::nullopt;
    Kinds all;
    for (uint64_t i = 0; i < count; ++i)
      llvm::append_range(all, *kinds);
    return all;
  };
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return std::nullopt;
    return repeat(vector.getElementType(), vector.getNumElements());
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return repeat(array.getElementType(), array.getNumElements());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    if (structure.isOpaque())
      return std::nullopt;
    Kinds all;
    for (Type member : structure.getBody()) {
      std::optional<Kinds> kinds = getKinds(member);
      if (!kinds)
        return std::nullopt;
      llvm::append_range(all, *kinds);
    }
    return all;
  }
  if (std::optional<Kind> kind = getScalarKind(type))
    return Kinds{*kind};
  return std::nullopt;
}

void Compiler::set(Value value, ArrayRef<Slot> slots) {
  values[value] = Slots(slots);
}

Slots Compiler::declare(Value value) {
  Slots slots = newSlots(*getKinds(value.getType()));
  if (mayBeUndefined)
    for (Slot &slot : slots)
      slot.undefined = newUnit(Kind::Bit);
  set(value, slots);
  return slots;
}

Slots Compiler::getAll(ValueRange range, Kinds &kinds) {
  Slots all;
  for (Value value : range) {
    llvm::append_range(all, get(value));
    llvm::append_range(kinds, *getKinds(value.getType()));
  }
  return all;
}
