//===- Contraction.h - sums of products as tiled GPU kernels --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls and convolutions are sums of products of two factors. Regardless of
// their axes, they are products of matrices: the axes of the result on which
// only the first factor depends are rows, those on which only the second
// depends are columns, those of both number the matrices of a batch, and the
// variables of the reduction are terms. Rows, columns and terms are each
// numbered by one index, which a factor decomposes again if its elements
// require that (implicit GEMM). A block of threads computes a tile of the
// result from tiles of the factors in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_CONTRACTION_H
#define TENON_LIB_LOWER_GPU_CONTRACTION_H

#include "GpuKernelBuilder.h"

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"

namespace tenon::lower {

/// A variable in [0, size).
struct LoopVar {
  unsigned var;
  graph::SymInt size;
};
/// Variables that one index numbers; the last one varies fastest.
using LoopVars = llvm::SmallVector<LoopVar, 4>;

/// Returns the number of values of the index that numbers `vars`.
graph::SymInt countOf(llvm::ArrayRef<LoopVar> vars);

/// A factor as matrices of rows by terms (columns by terms for the second
/// factor). Variables that can be traversed as one variable are merged.
struct ContractionFactor {
  graph::Expr element;
  /// If this is false, the factor is zero. The guard reads no memory.
  graph::Expr guard;
  LoopVars batch, rows, terms;
  /// The type that is stored in tiles: f32, f16 or bf16.
  mlir::Type type;
};

/// How a kernel reads a factor.
struct FactorAccess {
  /// Whether neighbours in memory are neighbouring terms rather than rows.
  bool alongTerms = true;
  /// The number of elements of one access, which are neighbours in that
  /// direction.
  int64_t lanes = 1;
  /// Whether neighbouring threads read neighbouring elements.
  bool isCoalesced = false;
};

struct Contraction {
  ContractionFactor a, b;
  /// The result's variables, in the order of its axes, and the terms.
  LoopVars batch, rows, columns, terms;
  /// Whether tensor cores multiply. The factors' type determines the
  /// instruction: f16, bf16, or f32 rounded to tf32.
  bool useTensorCores = false;
  /// The plan over the variables above, with a load instead of the sum.
  LoopPlan epilogue;
  graph::Expr sum;
  /// The offset of an element in every result.
  graph::Expr position;
};

/// Matches a plan (of kernel loops of one shape, which read each other at their
/// own index) as a contraction. Returns nullopt if the plan is not a
/// contraction, if the sum is not of type f32, or if there are so few rows,
/// columns or terms that tiles would be nearly empty. Under strict arithmetic,
/// also returns nullopt if a guard fails for some terms, for which the kernel
/// would add zero times an infinity.
std::optional<Contraction> matchContraction(const LoopPlan &plan,
                                            const LowerOptions &options);

/// Builds the kernel of a contraction.
GpuKernel buildContraction(const GpuKernelPlace &place, const LoopPlan &plan,
                           const Contraction &contraction);

/// Merges variables that all loads traverse as one variable. In offsets and
/// conditions, also separates the parts that depend on rows from those that
/// depend on terms, which change more often.
void simplifyFactor(ContractionFactor &factor);

/// Chooses how to read a factor, with accesses of at most `mostLanes` elements.
FactorAccess analyzeAccess(const ContractionFactor &factor, int64_t mostLanes);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_CONTRACTION_H
