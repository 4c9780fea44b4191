//===- ResizeConverters.cpp - resampling, cropping ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "Resampling.h"
#include "SizeArithmetic.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Computes floor(size * scale), if this is possible for a dynamic size.
static std::optional<SymInt> scaledSize(const SymInt &size, double scale) {
  if (std::optional<int64_t> constant = size.getConstant()) {
    double result =
        std::floor(static_cast<double>(*constant) * static_cast<float>(scale));
    if (!(result >= 0 && result < 1e12))
      return std::nullopt;
    return SymInt(static_cast<int64_t>(result));
  }
  if (!std::isfinite(static_cast<float>(scale)))
    return std::nullopt;
  // A float is a fraction with a power of two below.
  int exponent;
  double fraction = std::frexp(static_cast<float>(scale), &exponent);
  while (fraction != std::floor(fraction)) {
    fraction *= 2;
    --exponent;
  }
  if (exponent > 20 || exponent < -40)
    return std::nullopt;
  SymInt product = size * SymInt(static_cast<int64_t>(fraction));
  return exponent >= 0 ? product * SymInt(int64_t(1) << exponent)
                       : product.floorDiv(SymInt(int64_t(1) << -exponent));
}

namespace {
/// The shape and scales of a Resize.
struct Target {
  Shape shape;
  SmallVector<double> scales;
};
} // namespace

/// Scales for all axes, from those of `axes`.
static FailureOr<Target> fromScales(NodeContext &n, const Shape &from,
                                    ArrayRef<double> scales,
                                    ArrayRef<int64_t> axes) {
  if (scales.size() != axes.size())
    return n.fail("there are " + Twine(scales.size()) + " scales; expected " +
                  Twine(axes.size()));
  Target target{from, SmallVector<double>(from.size(), 1.0)};
  for (size_t i = 0; i < axes.size(); ++i) {
    if (!(scales[i] > 0))
      return n.fail("expected positive scales, but got " +
                    std::to_string(scales[i]));
    auto size = scaledSize(from[axes[i]], scales[i]);
    if (!size)
      return n.fail("the size " + from[axes[i]].str() +
                    " times a scale is unknown at import");
    target.shape[axes[i]] = *size;
    target.scales[axes[i]] = scales[i];
  }
  return target;
}

static FailureOr<Target> fromSizes(NodeContext &n, const Shape &from,
                                   const Shape &sizes, ArrayRef<int64_t> axes) {
  if (sizes.size() != axes.size())
    return n.fail("there are " + Twine(sizes.size()) + " sizes; expected " +
                  Twine(axes.size()));
  Target target{from, SmallVector<double>(from.size(), 1.0)};
  for (size_t i = 0; i < axes.size(); ++i) {
    const SymInt &in = from[axes[i]], &out = sizes[i];
    target.shape[axes[i]] = out;
    if (in == out)
      continue;
    std::optional<int64_t> a = in.getConstant(), b = out.getConstant();
    if (!a) {
      // A multiple or a fraction of a dynamic size has a constant scale.
      std::optional<SymInt> up, down;
      if (in.getTerms().size() == 1)
        up = divideExactly(out, in);
      if (out.getTerms().size() == 1)
        down = divideExactly(in, out);
      if (up && up->getConstant())
        a = 1, b = up->getConstant();
      else if (down && down->getConstant())
        a = down->getConstant(), b = 1;
    }
    if (!a || !b || *a < 1 || *b < 1)
      return n.fail("the scale from size " + in.str() + " to " + out.str() +
                    " is not known at import");
    target.scales[axes[i]] = static_cast<double>(*b) / *a;
  }
  StringRef policy = n.stringAttr("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch")
    return target;
  if (policy != "not_larger" && policy != "not_smaller")
    return n.fail("keep_aspect_ratio_policy is '" + policy + "'");
  // Use one scale for all axes, and round sizes half up.
  double scale = axes.empty() ? 1.0 : target.scales[axes[0]];
  for (int64_t axis : axes)
    scale = policy == "not_larger" ? std::min(scale, target.scales[axis])
                                   : std::max(scale, target.scales[axis]);
  for (int64_t axis : axes) {
    std::optional<int64_t> size = from[axis].getConstant();
    if (!size)
      return n.fail("keep_aspect_ratio_policy on a dynamic size is not "
                    "supported");
    target.shape[axis] =
        SymInt(static_cast<int64_t>(std::floor(*size * scale + 0.5)));
    target.scales[axis] = scale;
  }
  return target;
}

static Value emitResize(NodeContext &n, Value x, const Target &target,
                        ResizeMode mode, ResizeCoordinates coordinates,
                        ResizeRounding rounding) {
  MLIRContext *context = n.getContext();
  SmallVector<NamedAttribute> attrs = {
      n.dims("shape", target.shape),
      n.attr("scales", DenseF64ArrayAttr::get(context, target.scales)),
      n.attr("mode", ResizeModeAttr::get(context, mode)),
      n.attr("coordinates", ResizeCoordinatesAttr::get(context, coordinates)),
      n.attr("rounding", ResizeRoundingAttr::get(context, rounding)),
      n.number("cubic_coeff", n.floatAttr("cubic_coeff_a", -0.75))};
  if (n.intAttr("exclude_outside", 0))
    attrs.push_back(n.flag("exclude_outside"));
  Type type = elementTypeOf(x);
  if (!type.isInteger(1) || mode != ResizeMode::Nearest)
    return n.op<ResizeOp>({x}, attrs);
  Type byte = n.getBuilder().getIntegerType(8);
  return n.cast(n.op<ResizeOp>({n.cast(x, byte)}, attrs), type);
}

/// Interpolates in modes that the graph op does not have, by a product with a
/// constant matrix along each axis.
static Value resample(NodeContext &n, Value x, const Target &target,
                      ResizeMode mode, ArrayRef<double> roi) {
  Resampling how;
  how.cubic = mode == ResizeMode::Cubic;
  how.antialias = n.intAttr("antialias", 0);
  how.excludeOutside = n.intAttr("exclude_outside", 0);
  how.cubicCoefficient = n.floatAttr("cubic_coeff_a", -0.75);
  how.coordinates =
      n.stringAttr("coordinate_transformation_mode", "half_pixel").str();
  Shape shape = getShape(x);
  int64_t rank = shape.size();
  Type type = elementTypeOf(x);
  Value result = x, outside;
  for (int64_t axis = 0; axis < rank; ++axis) {
    auto in = shape[axis].getConstant(), out = target.shape[axis].getConstant();
    bool crops = how.coordinates == "tf_crop_and_resize" &&
                 (roi[axis] != 0 || roi[rank + axis] != 1);
    if (shape[axis] == target.shape[axis] && target.scales[axis] == 1 && !crops)
      continue;
    if (!in || !out || *in < 1 || *out < 1 || *out > (1 << 22) / *in)
      return n.error("antialias and tf_crop_and_resize need static sizes");
    how.roiBegin = crops ? roi[axis] : 0;
    how.roiEnd = crops ? roi[rank + axis] : 1;
    ResamplingMatrix matrix =
        resamplingMatrix(how, *in, *out, target.scales[axis]);
    SmallVector<float> weights(matrix.weights.begin(), matrix.weights.end());
    Value m = n.cast(
        n.constant(DenseElementsAttr::get(
            RankedTensorType::get({*out, *in}, n.getBuilder().getF32Type()),
            ArrayRef<float>(weights))),
        type);
    // Move the axis to the end, multiply by the transposed matrix, and move it
    // back.
    SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(perm[axis], perm[rank - 1]);
    Value rows = n.transpose(result, perm);
    if (rank == 1)
      rows = n.unsqueeze(rows, {0});
    rows = n.matmul(rows, m, false, true);
    if (rank == 1)
      rows = n.squeeze(rows, {0});
    result = n.transpose(rows, perm);
    if (llvm::is_contained(matrix.outside, true)) {
      SmallVector<bool> flags(matrix.outside.begin(), matrix.outside.end());
      Value flag = n.constant(DenseElementsAttr::get(
          RankedTensorType::get({*out}, n.getBuilder().getI1Type()),
          ArrayRef<bool>(flags)));
      Shape aligned(rank - axis, SymInt(1));
      aligned[0] = SymInt(*out);
      flag = n.reshape(flag, aligned);
      outside = outside ? n.binary<OrOp>(outside, flag) : flag;
    }
  }
  if (outside)
    result =
        n.where(outside, n.scalarLike(n.floatAttr("extrapolation_value", 0), x),
                result);
  return result;
}

static bool isExactIn24Bits(Type type) {
  return cast<IntegerType>(type).getWidth() <= 16;
}

/// The nearest integers of `type`, those beyond its ends included.
static Value roundTo(NodeContext &n, Value x, Type type) {
  auto integer = cast<IntegerType>(type);
  unsigned bits = integer.getWidth();
  double low = integer.isUnsigned() ? 0 : -std::ldexp(1.0, bits - 1);
  double high = std::ldexp(1.0, integer.isUnsigned() ? bits : bits - 1) - 1;
  // The largest integer of 64 bits is no double.
  if (bits == 64)
    high = std::nextafter(high, 0);
  return n.cast(n.op<ClipOp>({n.unary<RoundOp>(x)},
                             {n.number("low", low), n.number("high", high)}),
                type);
}

static LogicalResult convertResize(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  Shape from = getShape(x);
  int64_t rank = from.size();
  bool old = n.getOpset() < 11; // inputs X, scales; asymmetric and floor
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (auto given = n.intsAttr("axes")) {
    axes.clear();
    for (int64_t axis : *given) {
      FailureOr<int64_t> normal = n.axis(axis, rank);
      if (failed(normal))
        return failure();
      axes.push_back(*normal);
    }
  }
  size_t scalesAt = old ? 1 : 2;
  // An empty tensor also means an absent input.
  bool hasScales =
      n.has(scalesAt) && !(n.fact(scalesAt) && n.fact(scalesAt)->size() == 0);
  FailureOr<Target> target = failure();
  if (hasScales) {
    auto scales = n.numbers(scalesAt, "scales");
    if (failed(scales))
      return failure();
    target = fromScales(n, from, *scales, axes);
  } else {
    auto sizes = n.sizes(3, "sizes");
    if (failed(sizes))
      return failure();
    target = fromSizes(n, from, *sizes, axes);
  }
  if (failed(target))
    return failure();

  StringRef modeName = n.stringAttr("mode", "nearest");
  StringRef coordinateName = n.stringAttr("coordinate_transformation_mode",
                                          old ? "asymmetric" : "half_pixel");
  StringRef roundingName = n.stringAttr("nearest_mode", "round_prefer_floor");
  auto mode = symbolizeResizeMode(modeName);
  auto coordinates = symbolizeResizeCoordinates(coordinateName);
  auto rounding =
      old ? ResizeRounding::Floor : symbolizeResizeRounding(roundingName);
  if (!mode || !rounding)
    return n.fail("mode '" + modeName + "' with nearest_mode '" + roundingName +
                  "' is not supported");
  bool crops = coordinateName == "tf_crop_and_resize";
  // Integers are interpolated as numbers, which are rounded in the end.
  Type type = elementTypeOf(x);
  bool rounds = *mode != ResizeMode::Nearest && isInteger(type);
  if (rounds)
    x = n.cast(x, isExactIn24Bits(type) ? Type(n.getBuilder().getF32Type())
                                        : Type(n.getBuilder().getF64Type()));
  auto finish = [&](Value y) {
    return n.finish(rounds ? roundTo(n, y, type) : y);
  };
  if (*mode != ResizeMode::Nearest && (crops || n.intAttr("antialias", 0))) {
    SmallVector<double> roi(2 * rank, 0.0);
    std::fill(roi.begin() + rank, roi.end(), 1.0);
    if (crops) {
      auto given = n.numbers(1, "region of interest");
      if (failed(given))
        return failure();
      if (given->size() != 2 * axes.size())
        return n.fail("the region of interest has " + Twine(given->size()) +
                      " entries; expected " + Twine(2 * axes.size()));
      for (size_t i = 0; i < axes.size(); ++i) {
        roi[axes[i]] = (*given)[i];
        roi[rank + axes[i]] = (*given)[axes.size() + i];
      }
    }
    return finish(resample(n, x, *target, *mode, roi));
  }
  if (!coordinates)
    return n.fail("coordinate_transformation_mode '" + coordinateName +
                  "' is not supported with mode '" + modeName + "'");
  return finish(emitResize(n, x, *target, *mode, *coordinates, *rounding));
}

/// Resize with asymmetric coordinates, before opset 10.
static LogicalResult convertUpsample(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  SmallVector<double> scales;
  if (n.getOpset() >= 9) {
    auto input = n.numbers(1, "scales");
    if (failed(input))
      return failure();
    scales = *input;
  } else if (auto attr = n.floatsAttr("scales")) {
    scales = *attr;
  } else {
    return n.fail("attribute scales is missing");
  }
  StringRef modeName = n.stringAttr("mode", "nearest");
  auto mode = symbolizeResizeMode(modeName);
  if (!mode || *mode == ResizeMode::Cubic)
    return n.fail("mode is '" + modeName + "'; expected nearest or linear");
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  auto target = fromScales(n, getShape(x), scales, axes);
  if (failed(target))
    return failure();
  return n.finish(emitResize(n, x, *target, *mode,
                             ResizeCoordinates::Asymmetric,
                             ResizeRounding::Floor));
}

/// Crops or pads with zeros around the center.
static LogicalResult convertCenterCropPad(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  auto wanted = n.integers(1, "shape");
  if (failed(wanted))
    return failure();
  int64_t rank = rankOf(x);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (auto given = n.intsAttr("axes"))
    axes = *given;
  if (axes.size() != wanted->size())
    return n.fail("the shape has " + Twine(wanted->size()) +
                  " entries; expected " + Twine(axes.size()));
  Shape sizes = getShape(x);
  SmallVector<SymInt> starts(rank, SymInt(0)), steps(rank, SymInt(1)),
      low(rank, SymInt(0)), high(rank, SymInt(0));
  for (size_t i = 0; i < axes.size(); ++i) {
    FailureOr<int64_t> axis = n.axis(axes[i], rank);
    if (failed(axis))
      return failure();
    std::optional<int64_t> size = sizes[*axis].getConstant();
    int64_t target = (*wanted)[i];
    if (!size || target < 0 || target > (int64_t(1) << 40))
      return n.fail("size " + sizes[*axis].str() + " to " + Twine(target) +
                    " is not supported");
    if (target < *size) {
      starts[*axis] = SymInt((*size - target) / 2);
      sizes[*axis] = SymInt(target);
    } else {
      low[*axis] = SymInt((target - *size) / 2);
      high[*axis] = SymInt(target - *size - (target - *size) / 2);
    }
  }
  Value cut =
      n.op<SliceOp>({x}, {n.dims("starts", starts), n.dims("sizes", sizes),
                          n.dims("steps", steps)});
  return n.finish(n.op<PadOp>(
      {cut},
      {n.dims("low", low), n.dims("high", high),
       n.attr("mode", PadModeAttr::get(n.getContext(), PadMode::Constant)),
       n.number("value", 0)}));
}

ArrayRef<Operator> tenon::onnx::resizeOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed;
  static const Operator table[] = {
      {"CenterCropPad", C, convertCenterCropPad, "static sizes"},
      {"Resize", D, convertResize,
       "scales or sizes known at import; antialias and tf_crop_and_resize of "
       "static sizes; not tf_half_pixel_for_nn, nor tf_crop_and_resize with "
       "nearest"},
      {"Upsample", D, convertUpsample, "scales known at import"},
  };
  return table;
}
