//===- PackWeights.h - weights in the order of results ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_PACKWEIGHTS_H
#define TENON_LIB_LOWER_PACKWEIGHTS_H

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

namespace tenon::lower {

/// An input of a kernel, and the order in which the kernel reads its axes.
struct PackedInput {
  unsigned input;
  llvm::SmallVector<unsigned> order;
};

/// Changes the plan to read inputs with the axis of neighbouring results last,
/// if a reduction over several rows can then run in vectors of results. Only
/// inputs for which `isConstant` returns true are changed.
llvm::SmallVector<PackedInput, 0>
packWeights(kernel::LoopPlan &plan, unsigned vectorBits,
            llvm::function_ref<bool(unsigned)> isConstant);

/// Returns the plan of a kernel that copies a tensor with its axes in another
/// order.
kernel::LoopPlan planTranspose(const graph::Shape &shape, mlir::Type type,
                               llvm::ArrayRef<unsigned> order);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_PACKWEIGHTS_H
