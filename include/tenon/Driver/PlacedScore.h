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

#include "llvm/ADT/StringMap.h"

namespace tenon {

/// A kernel of a placed function, in the order in which they run.
struct PlacedKernel {
  kernel::CallOp call;
  cost::Cost cost;
  /// Bytes that are alive while it runs: arguments, results and intermediates,
  /// without parameters. What is moved nowhere (reshapes) shares its operand's
  /// bytes.
  uint64_t liveBytes = 0;
};

/// The kernels of a function that was placed; those that run at load are left
/// out.
std::vector<PlacedKernel> listKernels(mlir::func::FuncOp placed,
                                      const cost::CostModel &costs);

/// How much more or less the measured kernels of a model take than the roofline
/// says, by backend: kernels that were not measured are taken to differ alike,
/// or else a device that is faster than its profile would make every new kernel
/// look slow.
class MeasuredRatio {
public:
  void learn(llvm::ArrayRef<PlacedKernel> kernels,
             const cost::CostModel &costs);
  /// 1 where nothing was measured.
  double get(llvm::StringRef backend) const;

private:
  struct Sums {
    double measured = 0, roofline = 0;
  };
  llvm::StringMap<Sums> byBackend;
};

/// Places a function as the compiler will, and sums the costs of its kernels.
/// Calls learn from each other (MeasuredRatio): the first is for the input.
optimize::Scorer makePlacedScorer(const cost::CostModel &costs,
                                  PlacePipelineOptions options);

} // namespace tenon

#endif // TENON_DRIVER_PLACEDSCORE_H
