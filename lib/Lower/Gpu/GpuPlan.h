//===- GpuPlan.h - which kernels a piece becomes on a GPU -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_GPUPLAN_H
#define TENON_LIB_LOWER_GPU_GPUPLAN_H

#include "GpuKernelBuilder.h"

namespace tenon::lower {

/// One kernel of a piece. `buffers` names, for the plan's inputs and then its
/// outputs, buffers of the piece: n < its inputs and outputs one of those, then
/// the temporaries.
struct GpuPart {
  StagePlan plan;
  llvm::SmallVector<unsigned> buffers;
};

struct GpuParts {
  llvm::SmallVector<GpuPart, 0> parts;
  llvm::SmallVector<std::pair<graph::Shape, mlir::Type>, 0> temporaries;
};

/// Whether all stages have one shape and read each other at their own index
/// alone: a thread then computes its elements through all stages.
bool isChain(const StagePlan &plan);

/// Whether one team of threads per row should compute all stages: reductions
/// along memory, and rows whose intermediate results fit in shared memory.
bool wantsRows(const StagePlan &plan, const LowerOptions &options);

/// Whether some load of the reduction runs along memory with its last variable,
/// and none with the last variable of the result. Loads have an index per axis.
bool reducesAlongMemory(const Stage &stage);

/// The axis of a reduction with the most terms, where no extent depends on
/// another axis.
std::optional<unsigned> findLongestAxis(const graph::Expr &reduce);

/// The expression with loads numbered anew.
graph::Expr rewriteLoads(const graph::Expr &root,
                         llvm::function_ref<unsigned(unsigned)> number);

/// Makes two stages of each reduction that has too few results to keep a GPU
/// busy: many partial ones, and what joins them (in another order). Returns
/// whether there was one; the stages are then no longer to be one kernel.
bool splitReductions(StagePlan &plan, const LowerOptions &options);

/// Whether the stage alone is a product of matrices, whose tiles a kernel of
/// its own computes best.
bool isContraction(const StagePlan &plan, unsigned number,
                   const LowerOptions &options);

/// Cuts a piece into kernels: one where its stages are a chain or share rows,
/// else one for each run of stages that are.
GpuParts cutForGpu(StagePlan plan, const LowerOptions &options);

/// Builds the kernel of one part, whose loads have one index per axis.
GpuKernel buildGpuKernel(const GpuKernelPlace &place, StagePlan plan);

/// The axis along which operands of an elementwise stage lie that is not the
/// last, along which its result lies: such a stage is computed in tiles.
std::optional<unsigned> findTransposedAxis(const StagePlan &plan);

/// The strategies. Loads have one linear index; `buildPointKernel` takes
/// chains, `buildTransposeKernel` one stage with a transposed axis.
GpuKernel buildPointKernel(const GpuKernelPlace &place, const StagePlan &plan);
GpuKernel buildRowKernel(const GpuKernelPlace &place, const StagePlan &plan);
GpuKernel buildTransposeKernel(const GpuKernelPlace &place,
                               const StagePlan &plan, unsigned axis);

/// The position of an element in row-major order, over one variable per axis;
/// axes before `first` are left out.
graph::Expr getPosition(llvm::ArrayRef<graph::SymInt> shape,
                        unsigned first = 0);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_GPUPLAN_H
