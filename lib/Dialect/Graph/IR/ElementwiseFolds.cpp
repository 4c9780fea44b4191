//===- ElementwiseFolds.cpp - folds of elementwise ops --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds of floating-point ops keep every bit: x + 0 is kept, since it turns -0
// into 0, while x - 0 folds to x. Constants are folded if the result is small
// or a splat.
//
//===----------------------------------------------------------------------===//

#include "OperandTypes.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace tenon::graph;

/// Larger constants are not folded.
static constexpr int64_t maxFoldedElements = 4096;

static Type elementOf(Type tensor) {
  return cast<RankedTensorType>(tensor).getElementType();
}

/// The operand's constant, if it has one that may be folded.
static DenseElementsAttr foldable(Attribute operand) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(operand);
  if (dense && (dense.isSplat() || dense.getNumElements() <= maxFoldedElements))
    return dense;
  return {};
}

/// Returns x as the result, unless the types differ.
static OpFoldResult forward(Value x, Type result) {
  return x.getType() == result ? OpFoldResult(x) : OpFoldResult();
}

/// Applies `fn` to every element; splats stay splats.
template <typename From, typename To, typename Fn>
static Attribute mapElements(DenseElementsAttr x, Type result, Fn fn) {
  auto type = cast<RankedTensorType>(result);
  if (!type.hasStaticShape())
    return {};
  if (x.isSplat())
    return DenseElementsAttr::get(type,
                                  ArrayRef<To>(fn(x.getSplatValue<From>())));
  SmallVector<To> elements;
  for (const From &element : x.getValues<From>())
    elements.push_back(fn(element));
  return DenseElementsAttr::get(type, elements);
}

template <typename T, typename Fn>
static Attribute zipElements(DenseElementsAttr x, DenseElementsAttr y,
                             Type result, Fn fn) {
  auto type = cast<RankedTensorType>(result);
  if (!type.hasStaticShape())
    return {};
  if (x.isSplat() && y.isSplat())
    return DenseElementsAttr::get(
        type, ArrayRef<T>(fn(x.getSplatValue<T>(), y.getSplatValue<T>())));
  if (type.getNumElements() > maxFoldedElements)
    return {};
  SmallVector<T> elements;
  for (auto [a, b] : llvm::zip(x.getValues<T>(), y.getValues<T>()))
    elements.push_back(fn(a, b));
  return DenseElementsAttr::get(type, elements);
}

/// Folds two constant operands.
template <typename IntFn, typename FloatFn>
static Attribute foldBinary(Attribute lhs, Attribute rhs, Type result,
                            IntFn ofInts, FloatFn ofFloats) {
  DenseElementsAttr x = foldable(lhs), y = foldable(rhs);
  if (!x || !y)
    return {};
  if (isFloat(elementOf(result)))
    return zipElements<APFloat>(x, y, result, ofFloats);
  return zipElements<APInt>(x, y, result, ofInts);
}

/// Whether every element is this number; for floats, zeros must have the same
/// sign.
static bool isAll(Attribute operand, double value) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(operand);
  if (!dense || !dense.isSplat())
    return false;
  if (isa<FloatType>(dense.getElementType())) {
    APFloat expected(value);
    bool loses;
    expected.convert(
        cast<FloatType>(dense.getElementType()).getFloatSemantics(),
        APFloat::rmNearestTiesToEven, &loses);
    return dense.getSplatValue<APFloat>().bitwiseIsEqual(expected);
  }
  APInt element = dense.getSplatValue<APInt>();
  return element == APInt(element.getBitWidth(), static_cast<int64_t>(value),
                          /*isSigned=*/true, /*implicitTrunc=*/true);
}

/// A constant of integer zeros.
static Attribute zeros(Type result) {
  auto type = cast<RankedTensorType>(result);
  if (!type.hasStaticShape())
    return {};
  return DenseElementsAttr::get(type, APInt(type.getElementTypeBitWidth(), 0));
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getX().getDefiningOp<NegOp>())
    return forward(inner.getX(), getType());
  DenseElementsAttr x = foldable(adaptor.getX());
  if (!x)
    return {};
  if (isFloat(elementOf(getType())))
    return mapElements<APFloat, APFloat>(x, getType(),
                                         [](const APFloat &a) { return -a; });
  return mapElements<APInt, APInt>(x, getType(),
                                   [](const APInt &a) { return -a; });
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  double neutral = isFloat(elementOf(getType())) ? -0.0 : 0.0;
  if (isAll(adaptor.getRhs(), neutral))
    return forward(getLhs(), getType());
  if (isAll(adaptor.getLhs(), neutral))
    return forward(getRhs(), getType());
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &a, const APInt &b) { return a + b; },
      [](const APFloat &a, const APFloat &b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isAll(adaptor.getRhs(), 0.0))
    return forward(getLhs(), getType());
  // x - x is NaN if x is an infinity or NaN.
  if (getLhs() == getRhs() && !isFloat(elementOf(getType())))
    if (Attribute zero = zeros(getType()))
      return zero;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &a, const APInt &b) { return a - b; },
      [](const APFloat &a, const APFloat &b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isAll(adaptor.getRhs(), 1.0))
    return forward(getLhs(), getType());
  if (isAll(adaptor.getLhs(), 1.0))
    return forward(getRhs(), getType());
  // 0 * x is -0 or NaN for some floating-point x.
  if (!isFloat(elementOf(getType())) &&
      (isAll(adaptor.getRhs(), 0.0) || isAll(adaptor.getLhs(), 0.0)))
    if (Attribute zero = zeros(getType()))
      return zero;
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &a, const APInt &b) { return a * b; },
      [](const APFloat &a, const APFloat &b) { return a * b; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isAll(adaptor.getRhs(), 1.0))
    return forward(getLhs(), getType());
  bool isUnsignedType = isUnsigned(elementOf(getType()));
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [&](const APInt &a, const APInt &b) {
        if (b.isZero())
          return APInt(a.getBitWidth(), 0);
        return isUnsignedType ? a.udiv(b) : a.sdiv(b);
      },
      [](const APFloat &a, const APFloat &b) { return a / b; });
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

/// Whether every value of `from` is a value of `to`, both integers or both
/// floats, so that a cast through `to` equals a cast from `from`.
static bool isWidening(Type from, Type to) {
  if (isFloat(from) && isFloat(to)) {
    const llvm::fltSemantics &a = cast<FloatType>(from).getFloatSemantics();
    const llvm::fltSemantics &b = cast<FloatType>(to).getFloatSemantics();
    return APFloat::semanticsPrecision(a) <= APFloat::semanticsPrecision(b) &&
           APFloat::semanticsMaxExponent(a) <=
               APFloat::semanticsMaxExponent(b) &&
           APFloat::semanticsMinExponent(a) >= APFloat::semanticsMinExponent(b);
  }
  if (isBool(from))
    return true;
  if (!isInteger(from) || !isInteger(to))
    return false;
  unsigned a = from.getIntOrFloatBitWidth(), b = to.getIntOrFloatBitWidth();
  if (isUnsigned(from) == isUnsigned(to))
    return a <= b;
  return isUnsigned(from) && a < b;
}

/// Whether every value of the integer type `from` is a value of the float `to`.
static bool isExact(Type from, Type to) {
  if (!isInteger(from) || !isFloat(to))
    return isWidening(from, to);
  unsigned bits = from.getIntOrFloatBitWidth() - !isUnsigned(from);
  return bits <= APFloat::semanticsPrecision(
                     cast<FloatType>(to).getFloatSemantics()) &&
         static_cast<int>(bits) <= APFloat::semanticsMaxExponent(
                                       cast<FloatType>(to).getFloatSemantics());
}

static Attribute castConstant(DenseElementsAttr x, Type result) {
  Type from = x.getElementType(), to = elementOf(result);
  bool fromUnsigned = isUnsigned(from) || isBool(from);
  unsigned width = to.getIntOrFloatBitWidth();
  if (isFloat(from) && isFloat(to))
    return mapElements<APFloat, APFloat>(x, result, [&](APFloat a) {
      bool loses;
      a.convert(cast<FloatType>(to).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &loses);
      return a;
    });
  if (isFloat(to))
    return mapElements<APInt, APFloat>(x, result, [&](const APInt &a) {
      APFloat number(cast<FloatType>(to).getFloatSemantics());
      number.convertFromAPInt(a, !fromUnsigned, APFloat::rmNearestTiesToEven);
      return number;
    });
  if (isFloat(from))
    return mapElements<APFloat, APInt>(x, result, [&](const APFloat &a) {
      if (isBool(to))
        return APInt(1, !a.isZero());
      llvm::APSInt number(width, isUnsigned(to));
      bool exact;
      a.convertToInteger(number, APFloat::rmTowardZero, &exact);
      return APInt(number);
    });
  return mapElements<APInt, APInt>(x, result, [&](const APInt &a) {
    if (isBool(to))
      return APInt(1, !a.isZero());
    return fromUnsigned ? a.zextOrTrunc(width) : a.sextOrTrunc(width);
  });
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = getX().getDefiningOp<CastOp>()) {
    Type first = elementOf(inner.getX().getType());
    Type middle = elementOf(inner.getType());
    if (inner.getX().getType() == getType() && isExact(first, middle))
      return inner.getX();
    if (isWidening(first, middle)) {
      getXMutable().assign(inner.getX());
      return getResult();
    }
  }
  DenseElementsAttr x = foldable(adaptor.getX());
  return x ? castConstant(x, getType()) : Attribute();
}
