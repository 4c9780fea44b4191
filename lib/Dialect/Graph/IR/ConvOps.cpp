//===- ConvOps.cpp - convolutions and their adjoints ----------------------===//
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

static LogicalResult checkDivisible(OptionalLocation location,
                                    const SymInt &channels,
                                    const SymInt &groups, StringRef name) {
  SymInt rest = channels.mod(groups);
  if (std::optional<int64_t> number = rest.getConstant();
      number && *number != 0)
    return emitOptionalError(location, "expected ", name, " in ", groups.str(),
                             " equal groups, but got ", channels.str());
  requireEqual(location, rest, SymInt(0));
  return success();
}

//===----------------------------------------------------------------------===//
// conv
//===----------------------------------------------------------------------===//

template <typename ConvLike>
static FailureOr<SmallVector<Window, 0>>
getConvWindows(OptionalLocation location, ConvLike conv, const Shape &input,
               const Shape &weight, SpatialAxes axes) {
  return getWindows(location,
                    ArrayRef<SymInt>(input).slice(axes.first, axes.count),
                    ArrayRef<SymInt>(weight).drop_front(2), conv.getStrides(),
                    conv.getPads(), conv.getDilations(), /*ceilMode=*/false);
}

/// Checks the properties that conv and conv_transpose share; returns the input
/// and weight shapes.
template <typename AdaptorTy>
static FailureOr<std::pair<Shape, Shape>>
checkConvOperands(OptionalLocation location, AdaptorTy adaptor) {
  FailureOr<Shape> input =
      checkTensor(location, adaptor.getInput().getType(), "input");
  FailureOr<Shape> weight =
      checkTensor(location, adaptor.getWeight().getType(), "weight");
  if (failed(input) || failed(weight) ||
      failed(checkSameElement(location, adaptor.getInput().getType(),
                              adaptor.getWeight().getType(), "input",
                              "weight")) ||
      failed(checkSpatialRank(location, input->size())))
    return failure();
  if (weight->size() != input->size())
    return emitOptionalError(location, "expected a weight of rank ",
                             input->size(), ", but got rank ", weight->size());
  if (failed(checkParameters(location, adaptor.getGroups(), 1,
                             "number of groups")) ||
      failed(checkAtLeast(location, adaptor.getGroups(), 1, "groups")))
    return failure();
  return std::pair<Shape, Shape>(*input, *weight);
}

LogicalResult ConvOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  auto operands = checkConvOperands(location, adaptor);
  if (failed(operands))
    return failure();
  auto &[input, weight] = *operands;
  SpatialAxes axes = getSpatialAxes(input.size(), adaptor.getLayout());
  SymInt groups = adaptor.getGroups().getEntry(0);
  if (failed(checkEqual(location, weight[1] * groups, input[axes.channel],
                        "input channels (weight axis 1 times groups)")) ||
      failed(checkDivisible(location, weight[0], groups, "output channels")))
    return failure();
  FailureOr<SmallVector<Window, 0>> windows =
      getConvWindows(location, adaptor, input, weight, axes);
  if (failed(windows))
    return failure();
  Shape shape = input;
  shape[axes.channel] = weight[0];
  for (auto [number, window] : llvm::enumerate(*windows))
    shape[axes.first + number] = window.outputSize();
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getInput().getType())));
  return success();
}

SmallVector<IndexForm> ConvOp::getIndexForms() {
  Shape input = getShape(getInput()), weight = getShape(getWeight());
  Shape shape = getResultShape(*this);
  unsigned rank = shape.size();
  SpatialAxes axes = getSpatialAxes(rank, getLayout());
  SmallVector<Window, 0> windows =
      *getConvWindows(std::nullopt, *this, input, weight, axes);
  SymInt groups = getGroups().getEntry(0);

  // Reduction variables: the channel within the group, then the kernel.
  SmallVector<Expr> taps = getVars(1 + axes.count, rank);
  Expr output = Expr::var(axes.channel), channel = taps[0];
  if (groups.getConstant() != 1) {
    Expr group = Expr::floorDivIndex(
        output, Expr::size(shape[axes.channel].floorDiv(groups)));
    channel =
        Expr::addIndex(Expr::mulIndex(group, Expr::size(weight[1])), channel);
  }
  SmallVector<Expr> at(rank), weightAt = {output, taps[0]};
  SmallVector<Expr> extents = {Expr::size(weight[1])};
  at[0] = Expr::var(0);
  at[axes.channel] = channel;
  Expr guard = Expr::always();
  for (auto [number, window] : llvm::enumerate(windows)) {
    Expr tap = taps[1 + number];
    unsigned axis = axes.first + number;
    at[axis] = window.position(Expr::var(axis), tap);
    guard = Expr::logicalAnd(guard, window.isInside(at[axis]));
    weightAt.push_back(tap);
    extents.push_back(Expr::size(window.kernel));
  }
  Type element = getElementTypeOrSelf(getResult().getType());
  Type accumulation = getAccumulationType(element);
  Expr term =
      Expr::apply(ScalarFn::Mul,
                  {Expr::cast(loadOf(getInput(), 0, at), accumulation),
                   Expr::cast(loadOf(getWeight(), 1, weightAt), accumulation)});
  SmallVector<unsigned> bound;
  for (const Expr &tap : taps)
    bound.push_back(tap->var);
  Expr sum = Expr::reduce(ReduceKind::Sum, bound, extents, guard, term);
  return {{shape, element, Expr::cast(sum, element)}};
}

//===----------------------------------------------------------------------===//
// conv_transpose
//===----------------------------------------------------------------------===//

/// Types are also inferred for ops that do not exist yet, whose attributes have
/// no defaults.
static Layout getLayoutOrDefault(LayoutAttr layout) {
  return layout ? layout.getValue() : Layout::ChannelsFirst;
}

LogicalResult ConvTransposeOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &types) {
  auto operands = checkConvOperands(location, adaptor);
  if (failed(operands))
    return failure();
  auto &[input, weight] = *operands;
  SpatialAxes axes =
      getSpatialAxes(input.size(), getLayoutOrDefault(adaptor.getLayoutAttr()));
  size_t count = axes.count;
  SymInt groups = adaptor.getGroups().getEntry(0);
  if (failed(checkEqual(location, weight[0], input[axes.channel],
                        "input channels (weight axis 0)")) ||
      failed(checkDivisible(location, weight[0], groups, "input channels")) ||
      failed(
          checkParameters(location, adaptor.getStrides(), count, "strides")) ||
      failed(checkParameters(location, adaptor.getPads(), 2 * count, "pads")) ||
      failed(checkParameters(location, adaptor.getDilations(), count,
                             "dilations")) ||
      failed(checkParameters(location, adaptor.getOutputPadding(), count,
                             "output paddings")) ||
      failed(checkAtLeast(location, adaptor.getStrides(), 1, "strides")) ||
      failed(checkAtLeast(location, adaptor.getPads(), 0, "pads")) ||
      failed(checkAtLeast(location, adaptor.getDilations(), 1, "dilations")) ||
      failed(checkAtLeast(location, adaptor.getOutputPadding(), 0,
                          "output paddings")))
    return failure();
  Shape strides = adaptor.getStrides().getEntries();
  Shape pads = adaptor.getPads().getEntries();
  Shape dilations = adaptor.getDilations().getEntries();
  Shape outputPadding = adaptor.getOutputPadding().getEntries();
  Shape shape = input;
  shape[axes.channel] = weight[1] * groups;
  for (size_t axis = 0; axis < count; ++axis) {
    if (std::optional<int64_t> size = weight[2 + axis].getConstant();
        size && *size < 1)
      return emitOptionalError(location,
                               "expected a kernel size of at least 1 on "
                               "spatial axis ",
                               axis, ", but got ", *size);
    requireNotNegative(location, weight[2 + axis] - SymInt(1),
                       "expected a kernel size of at least 1 on spatial axis " +
                           Twine(axis) + ", but got " + weight[2 + axis].str());
    const SymInt &rows = input[axes.first + axis];
    SymInt size = strides[axis] * (rows - SymInt(1)) + outputPadding[axis] +
                  (weight[2 + axis] - SymInt(1)) * dilations[axis] + SymInt(1) -
                  pads[axis] - pads[axis + count];
    if (failed(
            checkFits(location, size,
                      {rows, weight[2 + axis], strides[axis], dilations[axis],
                       outputPadding[axis], pads[axis], pads[axis + count]},
                      "spatial axis " + Twine(axis))))
      return failure();
    if (std::optional<int64_t> constant = size.getConstant();
        constant && *constant < 0)
      return emitOptionalError(location, "pads on spatial axis ", axis,
                               ": expected a total of at most ",
                               (size + pads[axis] + pads[axis + count]).str(),
                               ", but got ",
                               (pads[axis] + pads[axis + count]).str());
    requireNotNegative(location, size,
                       "size of spatial axis " + Twine(axis) +
                           ": expected at least 0, but got " + size.str());
    shape[axes.first + axis] = size;
  }
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getInput().getType())));
  return success();
}

SmallVector<IndexForm> ConvTransposeOp::getIndexForms() {
  Shape input = getShape(getInput()), weight = getShape(getWeight());
  Shape shape = getResultShape(*this);
  unsigned rank = shape.size();
  SpatialAxes axes = getSpatialAxes(rank, getLayout());
  unsigned count = axes.count;
  SymInt groups = getGroups().getEntry(0);
  Shape strides = getStrides().getEntries();
  Shape pads = getPads().getEntries();
  Shape dilations = getDilations().getEntries();

  SymInt perGroup = weight[0].floorDiv(groups);
  SmallVector<Expr> taps = getVars(1 + count, rank);
  Expr channel = taps[0], output = Expr::var(axes.channel);
  if (groups.getConstant() != 1) {
    Expr size = Expr::size(weight[1]);
    Expr group = Expr::floorDivIndex(output, size);
    channel =
        Expr::addIndex(Expr::mulIndex(group, Expr::size(perGroup)), channel);
    output = Expr::modIndex(output, size);
  }
  SmallVector<Expr> at(rank);
  at[0] = Expr::var(0);
  at[axes.channel] = channel;
  SmallVector<Expr> weightAt = {channel, output};
  SmallVector<Expr> extents = {Expr::size(perGroup)};
  SmallVector<unsigned> bound = {rank};
  Expr guard = Expr::always();
  for (unsigned axis = 0; axis < count; ++axis) {
    Expr tap = taps[1 + axis], stride = Expr::size(strides[axis]);
    // The input index that this tap spreads to this output, times the stride.
    Expr reach = Expr::addIndex(
        Expr::addIndex(Expr::var(axes.first + axis),
                       Expr::mulIndex(tap, Expr::size(-dilations[axis]))),
        Expr::size(pads[axis]));
    Expr source = Expr::floorDivIndex(reach, stride);
    guard = Expr::logicalAnd(guard, Expr::lessEqual(Expr::index(0), reach));
    if (strides[axis].getConstant() != 1)
      guard = Expr::logicalAnd(
          guard, Expr::equal(Expr::modIndex(reach, stride), Expr::index(0)));
    guard = Expr::logicalAnd(
        guard, Expr::less(source, Expr::size(input[axes.first + axis])));
    at[axes.first + axis] = source;
    weightAt.push_back(tap);
    extents.push_back(Expr::size(weight[2 + axis]));
    bound.push_back(tap->var);
  }
  Type element = getElementTypeOrSelf(getResult().getType());
  Type accumulation = getAccumulationType(element);
  Expr term =
      Expr::apply(ScalarFn::Mul,
                  {Expr::cast(loadOf(getInput(), 0, at), accumulation),
                   Expr::cast(loadOf(getWeight(), 1, weightAt), accumulation)});
  Expr sum = Expr::reduce(ReduceKind::Sum, bound, extents, guard, term);
  return {{shape, element, Expr::cast(sum, element)}};
}

//===----------------------------------------------------------------------===//
// conv_backward_weight
//===----------------------------------------------------------------------===//

LogicalResult ConvBackwardWeightOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &types) {
  FailureOr<Shape> input =
      checkTensor(location, adaptor.getInput().getType(), "input");
  FailureOr<Shape> cotangent =
      checkTensor(location, adaptor.getCotangent().getType(), "cotangent");
  if (failed(input) || failed(cotangent) ||
      failed(checkSameElement(location, adaptor.getInput().getType(),
                              adaptor.getCotangent().getType(), "input",
                              "cotangent")) ||
      failed(checkSpatialRank(location, input->size())))
    return failure();
  if (cotangent->size() != input->size())
    return emitOptionalError(location, "expected a cotangent of rank ",
                             input->size(), ", but got rank ",
                             cotangent->size());
  SpatialAxes axes = getSpatialAxes(
      input->size(), getLayoutOrDefault(adaptor.getLayoutAttr()));
  size_t count = axes.count;
  if (failed(checkEqual(location, (*input)[0], (*cotangent)[0], "batch")) ||
      failed(checkParameters(location, adaptor.getGroups(), 1,
                             "number of groups")) ||
      failed(checkAtLeast(location, adaptor.getGroups(), 1, "groups")) ||
      failed(checkParameters(location, adaptor.getKernel(), count,
                             "kernel sizes")) ||
      failed(
          checkParameters(location, adaptor.getStrides(), count, "strides")) ||
      failed(checkParameters(location, adaptor.getPads(), count, "pads")) ||
      failed(checkParameters(location, adaptor.getDilations(), count,
                             "dilations")) ||
      failed(checkAtLeast(location, adaptor.getKernel(), 1, "kernel")) ||
      failed(checkAtLeast(location, adaptor.getStrides(), 1, "strides")) ||
      failed(checkAtLeast(location, adaptor.getPads(), 0, "pads")) ||
      failed(checkAtLeast(location, adaptor.getDilations(), 1, "dilations")))
    return failure();
  SymInt groups = adaptor.getGroups().getEntry(0);
  const SymInt &channels = (*input)[axes.channel];
  const SymInt &outputs = (*cotangent)[axes.channel];
  if (failed(checkDivisible(location, channels, groups, "input channels")) ||
      failed(checkDivisible(location, outputs, groups, "output channels")))
    return failure();
  Shape shape = {outputs, channels.floorDiv(groups)};
  llvm::append_range(shape, adaptor.getKernel().getEntries());
  types.push_back(
      getTensorType(shape, getElementTypeOrSelf(adaptor.getInput().getType())));
  return success();
}

SmallVector<IndexForm> ConvBackwardWeightOp::getIndexForms() {
  Shape input = getShape(getInput()), cotangent = getShape(getCotangent());
  Shape shape = getResultShape(*this);
  unsigned rank = shape.size();
  SpatialAxes axes = getSpatialAxes(rank, getLayout());
  SymInt groups = getGroups().getEntry(0);

  // Reduction variables: the item of the batch, then the position.
  SmallVector<Expr> positions = getVars(1 + axes.count, rank);
  Expr output = Expr::var(0), channel = Expr::var(1);
  if (groups.getConstant() != 1) {
    Expr group =
        Expr::floorDivIndex(output, Expr::size(shape[0].floorDiv(groups)));
    channel =
        Expr::addIndex(Expr::mulIndex(group, Expr::size(shape[1])), channel);
  }
  SmallVector<Expr> at(rank), cotangentAt(rank);
  at[0] = cotangentAt[0] = positions[0];
  at[axes.channel] = channel;
  cotangentAt[axes.channel] = output;
  SmallVector<Expr> extents = {Expr::size(input[0])};
  Expr guard = Expr::always();
  for (unsigned number = 0; number < axes.count; ++number) {
    unsigned axis = axes.first + number;
    SymInt low = getPads().getEntry(number);
    SymInt stride = getStrides().getEntry(number);
    SymInt dilation = getDilations().getEntry(number);
    // What is missing at the end is padding as well.
    SymInt last = (cotangent[axis] - SymInt(1)) * stride +
                  (shape[2 + number] - SymInt(1)) * dilation + SymInt(1);
    Window window{input[axis], shape[2 + number],       stride, dilation,
                  low,         last - input[axis] - low};
    Expr position = positions[1 + number];
    at[axis] = window.position(position, Expr::var(2 + number));
    guard = Expr::logicalAnd(guard, window.isInside(at[axis]));
    cotangentAt[axis] = position;
    extents.push_back(Expr::size(cotangent[axis]));
  }
  Type element = getElementTypeOrSelf(getResult().getType());
  Type accumulation = getAccumulationType(element);
  Expr term = Expr::apply(
      ScalarFn::Mul,
      {Expr::cast(loadOf(getInput(), 0, at), accumulation),
       Expr::cast(loadOf(getCotangent(), 1, cotangentAt), accumulation)});
  SmallVector<unsigned> bound;
  for (const Expr &position : positions)
    bound.push_back(position->var);
  Expr sum = Expr::reduce(ReduceKind::Sum, bound, extents, guard, term);
  return {{shape, element, Expr::cast(sum, element)}};
}
