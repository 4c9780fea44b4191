//===- SliceConverters.cpp - slices and pads ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "SizeArithmetic.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Bounds beyond this mean "from the beginning" or "to the end".
static constexpr int64_t farAway = int64_t(1) << 31;
/// Longer slices of a vector with known elements are treated as data.
static constexpr int64_t maxSliceFacts = 64;

/// Applies ONNX's rules for bounds: a negative bound counts from the end, and
/// positions are clamped to [least, greatest]. Steps are constant.
static SymInt clampBound(const SymInt &bound, const SymInt &size,
                         const SymInt &least, const SymInt &greatest) {
  auto clamp = [&](const SymInt &at) {
    return SymInt::min(SymInt::max(at, least), greatest);
  };
  if (std::optional<int64_t> constant = bound.getConstant()) {
    if (*constant >= farAway - 1)
      return greatest;
    if (*constant <= -farAway)
      return SymInt::min(least, greatest);
  }
  if (isAtLeast(bound, 0))
    return clamp(bound);
  if (isAtLeast(SymInt(-1) - bound, 0))
    return clamp(bound + size);
  // The sign depends on the sizes. Usually one of the two interpretations is
  // valid for all sizes.
  SymInt isNegative = SymInt::min(SymInt::max(-bound, SymInt(0)), SymInt(1));
  SymInt exact = clamp(bound + isNegative * size);
  for (const SymInt &reading : {clamp(bound), clamp(bound + size)})
    if (provablyEqual(reading, exact))
      return reading;
  return exact;
}

namespace {
/// The parameters of slice for one axis.
struct AxisSlice {
  SymInt start, size;
  int64_t step = 1;
};
} // namespace

static AxisSlice sliceAxis(const SymInt &start, const SymInt &end, int64_t step,
                           const SymInt &size) {
  // A descending slice begins at an element, if there is one, and may end
  // before the first.
  SymInt least(step > 0 ? 0 : -1), greatest = size + least;
  SymInt from = clampBound(start, size, SymInt(0), greatest),
         to = clampBound(end, size, least, greatest);
  SymInt span = simplify(step > 0 ? to - from : from - to);
  AxisSlice result;
  result.step = step;
  result.start = from;
  result.size =
      simplify(SymInt::max(span.ceilDiv(SymInt(std::abs(step))), SymInt(0)));
  // An empty slice may begin anywhere; 0 is always valid.
  if (result.size.getConstant() == 0)
    result.start = SymInt(0);
  return result;
}

/// Reads bounds from an input.
static FailureOr<Shape> readBounds(NodeContext &n, size_t input,
                                   StringRef name) {
  const FactTensor *fact = n.fact(input);
  if (!fact)
    return n.sizes(input, name);
  Shape bounds;
  for (const Fact &element : fact->elements) {
    std::optional<SymInt> bound = getBound(element);
    if (!bound)
      return n.fail(name + " are not integers");
    bounds.push_back(*bound);
  }
  return bounds;
}

/// A short slice of a vector with known elements is known as well.
static void sliceProgression(NodeContext &n, const SymInt &start,
                             const SymInt &size, const SymInt &step) {
  std::optional<Progression> whole = n.progression(0);
  if (!whole)
    return;
  Progression part{whole->at(start), whole->delta * step, size};
  n.getOutput(0).progression = std::make_shared<Progression>(part);
  std::optional<int64_t> count = size.getConstant();
  if (!count || *count > maxSliceFacts ||
      !n.type(0).getElementType().isInteger(64))
    return;
  FactTensor fact;
  fact.shape = {*count};
  for (int64_t i = 0; i < *count; ++i)
    fact.elements.push_back(Fact(simplify(part.at(SymInt(i)))));
  n.getOutput(0).fact = std::make_shared<FactTensor>(std::move(fact));
}

static LogicalResult convertSlice(NodeContext &n) {
  Value x = n.data(0);
  if (!x)
    return failure();
  bool asInputs = n.getOpset() >= 10;
  auto list = [&](StringRef name, size_t input) -> FailureOr<Shape> {
    if (asInputs)
      return readBounds(n, input, name);
    auto attr = n.intsAttr(name);
    if (!attr)
      return n.fail("attribute " + name + " is missing");
    Shape bounds;
    for (int64_t value : *attr)
      bounds.push_back(*getBound(Fact(value)));
    return bounds;
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
    AxisSlice part =
        sliceAxis((*starts)[i], (*ends)[i], steps[i], sizes[*axis]);
    begin[*axis] = part.start;
    sizes[*axis] = part.size;
    step[*axis] = SymInt(part.step);
  }
  if (sizes.size() == 1 && n.numOutputs()) {
    sliceProgression(n, begin[0], sizes[0], step[0]);
    if (n.getOutput(0).fact)
      return success(!n.hasFailed());
  }
  return n.finish(
      n.op<SliceOp>({x}, {n.dims("starts", begin), n.dims("sizes", sizes),
                          n.dims("steps", step)}));
}

/// Removes the elements that negative pads cut off, and sets these pads to 0.
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
  // A run-time value is selected where a padded tensor of true values is false.
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
