//===- ExportElementwise.cpp - export of elementwise ops ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

static Type elementType(Value x) {
  return cast<RankedTensorType>(x.getType()).getElementType();
}

/// Returns the operator that is equivalent to the op, if there is one. If it
/// has several operands, they broadcast as in numpy.
static StringRef plainOperator(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().stripDialect())
      .Case("neg", "Neg")
      .Case("abs", "Abs")
      .Case("sign", "Sign")
      .Case("reciprocal", "Reciprocal")
      .Case("floor", "Floor")
      .Case("ceil", "Ceil")
      .Case("round", "Round")
      .Case("sqrt", "Sqrt")
      .Case("exp", "Exp")
      .Case("log", "Log")
      .Case("sin", "Sin")
      .Case("cos", "Cos")
      .Case("tan", "Tan")
      .Case("asin", "Asin")
      .Case("acos", "Acos")
      .Case("atan", "Atan")
      .Case("sinh", "Sinh")
      .Case("cosh", "Cosh")
      .Case("tanh", "Tanh")
      .Case("asinh", "Asinh")
      .Case("acosh", "Acosh")
      .Case("atanh", "Atanh")
      .Case("erf", "Erf")
      .Case("add", "Add")
      .Case("sub", "Sub")
      .Case("mul", "Mul")
      .Case("div", "Div")
      .Case("pow", "Pow")
      .Case("maximum", "Max")
      .Case("minimum", "Min")
      .Case("not", "Not")
      .Case("and", "And")
      .Case("or", "Or")
      .Case("xor", "Xor")
      .Case("bit_not", "BitwiseNot")
      .Case("bit_and", "BitwiseAnd")
      .Case("bit_or", "BitwiseOr")
      .Case("bit_xor", "BitwiseXor")
      .Case("equal", "Equal")
      .Case("less", "Less")
      .Case("less_equal", "LessOrEqual")
      .Case("is_nan", "IsNaN")
      .Case("where", "Where")
      .Case("relu", "Relu")
      .Case("sigmoid", "Sigmoid")
      .Case("softplus", "Softplus")
      .Case("softsign", "Softsign")
      .Case("mish", "Mish")
      .Case("hard_swish", "HardSwish")
      .Default("");
}

/// The operands without their broadcasts, if one operand has the whole shape.
static Names broadcastingOperands(Exporter &e, Operation *op) {
  bool whole = llvm::any_of(op->getOperands(), [](Value operand) {
    return !operand.getDefiningOp<BroadcastOp>();
  });
  Names names;
  for (Value operand : op->getOperands()) {
    auto broadcast = operand.getDefiningOp<BroadcastOp>();
    names.push_back(e.name(whole && broadcast ? broadcast.getX() : operand));
  }
  return names;
}

static std::string sigmoidTimes(Exporter &e, const std::string &x) {
  return e.node("Mul", {x, e.node("Sigmoid", {x})});
}

/// Computes the remainder with the divisor's sign from the one with the
/// dividend's.
static std::string floatModulo(Exporter &e, const std::string &a,
                               const std::string &b, Type type) {
  std::string rest = e.node("Mod", {a, b});
  Exporter::set(e.last(), "fmod", int64_t(1));
  std::string zero = e.number(0, type);
  std::string differs =
      e.node("Xor", {e.node("Less", {rest, zero}), e.node("Less", {b, zero})});
  std::string isZero = e.node("Equal", {rest, zero});
  std::string moves = e.node("And", {differs, e.node("Not", {isZero})});
  return e.node("Where", {moves, e.node("Add", {rest, b}), rest});
}

/// Builds max(0, x) + min(0, alpha * (exp(x / alpha) - 1)), since ONNX's
/// operator supports only f32 before opset 28.
static std::string spellOutCelu(Exporter &e, const std::string &x, double alpha,
                                Type type) {
  std::string zero = e.number(0, type), factor = e.number(alpha, type);
  std::string power = e.node("Exp", {e.node("Div", {x, factor})});
  std::string less = e.node("Sub", {power, e.number(1, type)});
  std::string below = e.node("Min", {zero, e.node("Mul", {factor, less})});
  return e.node("Add", {e.node("Max", {zero, x}), below});
}

bool tenon::onnx::emitElementwise(Exporter &e, Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return false;
  Value result = op->getResult(0);
  StringRef plain = plainOperator(op);
  if (!plain.empty()) {
    e.bind(result, e.node(plain, op->getNumOperands() == 1
                                     ? e.names(op->getOperands())
                                     : broadcastingOperands(e, op)));
    return true;
  }
  Value x = op->getOperand(0);
  Type type = elementType(x);
  // Emits an operator with floating-point attributes.
  auto with = [&](StringRef name,
                  std::initializer_list<std::pair<StringRef, double>> attrs) {
    std::string output = e.node(name, {e.name(x)});
    for (auto [attr, value] : attrs)
      Exporter::set(e.last(), attr, value);
    return output;
  };
  std::string name =
      llvm::TypeSwitch<Operation *, std::string>(op)
          .Case([&](RsqrtOp) {
            return e.node("Reciprocal", {e.node("Sqrt", {e.name(x)})});
          })
          .Case([&](SiluOp) { return sigmoidTimes(e, e.name(x)); })
          .Case([&](CastOp cast) { return e.cast(e.name(x), cast.getTo()); })
          .Case([&](PreluOp) {
            return e.node("PRelu", e.names(op->getOperands()));
          })
          .Case<FmodOp, ModOp>([&](auto) {
            Names operands = broadcastingOperands(e, op);
            if (isa<ModOp>(op) && isFloat(type)) {
              return floatModulo(e, operands[0], operands[1], type);
            }
            std::string output = e.node("Mod", operands);
            Exporter::set(e.last(), "fmod", int64_t(isa<FmodOp>(op)));
            return output;
          })
          .Case<ShiftLeftOp, ShiftRightOp>([&](auto) {
            if (!isUnsigned(type))
              e.requireOpset(28);
            std::string output =
                e.node("BitShift", broadcastingOperands(e, op));
            Exporter::set(e.last(), "direction",
                          StringRef(isa<ShiftLeftOp>(op) ? "LEFT" : "RIGHT"));
            return output;
          })
          .Case([&](IsInfOp inf) {
            if (type.getIntOrFloatBitWidth() < 32)
              e.requireOpset(20);
            std::string output = e.node("IsInf", {e.name(x)});
            Exporter::set(e.last(), "detect_negative",
                          int64_t(!inf.getOnlyPositive()));
            Exporter::set(e.last(), "detect_positive",
                          int64_t(!inf.getOnlyNegative()));
            return output;
          })
          .Case([&](GeluOp gelu) {
            e.requireOpset(20);
            std::string output = e.node("Gelu", {e.name(x)});
            if (gelu.getTanh())
              Exporter::set(e.last(), "approximate", StringRef("tanh"));
            return output;
          })
          .Case([&](LeakyReluOp a) {
            return with("LeakyRelu",
                        {{"alpha", a.getAlpha().convertToDouble()}});
          })
          .Case([&](EluOp a) {
            return with("Elu", {{"alpha", a.getAlpha().convertToDouble()}});
          })
          .Case([&](CeluOp a) {
            if (!type.isF32())
              return spellOutCelu(e, e.name(x), a.getAlpha().convertToDouble(),
                                  type);
            return with("Celu", {{"alpha", a.getAlpha().convertToDouble()}});
          })
          .Case([&](SeluOp a) {
            return with("Selu", {{"alpha", a.getAlpha().convertToDouble()},
                                 {"gamma", a.getGamma().convertToDouble()}});
          })
          .Case([&](HardSigmoidOp a) {
            return with("HardSigmoid",
                        {{"alpha", a.getAlpha().convertToDouble()},
                         {"beta", a.getBeta().convertToDouble()}});
          })
          .Case([&](ThresholdedReluOp a) {
            return with("ThresholdedRelu",
                        {{"alpha", a.getAlpha().convertToDouble()}});
          })
          .Case([&](ShrinkOp a) {
            return with("Shrink", {{"lambd", a.getLambda().convertToDouble()},
                                   {"bias", a.getBias().convertToDouble()}});
          })
          .Case([&](ClipOp a) {
            auto bound = [&](const APFloat &value) {
              return value.isInfinity()
                         ? std::string()
                         : e.number(value.convertToDouble(), type);
            };
            return e.node("Clip",
                          {e.name(x), bound(a.getLow()), bound(a.getHigh())});
          })
          .Default([](Operation *) { return std::string(); });
  if (name.empty())
    return false;
  e.bind(result, name);
  return true;
}
