//===- KernelClass.h - kernels whose costs follow the same rates ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_KERNELCLASS_H
#define TENON_COST_KERNELCLASS_H

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include <string>

namespace tenon::kernel {
class LoadAnalysis;
} // namespace tenon::kernel

namespace tenon::cost {

/// The backend, and the kind of work that decides how fast the kernel is, as
/// far as it can be told without sizes: "onednn conv 1x1", "cpu softmax",
/// "openblas matvec". A kernel of several ops has the kind of the one that
/// decides most: products come before composites, reductions, movement of data
/// and elementwise ops. Kernels of a class have the same `ClassRates`. Empty
/// for chains of products and for kernels that do not compute in f32, which no
/// rates describe.
std::string getKernelClass(kernel::CallOp call,
                           const kernel::LoadAnalysis *loads = nullptr);

} // namespace tenon::cost

#endif // TENON_COST_KERNELCLASS_H
