//===- CompileArithmetic.cpp - ops of arith and math, also as LLVM ops ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::emulate;

/// Returns the register's bits for an element of a constant.
static uint64_t getConstantBits(Kind kind, const APInt &value) {
  return value.zextOrTrunc(getBitWidth(kind)).getZExtValue();
}
static uint64_t getConstantBits(Kind kind, APFloat value) {
  bool inexact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return getRegisterBits(kind, value.convertToDouble());
}

LogicalResult Compiler::compileConstant(Operation *op, Attribute value) {
  Kinds kinds = *getKinds(op->getResult(0).getType());
  Slots slots;
  auto add = [&](auto element) {
    Kind kind = kinds[slots.size()];
    slots.push_back({newConstant(kind, getConstantBits(kind, element))});
  };
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    add(integer.getValue());
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    add(number.getValue());
  } else if (auto dense = dyn_cast<DenseIntElementsAttr>(value)) {
    for (const APInt &element : dense.getValues<APInt>())
      add(element);
  } else if (auto dense = dyn_cast<DenseFPElementsAttr>(value)) {
    for (const APFloat &element : dense.getValues<APFloat>())
      add(element);
  }
  if (slots.size() != kinds.size())
    return fail(op, "a constant of this form is not emulated");
  set(op->getResult(0), slots);
  return success();
}

void Compiler::compileUndefined(Operation *op) {
  Slots slots;
  Kinds kinds = *getKinds(op->getResult(0).getType());
  for (Kind kind : kinds)
    slots.push_back({newConstant(kind, 0), newConstant(Kind::Bit, 1)});
  set(op->getResult(0), slots);
}

LogicalResult Compiler::compileElementwise(Operation *op, StringRef name) {
  Kind kind = getKind(op->getOperand(0).getType());
  Kind result = getKind(op->getResult(0).getType());
  Handler handler = findIntegerHandler(name, kind);
  if (!handler)
    handler = findFloatHandler(name, kind);
  if (!handler)
    handler = findMathHandler(name, kind);
  if (!handler)
    return fail(op, "the emulator does not know the op '" +
                        op->getName().getStringRef() + "' for this type");
  SmallVector<Slots, 3> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  Slots results;
  for (size_t i = 0; i < operands[0].size(); ++i) {
    SmallVector<Slot, 3> elements;
    for (const Slots &operand : operands)
      elements.push_back(operand[i]);
    results.push_back(emitFunction(handler, result, elements));
  }
  set(op->getResult(0), results);
  return success();
}

/// Shifts by at least the width are undefined.
LogicalResult Compiler::compileShift(Operation *op, StringRef name) {
  if (failed(compileElementwise(op, name)))
    return failure();
  if (matchPattern(op->getOperand(1), m_Constant()))
    return success();
  Kind kind = getKind(op->getResult(0).getType());
  Slots results = get(op->getResult(0)), counts = get(op->getOperand(1));
  for (auto [result, count] : llvm::zip_equal(results, counts)) {
    uint32_t tooFar = newUnit(Kind::Bit);
    emit(findIntegerHandler("toofar", kind), tooFar, {count.unit, count.unit});
    result.undefined = joinUndefined({result, Slot{0, tooFar}});
  }
  set(op->getResult(0), results);
  return success();
}

LogicalResult Compiler::compileSelect(Operation *op) {
  Slots conditions = get(op->getOperand(0));
  Slots yes = get(op->getOperand(1)), no = get(op->getOperand(2)), results;
  Kinds kinds = *getKinds(op->getResult(0).getType());
  for (size_t i = 0; i < yes.size(); ++i) {
    Slot condition = conditions[conditions.size() == 1 ? 0 : i];
    Slot result = {newUnit(kinds[i]), noUnit};
    emit(findSelectHandler(kinds[i]), result.unit,
         {condition.unit, yes[i].unit, no[i].unit});
    if (yes[i].undefined != noUnit || no[i].undefined != noUnit) {
      // Only the selected operand determines whether the result is undefined.
      auto bit = [&](Slot slot) {
        return slot.undefined == noUnit ? newConstant(Kind::Bit, 0)
                                        : slot.undefined;
      };
      result.undefined = newUnit(Kind::Bit);
      emit(findSelectHandler(Kind::Bit), result.undefined,
           {condition.unit, bit(yes[i]), bit(no[i])});
    }
    result.undefined = joinUndefined({result, condition});
    results.push_back(result);
  }
  set(op->getResult(0), results);
  return success();
}

LogicalResult Compiler::compileCast(Operation *op, StringRef name) {
  if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    if (truncate.getRoundingmode().value_or(
            arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return fail(op, "of the rounding modes only to_nearest_even is emulated");
  Kind from = getKind(op->getOperand(0).getType());
  Kind to = getKind(op->getResult(0).getType());
  Handler handler = findCastHandler(name, from, to);
  if (!handler)
    return fail(op, "a conversion between these types is not emulated");
  Slots results;
  for (Slot slot : get(op->getOperand(0)))
    results.push_back(from == to && !isFloat(from)
                          ? slot
                          : emitFunction(handler, to, {slot}));
  set(op->getResult(0), results);
  return success();
}

/// Compiles operations with two results: the low bits, and the high bits.
LogicalResult Compiler::compileExtended(Operation *op, StringRef name) {
  bool isAdd = name == "addui_extended";
  StringRef high = name == "mulsi_extended" ? "mulhsi" : "mulhui";
  Kind kind = getKind(op->getOperand(0).getType());
  Slots low, rest;
  for (auto [a, b] :
       llvm::zip_equal(get(op->getOperand(0)), get(op->getOperand(1)))) {
    low.push_back(emitFunction(
        findIntegerHandler(isAdd ? "addi" : "muli", kind), kind, {a, b}));
    rest.push_back(
        isAdd ? emitFunction(findIntegerHandler("ult", kind), Kind::Bit,
                             {low.back(), a})
              : emitFunction(findIntegerHandler(high, kind), kind, {a, b}));
  }
  set(op->getResult(0), low);
  set(op->getResult(1), rest);
  return success();
}

LogicalResult Compiler::compileBitcast(Operation *op) {
  Kinds from = *getKinds(op->getOperand(0).getType());
  Kinds to = *getKinds(op->getResult(0).getType());
  unsigned fromBits = getBitWidth(from[0]), toBits = getBitWidth(to[0]);
  if (fromBits * from.size() != toBits * to.size() ||
      (fromBits != toBits && (fromBits % 8 || toBits % 8)))
    return fail(op, "a bitcast between these types is not emulated");
  auto convert = [&](Slot slot, Kind a, Kind b) {
    return a == b ? slot
                  : emitFunction(findCastHandler("bitcast", a, b), b, {slot});
  };
  // Split integers into parts of the result's size; the first are the low bits.
  Kind fromInteger = getIntegerKind(from[0]), toInteger = getIntegerKind(to[0]);
  Slots pieces, results;
  for (Slot slot : get(op->getOperand(0))) {
    Slot bits = convert(slot, from[0], fromInteger);
    if (fromBits <= toBits) {
      pieces.push_back(bits);
      continue;
    }
    for (unsigned shift = 0; shift < fromBits; shift += toBits)
      pieces.push_back(emitFunction(findShiftOutHandler(fromInteger, toInteger),
                                    toInteger, {bits}, shift));
  }
  size_t ratio = fromBits < toBits ? toBits / fromBits : 1;
  for (size_t i = 0; i < pieces.size(); i += ratio) {
    Slot bits = pieces[i];
    if (ratio > 1)
      bits = {newConstant(toInteger, 0), noUnit};
    for (size_t part = 0; ratio > 1 && part < ratio; ++part)
      bits = emitFunction(findShiftInHandler(fromInteger, toInteger), toInteger,
                          {bits, pieces[i + part]}, part * fromBits);
    results.push_back(convert(bits, toInteger, to[0]));
  }
  set(op->getResult(0), results);
  return success();
}

/// Returns the name in arith or math of an op of the llvm dialect.
static StringRef getArithmeticName(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("llvm.add", "addi")
      .Case("llvm.sub", "subi")
      .Case("llvm.mul", "muli")
      .Case("llvm.and", "andi")
      .Case("llvm.or", "ori")
      .Case("llvm.xor", "xori")
      .Case("llvm.fadd", "addf")
      .Case("llvm.fsub", "subf")
      .Case("llvm.fmul", "mulf")
      .Case("llvm.fdiv", "divf")
      .Case("llvm.fneg", "negf")
      .Case("llvm.intr.maximum", "maximumf")
      .Case("llvm.intr.minimum", "minimumf")
      .Case("llvm.intr.maxnum", "maxnumf")
      .Case("llvm.intr.minnum", "minnumf")
      .Case("llvm.intr.fabs", "absf")
      .Case("llvm.intr.fma", "fma")
      .Case("llvm.intr.sqrt", "sqrt")
      .Default("");
}

std::optional<LogicalResult> Compiler::compileArithmetic(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return compileConstant(op, constant.getValue());
  if (auto constant = dyn_cast<LLVM::ConstantOp>(op))
    return compileConstant(op, constant.getValue());
  if (isa<ub::PoisonOp, LLVM::UndefOp, LLVM::PoisonOp>(op)) {
    compileUndefined(op);
    return success();
  }
  if (isa<LLVM::ZeroOp>(op)) {
    Slots slots;
    Kinds kinds = *getKinds(op->getResult(0).getType());
    for (Kind kind : kinds)
      slots.push_back({newConstant(kind, 0)});
    set(op->getResult(0), slots);
    return success();
  }
  if (isa<LLVM::FreezeOp>(op)) {
    Slots slots = get(op->getOperand(0));
    for (Slot &slot : slots)
      slot.undefined = noUnit;
    set(op->getResult(0), slots);
    return success();
  }
  if (isa<LLVM::BitcastOp>(op))
    return compileBitcast(op);
  if (isa<arith::SelectOp, LLVM::SelectOp>(op))
    return compileSelect(op);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compileElementwise(
        op, arith::stringifyCmpIPredicate(compare.getPredicate()));
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return compileElementwise(
        op, arith::stringifyCmpFPredicate(compare.getPredicate()));
  StringRef full = op->getName().getStringRef(), name = full;
  if (StringRef twin = getArithmeticName(full); !twin.empty())
    return compileElementwise(op, twin);
  if (!name.consume_front("arith.") && !name.consume_front("math."))
    return std::nullopt;
  // Comparisons are handled by their predicates, not as ops.
  if (op->getNumResults() == 2 && name.ends_with("_extended"))
    return compileExtended(op, name);
  if (op->getNumResults() != 1)
    return std::nullopt;
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return compileShift(op, name);
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
          arith::FPToUIOp, arith::IndexCastOp, arith::IndexCastUIOp,
          arith::BitcastOp>(op))
    return compileCast(op, name);
  return compileElementwise(op, name);
}
