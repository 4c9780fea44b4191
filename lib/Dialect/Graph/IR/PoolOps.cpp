//===- PoolOps.cpp - pooling ----------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"
#include "Windows.h"

using namespace mlir;
using namespace tenon::graph;

//===----------------------------------------------------------------------===//
// Type inference
//===----------------------------------------------------------------------===//

template <typename PoolLike>
static FailureOr<SmallVector<Window, 0>>
getPoolWindows(OptionalLocation location, PoolLike pool, const Shape &input) {
  SpatialAxes axes = getSpatialAxes(input.size(), pool.getLayout());
  if (failed(checkParameters(location, pool.getKernel(), axes.count,
                             "kernel sizes")))
    return failure();
  return getWindows(location,
                    ArrayRef<SymInt>(input).slice(axes.first, axes.count),
                    pool.getKernel().getEntries(), pool.getStrides(),
                    pool.getPads(), pool.getDilations(), pool.getCeilMode());
}

/// Infers the result, with the element type `element` or else the input's.
template <typename AdaptorTy>
static LogicalResult inferPool(OptionalLocation location, AdaptorTy adaptor,
                               SmallVectorImpl<Type> &types,
                               Type element = {}) {
  FailureOr<Shape> input =
      checkTensor(location, adaptor.getInput().getType(), "input");
  if (failed(input) || failed(checkSpatialRank(location, input->size())))
    return failure();
  FailureOr<SmallVector<Window, 0>> windows =
      getPoolWindows(location, adaptor, *input);
  if (failed(windows))
    return failure();
  SpatialAxes axes = getSpatialAxes(input->size(), adaptor.getLayout());
  for (auto [number, window] : llvm::enumerate(*windows)) {
    // Otherwise a window could consist only of padding.
    for (const SymInt &pad : {window.low, window.high}) {
      requireNotNegative(location, window.extent() - SymInt(1) - pad,
                         "pads on spatial axis " + Twine(number) +
                             ": expected less than " + window.extent().str() +
                             ", the kernel, but got " + pad.str());
      if (std::optional<int64_t> excess = (pad - window.extent()).getConstant();
          excess && *excess >= 0)
        return emitOptionalError(location, "pads on spatial axis ", number,
                                 ": expected less than ", window.extent().str(),
                                 ", the kernel, but got ", pad.str());
    }
    (*input)[axes.first + number] = window.outputSize();
  }
  if (!element)
    element = getElementTypeOrSelf(adaptor.getInput().getType());
  types.push_back(getTensorType(*input, element));
  return success();
}

LogicalResult MaxPoolOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  return inferPool(location, adaptor, types);
}

LogicalResult ArgmaxPoolOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location> location,
                                             Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  return inferPool(location, adaptor, types, IntegerType::get(context, 64));
}

LogicalResult AvgPoolOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> location,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  return inferPool(location, adaptor, types);
}

LogicalResult LpPoolOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (int64_t p = adaptor.getP(); p < 1)
    return emitOptionalError(location, "expected p of at least 1, but got ", p);
  return inferPool(location, adaptor, types);
}

//===----------------------------------------------------------------------===//
// Index forms
//===----------------------------------------------------------------------===//

namespace {
/// A window as a box of reduction variables.
struct PoolBox {
  Shape input, shape;
  SpatialAxes axes;
  SmallVector<Window, 0> windows;
  SmallVector<unsigned> bound;
  SmallVector<Expr> extents;
  SmallVector<Expr> at; // The input index of an element.
  Expr guard = Expr::always();
};
} // namespace

/// Returns the box of the op's window, with bound variables from `first` on.
template <typename PoolOpTy>
static PoolBox getBox(PoolOpTy op, unsigned first) {
  PoolBox box;
  box.input = getShape(op.getInput());
  box.shape = getResultShape(op);
  box.axes = getSpatialAxes(box.input.size(), op.getLayout());
  box.windows = *getPoolWindows(std::nullopt, op, box.input);
  box.at = getVars(box.input.size());
  for (auto [number, window] : llvm::enumerate(box.windows)) {
    unsigned axis = box.axes.first + number;
    box.bound.push_back(first + number);
    box.extents.push_back(Expr::size(window.kernel));
    box.at[axis] = window.position(Expr::var(axis), Expr::var(first + number));
    box.guard = Expr::logicalAnd(box.guard, window.isInside(box.at[axis]));
  }
  return box;
}

template <typename PoolOpTy>
static Expr reduceMax(PoolOpTy op, unsigned first) {
  PoolBox box = getBox(op, first);
  return Expr::reduce(ReduceKind::Max, box.bound, box.extents, box.guard,
                      loadOf(op.getInput(), 0, box.at));
}

SmallVector<IndexForm> MaxPoolOp::getIndexForms() {
  Shape shape = getResultShape(*this);
  Expr body = reduceMax(*this, shape.size());
  return {{shape, body->type, body}};
}

SmallVector<IndexForm> ArgmaxPoolOp::getIndexForms() {
  unsigned rank = getInput().getType().getRank();
  PoolBox box = getBox(*this, rank);
  Expr max = reduceMax(*this, rank + box.axes.count);
  Expr element = loadOf(getInput(), 0, box.at);
  // The maximum of a window with a NaN is NaN, which equals no element.
  Expr wins = Expr::fromBool(Expr::apply(ScalarFn::Equal, {element, max}));
  if (isFloat(element->type))
    wins = Expr::logicalOr(
        wins, Expr::fromBool(Expr::apply(ScalarFn::IsNan, {element})));
  Type i64 = IntegerType::get(getContext(), 64);
  Expr position =
      Expr::reduce(ReduceKind::Min, box.bound, box.extents,
                   Expr::logicalAnd(box.guard, wins),
                   Expr::fromIndex(linearize(box.at, box.input), i64));
  if (!getColumnMajor())
    return {{box.shape, i64, position}};
  // Number the same element with the spatial axes in reverse order.
  SmallVector<Expr> at = delinearize(Expr::fromElement(position), box.input);
  Shape sizes = box.input;
  std::reverse(at.begin() + box.axes.first,
               at.begin() + box.axes.first + box.axes.count);
  std::reverse(sizes.begin() + box.axes.first,
               sizes.begin() + box.axes.first + box.axes.count);
  return {{box.shape, i64, Expr::fromIndex(linearize(at, sizes), i64)}};
}

/// The number of elements of a window that its mean includes.
static Expr countElements(const PoolBox &box, bool includePad) {
  Expr count = Expr::index(1);
  for (size_t number = 0; number < box.windows.size(); ++number) {
    const Window &window = box.windows[number];
    Expr kernel = Expr::size(window.kernel);
    Expr start = Expr::mulIndex(Expr::var(box.axes.first + number),
                                Expr::size(window.stride));
    // The number of taps before `bound`, a position relative to the start of
    // the padding.
    auto tapsBefore = [&](const SymInt &bound) {
      Expr distance = Expr::subIndex(Expr::size(bound), start);
      Expr rounded =
          Expr::addIndex(distance, Expr::size(window.dilation - SymInt(1)));
      return Expr::floorDivIndex(rounded, Expr::size(window.dilation));
    };
    bool countsLow = !includePad && window.low.getConstant() != 0;
    bool countsHigh =
        window.overhangs || (!includePad && window.high.getConstant() != 0);
    SymInt end = window.low + window.input;
    if (includePad)
      end = end + window.high;
    Expr last = countsHigh ? Expr::minIndex(kernel, tapsBefore(end)) : kernel;
    if (countsLow)
      last = Expr::subIndex(
          last, Expr::maxIndex(Expr::index(0), tapsBefore(window.low)));
    count = Expr::mulIndex(count, last);
  }
  return count;
}

SmallVector<IndexForm> AvgPoolOp::getIndexForms() {
  PoolBox box = getBox(*this, getInput().getType().getRank());
  Type element = getInput().getType().getElementType();
  Type accumulation = getAccumulationType(element);
  Expr sum =
      Expr::reduce(ReduceKind::Sum, box.bound, box.extents, box.guard,
                   Expr::cast(loadOf(getInput(), 0, box.at), accumulation));
  Expr count =
      Expr::fromIndex(countElements(box, getCountIncludePad()), accumulation);
  Expr mean = Expr::apply(ScalarFn::Div, {sum, count});
  return {{box.shape, element, Expr::cast(mean, element)}};
}

SmallVector<IndexForm> LpPoolOp::getIndexForms() {
  PoolBox box = getBox(*this, getInput().getType().getRank());
  Type element = getInput().getType().getElementType();
  Type accumulation = getAccumulationType(element);
  double p = getP();
  Expr x = Expr::cast(loadOf(getInput(), 0, box.at), accumulation);
  Expr term = p == 2 ? Expr::apply(ScalarFn::Mul, {x, x})
                     : Expr::apply(ScalarFn::Abs, {x});
  if (p > 2)
    term = Expr::apply(ScalarFn::Pow, {term, Expr::constant(p, accumulation)});
  Expr norm =
      Expr::reduce(ReduceKind::Sum, box.bound, box.extents, box.guard, term);
  if (p == 2)
    norm = Expr::apply(ScalarFn::Sqrt, {norm});
  else if (p > 2)
    norm =
        Expr::apply(ScalarFn::Pow, {norm, Expr::constant(1 / p, accumulation)});
  return {{box.shape, element, Expr::cast(norm, element)}};
}

//===----------------------------------------------------------------------===//
// lrn
//===----------------------------------------------------------------------===//

LogicalResult LrnOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  FailureOr<Shape> input =
      checkTensor(location, adaptor.getInput().getType(), "input");
  if (failed(input))
    return failure();
  if (input->size() < 2)
    return emitOptionalError(location,
                             "expected an input of rank 2 or more, but got "
                             "rank ",
                             input->size());
  if (int64_t size = adaptor.getSize(); size < 1)
    return emitOptionalError(location, "expected size of at least 1, but got ",
                             size);
  types.push_back(adaptor.getInput().getType());
  return success();
}

SmallVector<IndexForm> LrnOp::getIndexForms() {
  Shape shape = getResultShape(*this);
  unsigned rank = shape.size();
  Type element = getInput().getType().getElementType();
  Type accumulation = getAccumulationType(element);
  int64_t size = getSize();

  SmallVector<Expr> at = getVars(rank);
  Expr x = Expr::cast(loadOf(getInput(), 0, at), accumulation);
  Expr channel = Expr::addIndex(Expr::addIndex(at[1], Expr::var(rank)),
                                Expr::index(-((size - 1) / 2)));
  at[1] = channel;
  Expr neighbour = Expr::cast(loadOf(getInput(), 0, at), accumulation);
  Expr inside = Expr::logicalAnd(Expr::lessEqual(Expr::index(0), channel),
                                 Expr::less(channel, Expr::size(shape[1])));
  Expr squares =
      Expr::reduce(ReduceKind::Sum, {rank}, {Expr::index(size)}, inside,
                   Expr::apply(ScalarFn::Mul, {neighbour, neighbour}));
  auto number = [&](const APFloat &value) {
    return Expr::constant(value.convertToDouble(), accumulation);
  };
  double alpha = getAlpha().convertToDouble();
  Expr scaled = Expr::apply(
      ScalarFn::Mul, {Expr::constant(alpha / size, accumulation), squares});
  Expr base = Expr::apply(ScalarFn::Add, {number(getBias()), scaled});
  Expr norm = Expr::apply(ScalarFn::Pow, {base, number(getBeta())});
  Expr result = Expr::apply(ScalarFn::Div, {x, norm});
  return {{shape, element, Expr::cast(result, element)}};
}
