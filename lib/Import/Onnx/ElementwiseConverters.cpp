//===- ElementwiseConverters.cpp - arithmetic, logic, comparison ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

template <typename OpTy> static LogicalResult unary(NodeContext &n) {
  return n.finish(n.unary<OpTy>(n.data(0)));
}

/// The second operand of a binary operator, with the broadcasting of opset 6:
/// `axis` is the first operand's axis to which its first axis is aligned.
static Value secondOperand(NodeContext &n, Value a, Value b) {
  if (n.getOpset() >= 7 || !a || !b || !n.intAttr("broadcast", 0) ||
      !n.hasAttr("axis"))
    return b;
  FailureOr<int64_t> axis = n.axisAttr("axis", 0, rankOf(a));
  if (failed(axis))
    return {};
  if (*axis + rankOf(b) > rankOf(a))
    return n.error("axis " + Twine(*axis) +
                   " is too large for an operand of rank " + Twine(rankOf(b)));
  Shape shape = getShape(b);
  shape.resize(rankOf(a) - *axis, SymInt(1));
  return n.reshape(b, shape);
}

template <typename OpTy> static LogicalResult binary(NodeContext &n) {
  Value a = n.data(0), b = secondOperand(n, a, n.data(1));
  return n.finish(n.binary<OpTy>(a, b));
}

template <typename OpTy> static LogicalResult swapped(NodeContext &n) {
  Value a = n.data(0), b = secondOperand(n, a, n.data(1));
  return n.finish(n.binary<OpTy>(b, a));
}

template <typename OpTy> static LogicalResult variadic(NodeContext &n) {
  Value result = n.data(0);
  for (size_t i = 1; i < n.numInputs(); ++i)
    result = n.binary<OpTy>(result, n.data(i));
  return n.finish(result);
}

static LogicalResult convertMean(NodeContext &n) {
  Value sum = n.data(0);
  for (size_t i = 1; i < n.numInputs(); ++i)
    sum = n.add(sum, n.data(i));
  return n.finish(n.div(sum, n.scalarLike(n.numInputs(), sum)));
}

/// Whether all elements are known, and numbers of the type `type`.
static bool isExactlyIn(const FactTensor *known, Type type) {
  auto numbers = known ? known->getNumbers() : std::nullopt;
  return numbers && llvm::all_of(*numbers, [&](double number) {
           if (auto floating = dyn_cast<FloatType>(type)) {
             APFloat value(number);
             bool losesInfo = false;
             value.convert(floating.getFloatSemantics(),
                           APFloat::rmNearestTiesToEven, &losesInfo);
             return !losesInfo;
           }
           unsigned bits = cast<IntegerType>(type).getWidth() - 1;
           return number == std::floor(number) && number >= 0 &&
                  number < std::ldexp(1.0, bits);
         });
}

/// The result has the type of the base.
static LogicalResult convertPow(NodeContext &n) {
  Value base = n.data(0), exponent = secondOperand(n, base, n.data(1));
  if (!base || !exponent)
    return failure();
  Type type = elementTypeOf(base), from = elementTypeOf(exponent);
  Type f64 = n.getBuilder().getF64Type();
  if (type == from || isExactlyIn(n.fact(1), type))
    return n.finish(n.binary<PowOp>(base, n.cast(exponent, type)));
  auto inDoubles = [&] {
    return n.cast(n.binary<PowOp>(n.cast(base, f64), n.cast(exponent, f64)),
                  type);
  };
  if (isFloat(type))
    return n.finish(inDoubles());
  if (isInteger(from))
    return n.finish(n.binary<PowOp>(base, n.cast(exponent, type)));
  // The powers of integers that are integers are exact, whatever their size.
  Value whole = n.unary<FloorOp>(exponent);
  Value isWhole = n.binary<AndOp>(
      n.equal(exponent, whole),
      n.binary<LessEqualOp>(n.scalarLike(0, exponent), exponent));
  Value exact = n.binary<PowOp>(base, n.cast(whole, type));
  return n.finish(n.where(isWhole, exact, inDoubles()));
}

static LogicalResult convertMod(NodeContext &n) {
  Value a = n.data(0), b = n.data(1);
  if (!a || !b)
    return failure();
  if (n.intAttr("fmod", 0))
    return n.finish(n.binary<FmodOp>(a, b));
  if (isFloat(elementTypeOf(a)) && n.getOpset() < 28)
    return n.fail("a floating-point remainder needs fmod = 1");
  return n.finish(n.binary<ModOp>(a, b));
}

static LogicalResult convertBitShift(NodeContext &n) {
  StringRef direction = n.stringAttr("direction", "");
  if (direction == "LEFT")
    return binary<ShiftLeftOp>(n);
  if (direction == "RIGHT")
    return binary<ShiftRightOp>(n);
  return n.fail("direction is '" + direction + "'; expected LEFT or RIGHT");
}

static LogicalResult convertIsInf(NodeContext &n) {
  SmallVector<NamedAttribute> attrs;
  bool positive = n.intAttr("detect_positive", 1);
  bool negative = n.intAttr("detect_negative", 1);
  Value x = n.data(0);
  if (!positive && !negative) {
    if (!x)
      return failure();
    return n.finish(n.splat(0, getShape(x), n.getBuilder().getI1Type()));
  }
  if (!negative)
    attrs.push_back(n.flag("only_positive"));
  if (!positive)
    attrs.push_back(n.flag("only_negative"));
  return n.finish(n.op<IsInfOp>({x}, attrs));
}

static LogicalResult convertWhere(NodeContext &n) {
  return n.finish(n.where(n.data(0), n.data(1), n.data(2)));
}

static LogicalResult castTo(NodeContext &n, Value x, Type to) {
  if (!x)
    return failure();
  Type from = elementTypeOf(x);
  // ONNX wraps integers; the graph op saturates when it converts floats.
  return n.finish(from == to ? x : n.cast(x, to));
}

static LogicalResult convertCast(NodeContext &n) {
  int64_t number = n.intAttr("to", 0);
  auto dtype = toDType(static_cast<int32_t>(number));
  if (!dtype)
    return n.fail("element type " + onnxTypeName(number) + " is not supported");
  return castTo(n, n.data(0), toElementType(*dtype, n.getContext()));
}

static LogicalResult convertCastLike(NodeContext &n) {
  if (!n.has(1))
    return n.fail("input 1 is missing");
  return castTo(n, n.data(0), n.type(1).getElementType());
}

/// Reads a bound of Clip: an attribute before opset 11, then an input.
static std::optional<double> constantBound(NodeContext &n, StringRef name,
                                           size_t input, double otherwise) {
  // Attributes have finite defaults, which infinities exceed.
  if (n.getOpset() < 11)
    return n.floatAttr(
        name, std::copysign(std::numeric_limits<float>::max(), otherwise));
  if (!n.has(input))
    return otherwise;
  const FactTensor *bound = n.fact(input);
  auto numbers = bound ? bound->getNumbers() : std::nullopt;
  if (!numbers || numbers->size() != 1)
    return std::nullopt;
  return numbers->front();
}

/// Integers become -1, 0 or 1: in f32, in which ONNX's reference computes them,
/// erf(4) is 1, and erf(3) is less.
static LogicalResult convertErf(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  Type type = elementTypeOf(x);
  if (isFloat(type))
    return n.finish(n.unary<ErfOp>(x));
  Value result = n.cast(n.less(n.scalarLike(3, x), x), type);
  if (!type.isUnsignedInteger())
    result = n.sub(result, n.cast(n.less(x, n.scalarLike(-3, x)), type));
  return n.finish(result);
}

static LogicalResult convertClip(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  if (isFloat(elementTypeOf(x))) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    auto low = constantBound(n, "min", 1, -infinity);
    auto high = constantBound(n, "max", 2, infinity);
    if (low && high)
      return n.finish(
          n.op<ClipOp>({x}, {n.number("low", *low), n.number("high", *high)}));
  }
  for (size_t i : {1, 2}) {
    if (!n.has(i))
      continue;
    Value bound = n.data(i);
    if (bound && rankOf(bound) != 0)
      bound = n.reshape(bound, {});
    x = i == 1 ? n.maximum(x, bound) : n.minimum(x, bound);
  }
  return n.finish(x);
}

ArrayRef<Operator> tenon::onnx::elementwiseOperators() {
  using enum_t = Support;
  constexpr enum_t D = Support::Direct, C = Support::Composed;
  static const Operator table[] = {
      {"Abs", D, unary<AbsOp>, ""},
      {"Acos", D, unary<AcosOp>, ""},
      {"Acosh", D, unary<AcoshOp>, ""},
      {"Add", D, binary<AddOp>, ""},
      {"And", D, binary<AndOp>, ""},
      {"Asin", D, unary<AsinOp>, ""},
      {"Asinh", D, unary<AsinhOp>, ""},
      {"Atan", D, unary<AtanOp>, ""},
      {"Atanh", D, unary<AtanhOp>, ""},
      {"BitShift", D, convertBitShift, ""},
      {"BitwiseAnd", D, binary<BitAndOp>, ""},
      {"BitwiseNot", D, unary<BitNotOp>, ""},
      {"BitwiseOr", D, binary<BitOrOp>, ""},
      {"BitwiseXor", D, binary<BitXorOp>, ""},
      {"Cast", D, convertCast, ""},
      {"CastLike", D, convertCastLike, ""},
      {"Ceil", D, unary<CeilOp>, ""},
      {"Clip", D, convertClip, ""},
      {"Cos", D, unary<CosOp>, ""},
      {"Cosh", D, unary<CoshOp>, ""},
      {"Div", D, binary<DivOp>, ""},
      {"Equal", D, binary<EqualOp>, ""},
      {"Erf", D, convertErf, ""},
      {"Exp", D, unary<ExpOp>, ""},
      {"Floor", D, unary<FloorOp>, ""},
      {"Greater", D, swapped<LessOp>, ""},
      {"GreaterOrEqual", D, swapped<LessEqualOp>, ""},
      {"IsInf", D, convertIsInf, ""},
      {"IsNaN", D, unary<IsNanOp>, ""},
      {"Less", D, binary<LessOp>, ""},
      {"LessOrEqual", D, binary<LessEqualOp>, ""},
      {"Log", D, unary<LogOp>, ""},
      {"Max", C, variadic<MaximumOp>, ""},
      {"Mean", C, convertMean, ""},
      {"Min", C, variadic<MinimumOp>, ""},
      {"Mod", D, convertMod, ""},
      {"Mul", D, binary<MulOp>, ""},
      {"Neg", D, unary<NegOp>, ""},
      {"Not", D, unary<NotOp>, ""},
      {"Or", D, binary<OrOp>, ""},
      {"Pow", D, convertPow, ""},
      {"Reciprocal", D, unary<ReciprocalOp>, ""},
      {"Round", D, unary<RoundOp>, ""},
      {"Sign", D, unary<SignOp>, ""},
      {"Sin", D, unary<SinOp>, ""},
      {"Sinh", D, unary<SinhOp>, ""},
      {"Sqrt", D, unary<SqrtOp>, ""},
      {"Sub", D, binary<SubOp>, ""},
      {"Sum", C, variadic<AddOp>, ""},
      {"Tan", D, unary<TanOp>, ""},
      {"Tanh", D, unary<TanhOp>, ""},
      {"Where", D, convertWhere, ""},
      {"Xor", D, binary<XorOp>, ""},
  };
  return table;
}
