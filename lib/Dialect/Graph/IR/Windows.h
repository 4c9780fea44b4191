//===- Windows.h - windows that slide over spatial axes -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_WINDOWS_H
#define TENON_DIALECT_GRAPH_IR_WINDOWS_H

#include "InferenceChecks.h"

namespace tenon::graph {

/// How windows slide over one spatial axis; all values are in elements.
struct Window {
  SymInt input, kernel, stride, dilation, low, high;
  /// Windows may hang over the end of the padded input (ceil_mode).
  bool overhangs = false;

  /// Size of the axis in the result.
  SymInt outputSize() const;
  /// Distance from a window's first element to the one after its last.
  SymInt extent() const { return (kernel - SymInt(1)) * dilation + SymInt(1); }
  /// The input position of element `tap` of window `output`; positions that are
  /// negative or too large are padding.
  Expr position(Expr output, Expr tap) const;
  /// The condition that a position is not padding; True if no window reaches
  /// padding.
  Expr isInside(Expr position) const;
};

/// The axes of an input and of a result.
struct SpatialAxes {
  unsigned channel, first, count;
};
SpatialAxes getSpatialAxes(unsigned rank, Layout layout);

/// Checks counts and ranges of the parameters and, if decidable, that the
/// kernel fits the padded input.
mlir::FailureOr<llvm::SmallVector<Window, 0>>
getWindows(OptionalLocation location, llvm::ArrayRef<SymInt> input,
           llvm::ArrayRef<SymInt> kernel, DimsAttr strides, DimsAttr pads,
           DimsAttr dilations, bool ceilMode);

/// Checks that an input has one batch, one channel and 1 to 3 spatial axes.
mlir::LogicalResult checkSpatialRank(OptionalLocation location, size_t rank);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_WINDOWS_H
