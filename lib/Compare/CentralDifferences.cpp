//===- CentralDifferences.cpp - gradients against differences -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/CentralDifferences.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::compare;
using interpret::Tensor;

/// The sum of the products of corresponding elements.
static double dot(const Tensor &a, const Tensor &b) {
  double sum = 0;
  for (int64_t i = 0; i < a.getNumElements(); ++i)
    if (double factor = b.data()[i].number; factor != 0)
      sum += a.data()[i].number * factor;
  return sum;
}

namespace {
class Differences {
public:
  Differences(TensorFunction function, ArrayRef<Tensor> inputs,
              ArrayRef<Tensor> cotangents)
      : function(function), inputs(inputs), cotangents(cotangents) {}

  /// (L(x + h d) - L(x - h d)) / 2h, where d changes one input. Results are
  /// subtracted before they are summed: a huge one that does not depend on the
  /// input would hide what the others change by.
  FailureOr<double> along(unsigned input, const Tensor &direction, double h) {
    FailureOr<SmallVector<Tensor>> above = at(input, direction, h);
    FailureOr<SmallVector<Tensor>> below = at(input, direction, -h);
    if (failed(above) || failed(below))
      return failure();
    double sum = 0;
    for (auto [high, low, cotangent] : llvm::zip(*above, *below, cotangents)) {
      if (!isa<FloatType>(high.getElementType()))
        continue;
      for (int64_t i = 0; i < high.getNumElements(); ++i)
        if (double factor = cotangent.data()[i].number; factor != 0)
          sum += (high.data()[i].number - low.data()[i].number) * factor;
    }
    return sum / (2 * h);
  }

private:
  FailureOr<SmallVector<Tensor>> at(unsigned input, const Tensor &direction,
                                    double h) {
    SmallVector<Tensor> moved = llvm::to_vector(inputs);
    FailureOr<Tensor> tensor =
        Tensor::allocate(direction.getElementType(), direction.getShape());
    if (failed(tensor))
      return failure();
    for (int64_t i = 0; i < direction.getNumElements(); ++i)
      tensor->data()[i].number =
          inputs[input].data()[i].number + h * direction.data()[i].number;
    moved[input] = *tensor;
    return function(moved);
  }

  TensorFunction function;
  ArrayRef<Tensor> inputs, cotangents;
};
} // namespace

FailureOr<GradientCheck>
compare::checkGradient(TensorFunction function, ArrayRef<Tensor> inputs,
                       ArrayRef<Tensor> cotangents, ArrayRef<Tensor> gradients,
                       ArrayRef<bool> isChecked, uint64_t seed,
                       double tolerance) {
  GradientCheck check;
  Differences differences(function, inputs, cotangents);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> numbers(-1, 1);
  double scale = 1;
  for (const Tensor &gradient : gradients)
    if (gradient)
      for (int64_t i = 0; i < gradient.getNumElements(); ++i) {
        double size = std::fabs(gradient.data()[i].number);
        check.isFinite &= std::isfinite(size);
        scale = std::max(scale, size);
      }
  constexpr unsigned kDirections = 3;
  for (auto [number, input] : llvm::enumerate(inputs)) {
    if (!isChecked[number] || !isa<FloatType>(input.getElementType()) ||
        input.getNumElements() == 0)
      continue;
    for (unsigned repeat = 0; repeat < kDirections; ++repeat) {
      FailureOr<Tensor> direction =
          Tensor::allocate(input.getElementType(), input.getShape());
      if (failed(direction))
        return failure();
      // First all elements, then a few, so that errors cannot cancel.
      double share = repeat == 0 ? 1 : 0.3;
      for (int64_t i = 0; i < input.getNumElements(); ++i)
        if (std::uniform_real_distribution<double>(0, 1)(random) < share)
          direction->data()[i].number = numbers(random);
      FailureOr<double> wide = differences.along(number, *direction, 2e-5);
      FailureOr<double> narrow = differences.along(number, *direction, 1e-5);
      // Far below, to see the jumps of a remainder by a small number.
      FailureOr<double> close = differences.along(number, *direction, 3e-7);
      if (failed(wide) || failed(narrow) || failed(close))
        return failure();
      double bound = tolerance * scale;
      if (!(std::fabs(*wide - *narrow) < bound &&
            std::fabs(*close - *narrow) < 10 * bound)) {
        ++check.skipped;
        continue;
      }
      ++check.compared;
      const Tensor &gradient = gradients[number];
      double got = gradient ? dot(gradient, *direction) : 0;
      double error = std::fabs(got - *narrow) / scale;
      if (!(error <= check.error))
        check.error = error;
      if (!(error <= tolerance) && check.message.empty())
        check.message =
            llvm::formatv("input {0}: the gradient gives {1:e9} along a "
                          "direction, differences "
                          "give {2:e9} (largest element of a gradient {3})",
                          number, got, *narrow, scale);
    }
  }
  return check;
}
