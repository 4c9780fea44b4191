//===- ResizeOp.cpp - graph.resize ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "InferenceChecks.h"

#include <cmath>

using namespace mlir;
using namespace tenon::graph;

LogicalResult ResizeOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  FailureOr<Shape> x = checkTensor(location, adaptor.getX().getType(), "x");
  if (failed(x) ||
      failed(checkCount(location, adaptor.getShape(), x->size(),
                        "sizes in shape")) ||
      failed(checkAtLeast(location, adaptor.getShape(), 0, "sizes in shape")))
    return failure();
  ArrayRef<double> scales = adaptor.getScales();
  if (scales.size() != x->size())
    return emitOptionalError(location, "expected ", x->size(),
                             " scales, but got ", scales.size());
  Shape shape = adaptor.getShape().getEntries();
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (!(scales[axis] > 0) || std::isinf(scales[axis]))
      return emitOptionalError(location, "axis ", axis,
                               ": expected a positive scale, but got ",
                               std::to_string(scales[axis]));
    if (scales[axis] == 1) {
      FailureOr<SymInt> both =
          checkEqual(location, (*x)[axis], shape[axis],
                     "size of axis " + Twine(axis) + ", whose scale is 1");
      if (failed(both))
        return failure();
      shape[axis] = *both;
    } else if ((*x)[axis].getConstant() == 0 &&
               shape[axis].getConstant() != 0) {
      return emitOptionalError(location, "axis ", axis,
                               ": expected elements to sample, but got "
                               "size 0");
    } else {
      requireNotNegativeIfAny(location, shape[axis], (*x)[axis] - SymInt(1),
                              "axis " + Twine(axis) +
                                  ": expected elements to sample, but got "
                                  "size " +
                                  (*x)[axis].str());
    }
  }
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getX().getType())));
  return success();
}

namespace {
/// Builds the indices and weights of one axis. Coordinates are computed in f64,
/// because they determine which element is read.
class AxisSampler {
public:
  AxisSampler(ResizeOp op, unsigned axis, const SymInt &input,
              const SymInt &output)
      : op(op), f64(Float64Type::get(op.getContext())), input(input),
        output(output), scale(op.getScales()[axis]), at(Expr::var(axis)) {}

  /// The input index for the mode nearest.
  Expr nearest() const;
  /// The input index of tap `tap`, before clamping, and its weight.
  std::pair<Expr, Expr> tap(Expr tap) const;
  unsigned taps() const { return op.getMode() == ResizeMode::Cubic ? 4 : 2; }
  Expr clamp(Expr index) const {
    return Expr::maxIndex(Expr::index(0),
                          Expr::minIndex(index, Expr::size(input - SymInt(1))));
  }
  Expr isInside(Expr index) const {
    return Expr::logicalAnd(Expr::lessEqual(Expr::index(0), index),
                            Expr::less(index, Expr::size(input)));
  }

private:
  Expr number(double value) const { return Expr::constant(value, f64); }
  Expr add(Expr a, Expr b) const { return Expr::apply(ScalarFn::Add, {a, b}); }
  Expr sub(Expr a, Expr b) const { return Expr::apply(ScalarFn::Sub, {a, b}); }
  Expr mul(Expr a, Expr b) const { return Expr::apply(ScalarFn::Mul, {a, b}); }
  Expr div(Expr a, Expr b) const { return Expr::apply(ScalarFn::Div, {a, b}); }
  Expr toIndex(Expr value) const {
    return Expr::fromElement(
        Expr::cast(value, IntegerType::get(op.getContext(), 64)));
  }
  Expr coordinate() const;
  Expr halfPixel() const;
  Expr resizedLength() const;
  std::optional<Expr> exactNearest() const;
  Expr cubicWeight(Expr tap, Expr distance) const;

  mutable ResizeOp op; // MLIR accessors are not const.
  Type f64;
  const SymInt input, output;
  double scale;
  Expr at;
};
} // namespace

Expr AxisSampler::halfPixel() const {
  Expr middle = add(Expr::fromIndex(at, f64), number(0.5));
  return sub(div(middle, number(scale)), number(0.5));
}

/// The length of the scaled axis before rounding to its size, which ONNX's
/// reference uses.
Expr AxisSampler::resizedLength() const {
  std::optional<int64_t> in = input.getConstant(), out = output.getConstant();
  if (!in)
    return mul(Expr::fromIndex(Expr::size(input), f64), number(scale));
  double inSize = static_cast<double>(*in);
  if (out) {
    // The quotient of the sizes, in f64 if it was computed from them, in f32 as
    // models state it, stands for the exact one.
    double outSize = static_cast<double>(*out), quotient = outSize / inSize;
    if (scale == quotient || scale == static_cast<float>(quotient))
      return number(outSize);
  }
  return number(scale * inSize);
}

Expr AxisSampler::coordinate() const {
  Expr inLength = Expr::fromIndex(Expr::size(input), f64);
  if (std::optional<int64_t> in = input.getConstant())
    inLength = number(static_cast<double>(*in));
  Expr outIsOne = Expr::equal(Expr::size(output), Expr::index(1));
  switch (op.getCoordinates()) {
  case ResizeCoordinates::HalfPixel:
    return halfPixel();
  case ResizeCoordinates::HalfPixelSymmetric: {
    Expr length = resizedLength();
    Expr adjustment = div(Expr::fromIndex(Expr::size(output), f64), length);
    Expr center = div(inLength, number(2));
    return add(mul(center, sub(number(1), adjustment)), halfPixel());
  }
  case ResizeCoordinates::PytorchHalfPixel:
    if (output.isConstant())
      return output.getConstant() == 1 ? number(0) : halfPixel();
    return Expr::select(outIsOne, number(0), halfPixel());
  case ResizeCoordinates::AlignCorners: {
    if (output.getConstant() == 1)
      return number(0);
    Expr steps = sub(resizedLength(), number(1));
    Expr x =
        div(mul(Expr::fromIndex(at, f64), sub(inLength, number(1))), steps);
    return output.isConstant() ? x : Expr::select(outIsOne, number(0), x);
  }
  case ResizeCoordinates::Asymmetric:
    return div(Expr::fromIndex(at, f64), number(scale));
  }
  llvm_unreachable("unknown coordinates");
}

/// Computes the nearest index without floating point, if the scale or its
/// inverse is an integer and rounding cannot give another index.
std::optional<Expr> AxisSampler::exactNearest() const {
  auto asInteger = [](double value) -> std::optional<int64_t> {
    if (value < 1 || value > 65536 || value != std::floor(value))
      return std::nullopt;
    return static_cast<int64_t>(value);
  };
  ResizeRounding rounding = op.getRounding();
  if (std::optional<int64_t> factor = asInteger(scale)) {
    // Half-pixel: (i + 1/2) / s - 1/2 is never halfway between two integers,
    // and the integer nearest to it is floor(i / s).
    bool nearest = rounding == ResizeRounding::RoundPreferCeil ||
                   rounding == ResizeRounding::RoundPreferFloor;
    bool half = op.getCoordinates() == ResizeCoordinates::HalfPixel;
    bool corner = op.getCoordinates() == ResizeCoordinates::Asymmetric;
    if ((half && nearest) || (corner && rounding == ResizeRounding::Floor))
      return clamp(Expr::floorDivIndex(at, Expr::index(*factor)));
  }
  if (op.getCoordinates() == ResizeCoordinates::Asymmetric)
    if (std::optional<int64_t> factor = asInteger(1 / scale);
        factor && 1 / static_cast<double>(*factor) == scale)
      return clamp(Expr::mulIndex(at, Expr::index(*factor)));
  return std::nullopt;
}

Expr AxisSampler::nearest() const {
  if (std::optional<Expr> exact = exactNearest())
    return *exact;
  Expr x = coordinate();
  switch (op.getRounding()) {
  case ResizeRounding::RoundPreferFloor:
    x = Expr::apply(ScalarFn::Ceil, {sub(x, number(0.5))});
    break;
  case ResizeRounding::RoundPreferCeil:
    x = Expr::apply(ScalarFn::Floor, {add(x, number(0.5))});
    break;
  case ResizeRounding::Floor:
    x = Expr::apply(ScalarFn::Floor, {x});
    break;
  case ResizeRounding::Ceil:
    x = Expr::apply(ScalarFn::Ceil, {x});
    break;
  }
  return clamp(toIndex(x));
}

/// Keys's kernel: taps 1 and 2 are within distance 1, taps 0 and 3 beyond.
Expr AxisSampler::cubicWeight(Expr tap, Expr distance) const {
  double a = op.getCubicCoeff().convertToDouble();
  Expr d = distance;
  // ((a + 2) d - (a + 3)) d^2 + 1
  Expr inner =
      add(mul(mul(sub(mul(number(a + 2), d), number(a + 3)), d), d), number(1));
  // ((a d - 5 a) d + 8 a) d - 4 a
  Expr outer = sub(
      mul(add(mul(sub(mul(number(a), d), number(5 * a)), d), number(8 * a)), d),
      number(4 * a));
  Expr isInner = Expr::logicalAnd(Expr::less(Expr::index(0), tap),
                                  Expr::less(tap, Expr::index(3)));
  return Expr::select(isInner, inner, outer);
}

std::pair<Expr, Expr> AxisSampler::tap(Expr tap) const {
  Expr x = coordinate();
  Expr floor = Expr::apply(ScalarFn::Floor, {x});
  bool cubic = op.getMode() == ResizeMode::Cubic;
  Expr offset = cubic ? Expr::addIndex(tap, Expr::index(-1)) : tap;
  Expr index = Expr::addIndex(toIndex(floor), offset);
  Expr distance = Expr::apply(
      ScalarFn::Abs, {sub(sub(x, floor), Expr::fromIndex(offset, f64))});
  if (cubic)
    return {index, cubicWeight(tap, distance)};
  return {index, sub(number(1), distance)};
}

SmallVector<IndexForm> ResizeOp::getIndexForms() {
  Shape input = tenon::graph::getShape(getX());
  Shape shape = getResultShape(*this);
  unsigned rank = shape.size(), next = rank;
  Type element = getX().getType().getElementType();
  SmallVector<Expr> at = getVars(rank);
  Type accumulation = getAccumulationType(element);
  if (!isFloat(element)) {
    // f32 does not hold all i32 or i64 values.
    accumulation = Float32Type::get(getContext());
    if (element.getIntOrFloatBitWidth() > 16)
      accumulation = Float64Type::get(getContext());
  }

  SmallVector<unsigned> bound;
  SmallVector<Expr> extents;
  Expr weight;
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (getScales()[axis] == 1)
      continue;
    AxisSampler sampler(*this, axis, input[axis], shape[axis]);
    if (getMode() == ResizeMode::Nearest) {
      at[axis] = sampler.nearest();
      continue;
    }
    bound.push_back(next);
    extents.push_back(Expr::index(sampler.taps()));
    auto [index, own] = sampler.tap(Expr::var(next++));
    if (getExcludeOutside()) {
      // Taps outside have weight 0, and the weights of the others are
      // normalized.
      auto [other, otherWeight] = sampler.tap(Expr::var(next));
      Expr total = Expr::reduce(ReduceKind::Sum, {next}, {extents.back()},
                                sampler.isInside(other), otherWeight);
      ++next;
      own = Expr::select(sampler.isInside(index),
                         Expr::apply(ScalarFn::Div, {own, total}),
                         Expr::constant(0.0, own->type));
    }
    own = Expr::cast(own, accumulation);
    weight = weight ? Expr::apply(ScalarFn::Mul, {weight, own}) : own;
    at[axis] = sampler.clamp(index);
  }
  Expr body = loadOf(getX(), 0, at);
  if (!weight)
    return {{shape, element, body}};
  Expr term =
      Expr::apply(ScalarFn::Mul, {weight, Expr::cast(body, accumulation)});
  Expr sum =
      Expr::reduce(ReduceKind::Sum, bound, extents, Expr::always(), term);
  return {{shape, element, Expr::cast(sum, element)}};
}
