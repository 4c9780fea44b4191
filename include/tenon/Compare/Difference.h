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
  /// Elements whose error is beyond the bound, with those of `specials`.
  int64_t beyond = 0;
  /// Elements of which one is a NaN or an infinity, and the other is not the
  /// same.
  int64_t specials = 0;
  /// Elements that were not judged: rounding decides between two values that
  /// are far from each other.
  int64_t undecided = 0;
  /// The first element beyond the bound; -1: none.
  int64_t first = -1;
  double firstGot = 0, firstExpected = 0;
  /// The element of the largest error; -1: there are no elements.
  int64_t worst = -1;
  double worstGot = 0, worstExpected = 0;
  /// Of finite elements: the largest error, the largest error relative to the
  /// element's own expected value, and the largest expected value.
  double maxError = 0, maxRelative = 0, largest = 0;
  /// Of most elements: fillers that are many times as large, such as those of a
  /// mask, have a bound of their own, and do not count for `largest`.
  double bound = 0;
  /// The largest error over the element's bound.
  double overBound = 0;

  bool agrees() const { return beyond == 0; }
  /// The largest error relative to the largest expected value.
  double getRelative() const;
  /// The largest error over the bound; infinite if NaN or infinities differ.
  double getOverBound() const;
};

/// What an error may be: absolute + relative * (largest expected value).
struct Allowance {
  double relative = 0, absolute = 0;
};

/// Compares tensors of one kind and number of elements. Integers have no
/// error; they are equal or beyond the bound.
Difference compareTensors(const interpret::Tensor &got,
                          const interpret::Tensor &expected,
                          const Allowance &allowance);

/// Compares with `expected`, computed in doubles, and takes from `rounded`, the
/// same with every operation rounded to the type of the elements, how much
/// rounding matters: the bound is `factor` times the largest deviation of the
/// two, and some units of the type with `unit` roundoff.
Difference compareRounded(const interpret::Tensor &got,
                          const interpret::Tensor &expected,
                          const interpret::Tensor &rounded, double factor,
                          double unit);

/// 2^-24 for f32, and so on; 0 for integers.
double getUnitRoundoff(artifact::DType dtype);

/// The elements of `data` as a tensor of `elementType` and `shape`, which have
/// the same number of elements; its axis i is axis `axes[i]` of `shape`. No
/// axes: elements stay in their order. Failure if memory is short.
mlir::FailureOr<interpret::Tensor> arrange(const artifact::TensorData &data,
                                           mlir::Type elementType,
                                           llvm::ArrayRef<int64_t> shape,
                                           llvm::ArrayRef<unsigned> axes);

/// The orders of the axes of `shape` in which a value of `stored` shape may lie
/// in memory, the most likely ones first, at most 8. An empty one is the order
/// as it is.
std::vector<std::vector<unsigned>> listLayouts(llvm::ArrayRef<int64_t> stored,
                                               llvm::ArrayRef<int64_t> shape);

/// "[0, 3]" for an element's number; "[]" for rank 0.
std::string formatIndex(int64_t element, llvm::ArrayRef<int64_t> shape);

} // namespace tenon::compare

#endif // TENON_COMPARE_DIFFERENCE_H
