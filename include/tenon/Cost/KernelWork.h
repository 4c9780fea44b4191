//===- KernelWork.h - the work of the kernels of backends ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_KERNELWORK_H
#define TENON_COST_KERNELWORK_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Cost/SizeValues.h"

#include "mlir/IR/DialectInterface.h"

namespace tenon::cost {

/// An interface of the kernel dialect. The work of a placed kernel is the sum
/// over its ops; this interface corrects the sum for backends whose algorithm
/// computes something else. Without it, sums are not corrected.
class KernelWork : public mlir::DialectInterface::Base<KernelWork> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KernelWork)

  /// Changes `work`, which has the sums, to what the call's backend computes.
  virtual void adjust(kernel::CallOp call, const SizeValues &sizes,
                      Work &work) const = 0;

  /// Calls `use` with the work of a matmul or convolution, whose weight exists
  /// once the model is loaded, in the algorithm of each backend of the device
  /// that may compute something else than `plain`, the sum of its products.
  virtual void
  visitAlgorithms(mlir::Operation *product, tenon::Device device,
                  const SizeValues &sizes, const Work &plain,
                  llvm::function_ref<void(const Work &)> use) const = 0;

protected:
  using Base::Base;
};

} // namespace tenon::cost

#endif // TENON_COST_KERNELWORK_H
