//===- ExprMemory.cpp - loads and stores of elements ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

static Value elementPointer(ExprEmitter &emitter, Value pointer, Value offset,
                            Type memory) {
  OpBuilder &b = emitter.builder;
  Value number =
      arith::IndexCastOp::create(b, emitter.loc, b.getI64Type(), offset);
  return LLVM::GEPOp::create(b, emitter.loc, pointer.getType(), memory, pointer,
                             ArrayRef<LLVM::GEPArg>{number},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value ExprEmitter::load(Value pointer, Value offset, Type type) {
  Type memory = memoryType(type);
  Value address = elementPointer(*this, pointer, offset, memory);
  // Unless it is told, translation takes 64-bit integers for half aligned, and
  // a GPU then loads halves.
  unsigned alignment = memory.isInteger(64) ? 8 : 0;
  return fromMemory(
      LLVM::LoadOp::create(builder, loc, memory, address, alignment), type);
}

Value ExprEmitter::fromMemory(Value raw, Type type) {
  Type memory = memoryType(type);
  if (isBool(type))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, raw,
                                 intConstant(0, memory));
  if (type.isF16())
    return arith::ExtFOp::create(builder, loc, builder.getF32Type(), raw);
  if (type.isBF16()) {
    Value wide =
        arith::ExtUIOp::create(builder, loc, builder.getI32Type(), raw);
    Value bits = arith::ShLIOp::create(builder, loc, wide,
                                       intConstant(16, builder.getI32Type()));
    return arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
  }
  return raw;
}

Value ExprEmitter::loadAs(unsigned operand, Value offset, Type type,
                          Type elementType) {
  Value address =
      elementPointer(*this, context.pointers[operand], offset, elementType);
  return LLVM::LoadOp::create(builder, loc, type, address,
                              byteWidth(elementType));
}

void ExprEmitter::storeVector(Value value, Value pointer, Value offset) {
  Type element = cast<VectorType>(value.getType()).getElementType();
  LLVM::StoreOp::create(builder, loc, value,
                        elementPointer(*this, pointer, offset, element),
                        byteWidth(element));
}

/// Emits the bits of an f32 that is rounded to bf16 (nearest even), in the low
/// half.
static Value bf16Bits(ExprEmitter &emitter, Value value) {
  OpBuilder &b = emitter.builder;
  Location loc = emitter.loc;
  Type i32 = b.getI32Type();
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(i32, number));
  };
  Value bits = arith::BitcastOp::create(b, loc, i32, value);
  Value high = arith::ShRUIOp::create(b, loc, bits, constant(16));
  Value odd = arith::AndIOp::create(b, loc, high, constant(1));
  Value bias = arith::AddIOp::create(b, loc, odd, constant(0x7fff));
  Value sum = arith::AddIOp::create(b, loc, bits, bias);
  Value rounded = arith::ShRUIOp::create(b, loc, sum, constant(16));
  // Rounding could turn a NaN into an infinity, so keep its sign and make it
  // quiet.
  Value nan = arith::OrIOp::create(b, loc, high, constant(0x40));
  Value isNan =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
  return arith::SelectOp::create(b, loc, isNan, nan, rounded);
}

Value ExprEmitter::toMemory(Value value, Type type) {
  Type memory = memoryType(type);
  if (isBool(type))
    return arith::ExtUIOp::create(builder, loc, memory, value);
  if (type.isF16())
    return arith::TruncFOp::create(builder, loc, memory, value);
  if (type.isBF16())
    return arith::TruncIOp::create(builder, loc, memory,
                                   bf16Bits(*this, value));
  return value;
}

void ExprEmitter::store(Value value, Value pointer, Value offset, Type type) {
  LLVM::StoreOp::create(
      builder, loc, toMemory(value, type),
      elementPointer(*this, pointer, offset, memoryType(type)));
}

Value ExprEmitter::roundTo(Value value, Type type) {
  if (type.isF16()) {
    Value half = arith::TruncFOp::create(builder, loc, type, value);
    return arith::ExtFOp::create(builder, loc, builder.getF32Type(), half);
  }
  if (type.isBF16()) {
    Value bits = arith::ShLIOp::create(builder, loc, bf16Bits(*this, value),
                                       intConstant(16, builder.getI32Type()));
    return arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
  }
  return value;
}

Value ExprEmitter::roundResult(Value value, Type type) {
  return context.roundsEach ? roundTo(value, type) : value;
}
