//===- Difference.h - how one tensor differs from another ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COMPARE_DIFFERENCE_H
#define TENON_COMPARE_DIFFERENCE_H

#include "tenon/Artifact/TensorData.h"
#include "tenon/Interpret/Tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::compare {

struct Difference {
  int64_t elements = 0;
  /// The number of elements whose error exceeds the bound, including
  /// `specials`.
  int64_t beyond = 0;
  /// The number of elements of which one is a NaN or an infinity, and the other
  /// is not the same.
  int64_t specials = 0;
  /// The number of elements that were not judged, because rounding decides
  /// between two values that are far apart.
  int64_t undecided = 0;
  /// The first element that exceeds the bound; -1: none.
  int64_t first = -1;
  double firstGot = 0, firstExpected = 0;
  /// The element with the largest error; -1: there are no elements.
  int64_t worst = -1;
  double worstGot = 0, worstExpected = 0;
  /// Over finite elements: the largest error, the largest error relative to the
  /// element's own expected value, and the largest expected value.
  double maxError = 0, maxRelative = 0, largest = 0;
  /// The bound of most elements. Fillers, such as those of a mask, are many
  /// times as large; they have a separate bound, and do not count for
  /// `largest`.
  double bound = 0;
  /// The largest ratio of an error to the element's bound.
  double overBound = 0;

  bool agrees() const { return beyond == 0; }
  /// Returns the largest error relative to the largest expected value.
  double getRelative() const;
  /// Returns the largest ratio of error to bound; infinite if NaN or infinities
  /// differ.
  double getOverBound() const;
};

/// The allowed error: absolute + relative * (largest expected value).
struct Allowance {
  double relative = 0, absolute = 0;
};

/// Compares tensors of the same kind and number of elements. Integers must be
/// equal; otherwise they exceed the bound.
Difference compareTensors(const interpret::Tensor &got,
                          const interpret::Tensor &expected,
                          const Allowance &allowance);

/// Compares with `expected`, which was computed in doubles. `rounded` is the
/// same computation with every operation rounded to the element type; it shows
/// how much rounding matters. The bound is `factor` times the largest deviation
/// of the two, plus some units of the type with `unit` roundoff.
Difference compareRounded(const interpret::Tensor &got,
                          const interpret::Tensor &expected,
                          const interpret::Tensor &rounded, double factor,
                          double unit);

/// Returns 2^-24 for f32, and so on; 0 for integers.
double getUnitRoundoff(artifact::DType dtype);

/// Returns the elements of `data` as a tensor of `elementType` and `shape`,
/// which have the same number of elements. Axis i of `data` is axis `axes[i]`
/// of `shape`; if there are no axes, elements keep their order. Fails if memory
/// is exhausted.
mlir::FailureOr<interpret::Tensor> arrange(const artifact::TensorData &data,
                                           mlir::Type elementType,
                                           llvm::ArrayRef<int64_t> shape,
                                           llvm::ArrayRef<unsigned> axes);

/// Returns the orders of the axes of `shape` in which a value of `stored` shape
/// may be stored in memory, the most likely ones first, at most 8. An empty
/// order means that elements keep their order.
std::vector<std::vector<unsigned>> listLayouts(llvm::ArrayRef<int64_t> stored,
                                               llvm::ArrayRef<int64_t> shape);

/// Formats an element's number as "[0, 3]"; "[]" for rank 0.
std::string formatIndex(int64_t element, llvm::ArrayRef<int64_t> shape);

} // namespace tenon::compare

#endif // TENON_COMPARE_DIFFERENCE_H
