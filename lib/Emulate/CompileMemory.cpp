//===- CompileMemory.cpp - pointers, loads and stores of the llvm dialect -===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Shadow.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon::emulate;

/// Returns the offset of a member of a struct.
static uint64_t getMemberOffset(const DataLayout &layout,
                                LLVM::LLVMStructType type, unsigned member) {
  uint64_t offset = 0;
  for (auto [number, body] : llvm::enumerate(type.getBody())) {
    if (!type.isPacked())
      offset = llvm::alignTo(offset, layout.getTypeABIAlignment(body));
    if (number == member)
      break;
    offset += layout.getTypeSize(body).getFixedValue();
  }
  return offset;
}

LogicalResult Compiler::compileAddress(Operation *op) {
  auto gep = cast<LLVM::GEPOp>(op);
  if (isa<VectorType>(gep.getType()))
    return fail(op, "vectors of pointers are not emulated");
  DataLayout layout = DataLayout::closest(op);
  Slot address = get(gep.getBase()).front();
  int64_t constant = 0;
  Type type = gep.getElemType();
  bool isFirst = true;
  for (auto index : gep.getIndices()) {
    auto number = dyn_cast<IntegerAttr>(index);
    if (!isFirst) {
      if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
        constant += getMemberOffset(layout, structure, number.getInt());
        type = structure.getBody()[number.getInt()];
        continue;
      }
      if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
        type = array.getElementType();
      else if (auto vector = dyn_cast<VectorType>(type))
        type = vector.getElementType();
      else
        return fail(op, "an index into this type is not emulated");
    }
    isFirst = false;
    int64_t size = llvm::alignTo(layout.getTypeSize(type).getFixedValue(),
                                 layout.getTypeABIAlignment(type));
    if (number) {
      constant += number.getInt() * size;
      continue;
    }
    Value dynamic = cast<Value>(index);
    address = emitFunction(findAddressHandler(getKind(dynamic.getType())),
                           Kind::I64, {address, get(dynamic).front()}, size);
  }
  if (constant)
    address = emitFunction(runAddConstant, Kind::I64, {address}, constant);
  set(gep, {address});
  return success();
}

LogicalResult Compiler::compileAddressOf(Operation *op) {
  auto address = cast<LLVM::AddressOfOp>(op);
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      op, address.getGlobalNameAttr());
  if (!global || global.getAddrSpace() != 3)
    return fail(op, "of globals only those in address space 3 (shared memory) "
                    "are emulated");
  DataLayout layout = DataLayout::closest(op);
  uint64_t bytes = layout.getTypeSize(global.getGlobalType()).getFixedValue();
  uint64_t alignment = global.getAlignment().value_or(
      layout.getTypeABIAlignment(global.getGlobalType()));
  bool isDynamic = bytes == 0;
  auto [place, isNew] = sharedNumbers.try_emplace(global.getOperation(), 0);
  if (isNew) {
    // All dynamic shared memory is the same memory.
    for (size_t i = 0; isDynamic && i < program->shared.size(); ++i)
      if (program->shared[i].isDynamic) {
        if (program->shared[i].alignment != alignment)
          return fail(op, "dynamic shared memory of two alignments is not "
                          "emulated");
        place->second = i + 1;
      }
    if (place->second == 0) {
      if (alignment > 4096 || program->shared.size() + 2 >= firstGlobalNumber)
        return fail(op, "shared memory of this alignment or number is not "
                        "emulated");
      program->shared.push_back(
          {global.getSymName().str(), bytes, alignment, isDynamic});
      place->second = program->shared.size();
    }
  }
  set(address,
      {{newConstant(Kind::I64, makeStart(place->second, alignment).bits)}});
  return success();
}

/// Returns the required alignment of an address: the stated one, or else the
/// alignment of the type.
std::optional<uint64_t>
Compiler::getAccessAlignment(Operation *op, Type type,
                             std::optional<uint64_t> stated) {
  std::optional<Kinds> kinds = getKinds(type);
  auto vector = dyn_cast<VectorType>(type);
  if (!kinds || isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type) ||
      (vector && (vector.getRank() != 1 || kinds->front() == Kind::Bit))) {
    (void)fail(op, "loads and stores are emulated of scalars, and of vectors "
                   "of one dimension whose elements take whole bytes");
    return std::nullopt;
  }
  if (stated)
    return *stated;
  return llvm::PowerOf2Ceil(kinds->size() * getByteWidth(kinds->front()));
}

LogicalResult Compiler::compileLoad(Operation *op) {
  auto load = cast<LLVM::LoadOp>(op);
  if (load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return fail(op, "atomic loads are not emulated");
  std::optional<uint64_t> alignment =
      getAccessAlignment(op, load.getType(), load.getAlignment());
  if (!alignment)
    return failure();
  Kinds kinds = *getKinds(load.getType());
  Slot address = get(load.getAddr()).front();
  checkDefined({address});
  Slots results = newSlots(kinds);
  Instruction &instruction = emit(findLoadHandler(kinds[0]), results[0].unit,
                                  {address.unit}, *alignment);
  instruction.operands[1] = kinds.size();
  set(load, results);
  return success();
}

LogicalResult Compiler::compileStore(Operation *op) {
  auto store = cast<LLVM::StoreOp>(op);
  if (store.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return fail(op, "atomic stores are not emulated");
  Type type = store.getValue().getType();
  std::optional<uint64_t> alignment =
      getAccessAlignment(op, type, store.getAlignment());
  if (!alignment)
    return failure();
  Slot address = get(store.getAddr()).front();
  Slots values = get(store.getValue()), all = values;
  all.push_back(address);
  checkDefined(all);
  SmallVector<uint32_t> units;
  for (Slot slot : values)
    units.push_back(slot.unit);
  Instruction &instruction =
      emit(findStoreHandler(getKind(type)), 0, {address.unit}, *alignment);
  instruction.operands[1] = newList(units);
  instruction.operands[2] = units.size();
  return success();
}

std::optional<LogicalResult> Compiler::compileMemory(Operation *op) {
  if (isa<LLVM::GEPOp>(op))
    return compileAddress(op);
  if (isa<LLVM::AddressOfOp>(op))
    return compileAddressOf(op);
  if (isa<LLVM::LoadOp>(op))
    return compileLoad(op);
  if (isa<LLVM::StoreOp>(op))
    return compileStore(op);
  if (isa<LLVM::AddrSpaceCastOp>(op)) {
    set(op->getResult(0), get(op->getOperand(0)));
    return success();
  }
  return std::nullopt;
}
