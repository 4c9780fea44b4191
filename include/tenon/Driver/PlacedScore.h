//===- PlacedScore.h - what a graph costs as placed kernels ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_PLACEDSCORE_H
#define TENON_DRIVER_PLACEDSCORE_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Optimize/Optimize.h"

namespace tenon {

/// A kernel of a placed function, in the order in which they run.
struct PlacedKernel {
  kernel::CallOp call;
  cost::Cost cost;
  /// By the roofline alone if the cost was measured or scaled.
  double roofline = 0;
  /// Bytes that are alive while it runs: arguments, results and intermediates,
  /// without parameters. What is moved nowhere (reshapes) shares its operand's
  /// bytes.
  uint64_t liveBytes = 0;
};

/// The kernels of a function that was placed; those that run at load are left
/// out.
std::vector<PlacedKernel> listKernels(mlir::func::FuncOp placed,
                                      const cost::CostModel &costs);

/// Places functions as the compiler will, side by side, and sums the costs of
/// their kernels. Later ones learn from earlier ones (cost::MeasuredRatio): the
/// first is the input.
optimize::Scorer makePlacedScorer(const cost::CostModel &costs,
                                  PlacePipelineOptions options);

} // namespace tenon

#endif // TENON_DRIVER_PLACEDSCORE_H
