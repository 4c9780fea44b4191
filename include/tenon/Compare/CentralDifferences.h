//===- CentralDifferences.h - gradients against differences ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks a gradient by (L(x + h d) - L(x - h d)) / 2h along random directions
// d, where L is the product of the results of a function with given cotangents.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COMPARE_CENTRALDIFFERENCES_H
#define TENON_COMPARE_CENTRALDIFFERENCES_H

#include "tenon/Interpret/Tensor.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace tenon::compare {

/// Computes the results of a function at some inputs, in the domain f64.
using TensorFunction =
    llvm::function_ref<mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>(
        llvm::ArrayRef<interpret::Tensor> inputs)>;

struct GradientCheck {
  /// Directions that were compared, and those that were not, because
  /// differences at several step sizes disagree: the function has a kink or a
  /// jump between the points, or they are too inexact.
  unsigned compared = 0, skipped = 0;
  /// Whether all elements of the gradients are finite.
  bool isFinite = true;
  /// The largest error relative to max(1, the largest element of a gradient).
  double error = 0;
  /// Says where an error beyond the tolerance is; empty if there is none.
  std::string message;
};

/// Compares `gradients`, one tensor per input or none where the gradient is
/// taken to be 0, at `inputs`. `cotangents` holds one tensor per result; those
/// of integer results are not used. Only floating-point inputs are varied. The
/// gradient of input k is not checked if `isChecked[k]` is false. Fails if the
/// function fails.
mlir::FailureOr<GradientCheck>
checkGradient(TensorFunction function, llvm::ArrayRef<interpret::Tensor> inputs,
              llvm::ArrayRef<interpret::Tensor> cotangents,
              llvm::ArrayRef<interpret::Tensor> gradients,
              llvm::ArrayRef<bool> isChecked, uint64_t seed,
              double tolerance = 1e-6);

} // namespace tenon::compare

#endif // TENON_COMPARE_CENTRALDIFFERENCES_H
