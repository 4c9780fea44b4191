//===- GpuParts.h - division of a subgraph into GPU kernels ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_GPUPARTS_H
#define TENON_LIB_LOWER_GPU_GPUPARTS_H

#include "GpuKernelBuilder.h"

namespace tenon::lower {

/// One kernel of a subgraph. For each of the plan's inputs and then its
/// outputs, `buffers` has the number of a buffer of the subgraph. Its inputs
/// and outputs come first, then the temporaries.
struct GpuPart {
  LoopPlan plan;
  llvm::SmallVector<unsigned> buffers;
};

struct GpuParts {
  llvm::SmallVector<GpuPart, 0> parts;
  llvm::SmallVector<std::pair<graph::Shape, mlir::Type>, 0> temporaries;
};

/// Returns true if all kernel loops have the same shape and read each other
/// only at their own index. A thread then computes its elements through all
/// kernel loops.
bool isChain(const LoopPlan &plan);

/// Returns true if one team of threads per row should compute all kernel loops:
/// there are reductions along memory, and the intermediate results of a row fit
/// in shared memory.
bool wantsRows(const LoopPlan &plan, const LowerOptions &options);

/// Returns true if some load of the reduction is contiguous along its last
/// variable, and none is contiguous along the last variable of the result.
/// Loads have one index per axis.
bool reducesAlongMemory(const KernelLoop &loop);

/// Returns the expression with its loads renumbered.
graph::Expr rewriteLoads(const graph::Expr &root,
                         llvm::function_ref<unsigned(unsigned)> number);

/// Splits each reduction that has too few results to keep a GPU busy into two
/// kernel loops: many partial reductions, and their combination (in another
/// order). Returns true if there was such a reduction. The kernel loops must
/// then not be one kernel.
bool splitReductions(LoopPlan &plan, const LowerOptions &options);

/// Returns true if the kernel loop by itself is a product of matrices, for
/// which a separate tiled kernel is fastest.
bool isContraction(const LoopPlan &plan, unsigned number,
                   const LowerOptions &options);

/// Divides a subgraph into kernels: one if its kernel loops are a chain or
/// share rows, else one for each run of kernel loops with that property.
GpuParts cutForGpu(LoopPlan plan, const LowerOptions &options);

/// Builds the kernel of one part, whose loads have one index per axis.
GpuKernel buildGpuKernel(const GpuKernelPlace &place, LoopPlan plan);

/// Returns the axis along which the operands of an elementwise kernel loop are
/// contiguous, if it is not the last axis, along which the result is
/// contiguous. Such a kernel loop is computed in tiles.
std::optional<unsigned> findTransposedAxis(const LoopPlan &plan);

/// The kernel builders for each strategy. Loads have one linear index.
/// `buildPointKernel` accepts chains, and `buildTransposeKernel` accepts one
/// kernel loop with a transposed axis.
GpuKernel buildPointKernel(const GpuKernelPlace &place, const LoopPlan &plan);
GpuKernel buildRowKernel(const GpuKernelPlace &place, const LoopPlan &plan);
GpuKernel buildTransposeKernel(const GpuKernelPlace &place,
                               const LoopPlan &plan, unsigned axis);

/// Returns the position of an element in row-major order, over one variable per
/// axis. Axes before `first` are omitted.
graph::Expr getPosition(llvm::ArrayRef<graph::SymInt> shape,
                        unsigned first = 0);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_GPUPARTS_H
