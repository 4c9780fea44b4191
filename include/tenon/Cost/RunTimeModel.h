//===- RunTimeModel.h - predicting runs of models from kernel costs -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of a run is not exactly the sum of its kernels: caches, clocks and
// the time between kernels differ between traced and untraced runs, and between
// models. The error is measured (CostDatabase::getModelRuns) and learned as
//
//   run = factor * sum of kernels + seconds per kernel * kernels
//
// by least squares of relative errors. (Collage's C = 0.01 ms per pattern is
// such a constant, chosen by hand: PACT'22, section 5.1.)
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_RUNTIMEMODEL_H
#define TENON_COST_RUNTIMEMODEL_H

#include "tenon/Cost/CostDatabase.h"

namespace tenon::cost {

class RunTimeModel {
public:
  /// Learns from the measured runs of all graphs except `withoutGraph`, which
  /// may be empty. Without runs, the prediction is the sum.
  static RunTimeModel learn(const CostDatabase &database,
                            llvm::StringRef withoutGraph = "");

  /// The predicted seconds of a run.
  double predict(double sum, unsigned numKernels) const {
    return factor * sum + perKernel * numKernels;
  }
  double getFactor() const { return factor; }
  double getSecondsPerKernel() const { return perKernel; }
  unsigned getNumRuns() const { return numRuns; }

private:
  double factor = 1, perKernel = 0;
  unsigned numRuns = 0;
};

} // namespace tenon::cost

#endif // TENON_COST_RUNTIMEMODEL_H
