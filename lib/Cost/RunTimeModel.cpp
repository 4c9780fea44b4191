//===- RunTimeModel.cpp - predicting runs of models from kernel costs -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/RunTimeModel.h"

using namespace tenon::cost;

RunTimeModel RunTimeModel::learn(const CostDatabase &database,
                                 llvm::StringRef withoutGraph) {
  // Solve factor * a + perKernel * b = 1, with both divided by the measured
  // time.
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
  RunTimeModel model;
  for (const RunMeasurement &run : database.getModelRuns()) {
    if (run.graph == withoutGraph)
      continue;
    double a = run.sum / run.measured, b = run.numKernels / run.measured;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
    ++model.numRuns;
  }
  if (model.numRuns == 0)
    return model;
  double determinant = aa * bb - ab * ab;
  model.factor = a1 / aa;
  // A few plans, or plans that are all alike, do not determine both values.
  if (model.numRuns < 4 || determinant < 1e-6 * aa * bb)
    return model;
  double factor = (a1 * bb - b1 * ab) / determinant;
  double perKernel = (b1 * aa - a1 * ab) / determinant;
  if (factor > 0 && perKernel >= 0) {
    model.factor = factor;
    model.perKernel = perKernel;
  }
  return model;
}
