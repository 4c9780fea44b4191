//===- SliceConverters.cpp - slices and pads ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "SizeArithmetic.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Beyond this an end means "to the end".
static constexpr int64_t farAway = int64_t(1) << 31;

/// A bound of a slice over [0, size] as numpy reads it; nullopt where its sign
/// can't be told.
static std::optional<SymInt> clampBound(const SymInt &bound,
                                        const SymInt &size) {
  if (std::optional<int64_t> constant = bound.getConstant()) {
    if (*constant >= farAway - 1)
      return size;
    if (*constant <= -farAway)
      return SymInt(0);
    if (*constant < 0) {
      SymInt from = size + bound;
      return isNonNegative(from) ? from : SymInt::max(from, SymInt(0));
    }
  } else if (isNonNegative(-bound) && !isNonNegative(bound)) {
    SymInt from = size + bound;
    return isNonNegative(from) ? from : SymInt::max(from, SymInt(0));
  } else if (!bound.lowerBound(1) || *bound.lowerBound(1) < 0) {
    return std::nullopt;
  }
  SymInt positive =
      isNonNegative(bound) ? bound : SymInt::max(bound, SymInt(0));
  return isAtMost(positive, size) ? positive : SymInt::min(positive, size);
}

namespace {
/// What slice wants to know of one axis.
struct AxisSlice {
  SymInt start, size;
  int64_t step = 1;
};
} // namespace

static FailureOr<AxisSlice> sliceAxis(NodeContext &n, const SymInt &start,
                                      const SymInt &end, int64_t step,
                                      const SymInt &size) {
  AxisSlice result;
  result.step = step;
  if (step > 0) {
    auto from = clampBound(start, size), to = clampBound(end, size);
    if (!from || !to)
      return n.fail("can't tell the sign of the bounds " + start.str() +
                    " and " + end.str());
    SymInt span = *to - *from;
    if (!isNonNegative(span))
      span = SymInt::max(span, SymInt(0));
    result.start = *from;
    result.size = step == 1 ? span : span.ceilDiv(SymInt(step));
    // An empty slice may begin anywhere; 0 is always allowed.
    if (result.size.getConstant() == 0)
      result.start = SymInt(0);
    return result;
  }
  std::optional<int64_t> extent = size.getConstant(),
                         from = start.getConstant(), to = end.getConstant();
  if (!from || !to)
    return n.fail("bounds that depend on sizes need a positive step, but got " +
                  Twine(step));
  // From the last element on down; the usual reversal works on any size.
  if (!extent) {
    bool fromEnd = *from == -1 || *from >= farAway - 1;
    bool toBegin = *to <= -farAway;
    if (!fromEnd || !toBegin)
      return n.fail("a negative step on the dynamic size " + size.str() +
                    " is supported for whole axes only");
    result.start = size - SymInt(1);
    result.size = size.ceilDiv(SymInt(-step));
    return result;
  }
  auto clamp = [&](int64_t at) {
    if (at < 0)
      at = at < -*extent ? -1 : at + *extent;
    return std::clamp<int64_t>(at, -1, *extent - 1);
  };
  int64_t first = clamp(*from), last = clamp(*to);
  int64_t count = first > last ? (first - last - step - 1) / -step : 0;
  result.start = SymInt(count ? first : 0);
  result.size = SymInt(count);
  return result;
}

static LogicalResult convertSlice(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  bool asInputs = n.getOpset() >= 10;
  auto list = [&](StringRef name, size_t input) -> FailureOr<Shape> {
    if (asInputs)
      return n.sizes(input, name);
    auto attr = n.intsAttr(name);
    if (!attr)
      return n.fail("attribute " + name + " is missing");
    return Shape(attr->begin(), attr->end());
  };
  auto starts = list("starts", 1), ends = list("ends", 2);
  if (failed(starts) || failed(ends))
    return failure();
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  SmallVector<int64_t> steps(starts->size(), 1);
  if (asInputs ? n.has(3) : n.hasAttr("axes")) {
    auto given = asInputs
                     ? n.integers(3, "axes")
                     : FailureOr<SmallVector<int64_t>>(*n.intsAttr("axes"));
    if (failed(given))
      return failure();
    axes = *given;
  }
  if (asInputs && n.has(4)) {
    auto given = n.integers(4, "steps");
    if (failed(given))
      return failure();
    steps = *given;
  }
  if (ends->size() != starts->size() || axes.size() != starts->size() ||
      steps.size() != starts->size())
    return n.fail("starts, ends, axes and steps differ in length");

  Shape sizes = getShape(x);
  SmallVector<SymInt> begin(sizes.size(), SymInt(0));
  SmallVector<SymInt> step(sizes.size(), SymInt(1));
  for (size_t i = 0; i < axes.size(); ++i) {
    FailureOr<int64_t> axis = n.axis(axes[i], rankOf(x));
    if (failed(axis))
      return failure();
    if (steps[i] == 0 || steps[i] > INT32_MAX || steps[i] < -INT32_MAX)
      return n.fail("step " + Twine(steps[i]) + " is out of range");
    auto part = sliceAxis(n, (*starts)[i], (*ends)[i], steps[i], sizes[*axis]);
    if (failed(part))
      return failure();
    begin[*axis] = part->start;
    sizes[*axis] = part->size;
    step[*axis] = SymInt(part->step);
  }
  return n.finish(
      n.op<SliceOp>({x}, {n.dims("starts", begin), n.dims("sizes", sizes),
                          n.dims("steps", step)}));
}

/// Removes what negative pads cut off, and clears them.
static Value crop(NodeContext &n, Value x, MutableArrayRef<SymInt> low,
                  MutableArrayRef<SymInt> high) {
  Shape sizes = getShape(x);
  SmallVector<SymInt> starts(sizes.size(), SymInt(0));
  SmallVector<SymInt> steps(sizes.size(), SymInt(1));
  bool any = false;
  for (size_t i = 0; i < sizes.size(); ++i)
    for (SymInt *pad : {&low[i], &high[i]}) {
      std::optional<int64_t> constant = pad->getConstant();
      if (!constant || *constant >= 0)
        continue;
      if (pad == &low[i])
        starts[i] = SymInt(-*constant);
      sizes[i] = sizes[i] + *pad;
      *pad = SymInt(0);
      any = true;
    }
  if (!any)
    return x;
  return n.op<SliceOp>({x}, {n.dims("starts", starts), n.dims("sizes", sizes),
                             n.dims("steps", steps)});
}

static LogicalResult convertPad(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  int64_t rank = rankOf(x);
  Shape pads;
  if (n.getOpset() < 11) {
    auto attr = n.intsAttr("pads");
    if (!attr)
      return n.fail("attribute pads is missing");
    pads.assign(attr->begin(), attr->end());
  } else {
    auto input = n.sizes(1, "pads");
    if (failed(input))
      return failure();
    pads = *input;
  }
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (n.has(3)) {
    auto given = n.integers(3, "axes");
    if (failed(given))
      return failure();
    axes = *given;
  }
  if (pads.size() != 2 * axes.size())
    return n.fail("there are " + Twine(pads.size()) + " pads; expected " +
                  Twine(2 * axes.size()));
  SmallVector<SymInt> low(rank, SymInt(0)), high(rank, SymInt(0));
  for (size_t i = 0; i < axes.size(); ++i) {
    FailureOr<int64_t> axis = n.axis(axes[i], rank);
    if (failed(axis))
      return failure();
    for (const SymInt &pad : {pads[i], pads[i + axes.size()]})
      if (std::abs(pad.getConstant().value_or(0)) > (int64_t(1) << 40))
        return n.fail("pad " + pad.str() + " is out of range");
    low[*axis] = pads[i];
    high[*axis] = pads[i + axes.size()];
  }
  StringRef modeName = n.stringAttr("mode", "constant");
  std::optional<PadMode> mode = symbolizePadMode(modeName);
  if (!mode)
    return n.fail("mode is '" + modeName +
                  "'; expected constant, reflect, edge or wrap");

  x = crop(n, x, low, high);
  auto pad = [&](Value value, double fill) {
    return n.op<PadOp>({value},
                       {n.dims("low", low), n.dims("high", high),
                        n.attr("mode", PadModeAttr::get(n.getContext(), *mode)),
                        n.number("value", fill)});
  };
  bool takesValue =
      *mode == PadMode::Constant && n.getOpset() >= 11 && n.has(2);
  if (!takesValue)
    return n.finish(pad(x, n.floatAttr("value", 0)));
  const FactTensor *known = n.fact(2);
  auto numbers = known ? known->getNumbers() : std::nullopt;
  if (numbers && numbers->size() == 1)
    return n.finish(pad(x, numbers->front()));
  // A value of run time fills where a padded tensor of "inside" is false.
  Value value = n.reshape(n.data(2), {});
  if (!x || !value)
    return failure();
  Value inside = pad(n.splat(1, getShape(x), n.getBuilder().getI1Type()), 0);
  return n.finish(n.where(inside, pad(x, 0), value));
}

ArrayRef<Operator> tenon::onnx::sliceOperators() {
  constexpr Support D = Support::Direct;
  static const Operator table[] = {
      {"Pad", D, convertPad, "the pads known at import"},
      {"Slice", D, convertSlice, "the bounds known at import"},
  };
  return table;
}
