//===- KernelBuilder.h - the function of a generated kernel ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_KERNELBUILDER_H
#define TENON_LIB_LOWER_KERNELBUILDER_H

#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"
#include "tenon/Lower/Lower.h"

namespace tenon::lower {

using kernel::KernelLoop;
using kernel::LoopPlan;

/// The properties of a built kernel that the runtime needs.
struct BuiltKernel {
  graph::SymInt extent = 1;
  int64_t grain = 1;
  graph::SymInt scratchBytes = 0;
};

/// Adds to `module` the function `name` of type tenon_kernel_fn, which runs the
/// plan's kernel loops for the rows [lo, hi). Its buffers are the plan's
/// inputs, then its outputs.
BuiltKernel buildKernel(mlir::ModuleOp module, mlir::Location loc,
                        llvm::StringRef name, LoopPlan plan,
                        llvm::ArrayRef<std::string> symbols,
                        const LowerOptions &options);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_KERNELBUILDER_H
