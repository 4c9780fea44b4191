//===- Windows.cpp - windows that slide over spatial axes -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace mlir;
using namespace tenon::graph;

SymInt Window::outputSize() const {
  SymInt span = input + low + high - extent();
  if (!overhangs)
    return span.floorDiv(stride) + SymInt(1);
  // The last window starts before the end of the input.
  return SymInt::min(span.ceilDiv(stride) + SymInt(1),
                     (input + low).ceilDiv(stride));
}

Expr Window::position(Expr output, Expr tap) const {
  Expr start = Expr::mulIndex(output, Expr::size(stride));
  Expr offset = Expr::mulIndex(tap, Expr::size(dilation));
  return Expr::addIndex(Expr::addIndex(start, offset), Expr::size(-low));
}

Expr Window::isInside(Expr position) const {
  Expr inside = Expr::always();
  if (low.getConstant() != 0)
    inside = Expr::lessEqual(Expr::index(0), position);
  if (high.getConstant() != 0 || overhangs)
    inside = Expr::logicalAnd(inside, Expr::less(position, Expr::size(input)));
  return inside;
}

SpatialAxes tenon::graph::getSpatialAxes(unsigned rank, Layout layout) {
  if (layout == Layout::ChannelsLast)
    return {rank - 1, 1, rank - 2};
  return {1, 2, rank - 2};
}

LogicalResult tenon::graph::checkSpatialRank(OptionalLocation location,
                                             size_t rank) {
  if (rank >= 3 && rank <= 5)
    return success();
  return emitOptionalError(location,
                           "expected an input of rank 3 to 5 (1 to 3 spatial "
                           "axes), but got rank ",
                           rank);
}

FailureOr<SmallVector<Window, 0>>
tenon::graph::getWindows(OptionalLocation location, ArrayRef<SymInt> input,
                         ArrayRef<SymInt> kernel, DimsAttr strides,
                         DimsAttr pads, DimsAttr dilations, bool ceilMode) {
  size_t count = input.size();
  if (kernel.size() != count)
    return emitOptionalError(location, "expected ", count,
                             " kernel sizes, but got ", kernel.size());
  if (failed(checkParameters(location, strides, count, "strides")) ||
      failed(checkParameters(location, pads, 2 * count, "pads")) ||
      failed(checkParameters(location, dilations, count, "dilations")) ||
      failed(checkAtLeast(location, strides, 1, "strides")) ||
      failed(checkAtLeast(location, pads, 0, "pads")) ||
      failed(checkAtLeast(location, dilations, 1, "dilations")))
    return failure();
  Shape strideEntries = strides.getEntries(), padEntries = pads.getEntries(),
        dilationEntries = dilations.getEntries();
  SmallVector<Window, 0> windows;
  for (size_t axis = 0; axis < count; ++axis) {
    Window window{input[axis],
                  kernel[axis],
                  strideEntries[axis],
                  dilationEntries[axis],
                  padEntries[axis],
                  padEntries[axis + count],
                  ceilMode};
    if (std::optional<int64_t> size = window.kernel.getConstant();
        size && *size < 1)
      return emitOptionalError(location,
                               "expected a kernel size of at least 1 on "
                               "spatial axis ",
                               axis, ", but got ", *size);
    requireNotNegative(location, window.kernel - SymInt(1),
                       "expected a kernel size of at least 1 on spatial axis " +
                           Twine(axis) + ", but got " + window.kernel.str());
    SymInt padded = window.input + window.low + window.high;
    if (failed(checkFits(location, padded - window.extent(),
                         {window.input, window.kernel, window.dilation,
                          window.low, window.high},
                         "spatial axis " + Twine(axis))))
      return failure();
    if (std::optional<int64_t> room = (padded - window.extent()).getConstant();
        room && *room < 0)
      return emitOptionalError(location, "kernel on spatial axis ", axis,
                               ": expected at most ", padded.str(),
                               " elements, the padded input, but got ",
                               window.extent().str());
    requireNotNegative(location, padded - window.extent(),
                       "kernel on spatial axis " + Twine(axis) +
                           ": expected at most " + padded.str() +
                           " elements, the padded input, but got " +
                           window.extent().str());
    windows.push_back(window);
  }
  return windows;
}
