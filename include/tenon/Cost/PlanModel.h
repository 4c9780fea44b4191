//===- PlanModel.h - from sums of kernels to runs of models ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs of kernels do not quite add up: caches, clocks and what lies between
// kernels differ between a traced run and an untraced one, and between models.
// How far they are off is measured (CostDatabase::getPlans) and learned as
//
//   run = factor * sum of kernels + seconds per kernel * kernels
//
// by least squares of relative errors. (Collage's C = 0.01 ms per pattern is a
// constant of this kind that was set by hand: PACT'22, section 5.1.)
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_PLANMODEL_H
#define TENON_COST_PLANMODEL_H

#include "tenon/Cost/CostDatabase.h"

namespace tenon::cost {

class PlanModel {
public:
  /// Learns from the plans of all graphs but one, which may be empty. Where
  /// there are none, a sum stays as it is.
  static PlanModel learn(const CostDatabase &database,
                         llvm::StringRef withoutGraph = "");

  /// Seconds of a run.
  double predict(double sum, unsigned numKernels) const {
    return factor * sum + perKernel * numKernels;
  }
  double getFactor() const { return factor; }
  double getSecondsPerKernel() const { return perKernel; }
  unsigned getNumPlans() const { return numPlans; }

private:
  double factor = 1, perKernel = 0;
  unsigned numPlans = 0;
};

} // namespace tenon::cost

#endif // TENON_COST_PLANMODEL_H
