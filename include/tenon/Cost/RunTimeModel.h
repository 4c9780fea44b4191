//===- RunTimeModel.h - predicting runs of models from kernel costs -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time to run a whole model differs from the sum of the times of its
// kernels. Kernel times come from traced runs, and the time of a model comes
// from untraced runs. The two differ in cache contents, clock frequency and the
// gaps between kernels. `learn` fits the two constants of
//
//   seconds of a run = factor * sum of kernel seconds
//                      + seconds per kernel * number of kernels
//
// to the measured runs (CostDatabase::getModelRuns), by least squares of the
// relative errors. Collage (PACT'22, section 5.1) sets the constant per kernel
// to 0.01 ms by hand.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_RUNTIMEMODEL_H
#define TENON_COST_RUNTIMEMODEL_H

#include "tenon/Cost/CostDatabase.h"

namespace tenon::cost {

/// Predicts the time to run a placed model from the times of its kernels.
class RunTimeModel {
public:
  /// Fits the runs of all graphs except the one with the hash `withoutGraph`,
  /// or of all graphs if it is empty. Only the factor is fitted, and the
  /// seconds per kernel are 0, if there are fewer than four runs, if they do
  /// not determine both constants, or if fitting both gives a factor <= 0 or
  /// seconds per kernel < 0. Without runs, the factor is 1 and the prediction
  /// is the sum.
  static RunTimeModel learn(const CostDatabase &database,
                            llvm::StringRef withoutGraph = "");

  /// The predicted time, in seconds, of a run with `numKernels` kernels whose
  /// times add up to `sum` seconds.
  double predict(double sum, unsigned numKernels) const {
    return factor * sum + perKernel * numKernels;
  }
  double getFactor() const { return factor; }
  double getSecondsPerKernel() const { return perKernel; }
  /// The number of runs that were fitted.
  unsigned getNumRuns() const { return numRuns; }

private:
  double factor = 1, perKernel = 0;
  unsigned numRuns = 0;
};

} // namespace tenon::cost

#endif // TENON_COST_RUNTIMEMODEL_H
