//===- Contraction.h - sums of products as tiled GPU kernels --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls and convolutions are sums of products of two factors. Whatever their
// axes, they are products of matrices: the axes of the result that the first
// factor alone depends on are rows, those of the second alone columns, those of
// both number the matrices of a batch, and the variables of the reduction are
// terms. Rows, columns and terms are numbered as one index each, which a factor
// takes apart again where its elements need that (implicit GEMM). A block of
// threads computes a tile of the result from tiles of the factors in shared
// memory.
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
/// Variables that one index numbers, the last one fastest.
using LoopVars = llvm::SmallVector<LoopVar, 4>;

/// The elements that one index numbers.
graph::SymInt countOf(llvm::ArrayRef<LoopVar> vars);

/// A factor as matrices of rows by terms (of columns by terms, for the second).
/// Variables through which it runs as through one are one.
struct ContractionFactor {
  graph::Expr element;
  /// Where this is false, the factor counts as zero. Reads no memory.
  graph::Expr guard;
  LoopVars batch, rows, terms;
  /// What is stored in tiles: f32, f16 or bf16.
  mlir::Type type;
};

/// How a factor is read.
struct FactorAccess {
  /// Whether neighbours in memory are neighbouring terms, not rows.
  bool alongTerms = true;
  /// Elements of one access: neighbours along that direction.
  int64_t lanes = 1;
  /// Whether neighbouring threads read neighbouring elements.
  bool isCoalesced = false;
};

struct Contraction {
  ContractionFactor a, b;
  /// The result's variables, in its order, and the terms.
  LoopVars batch, rows, columns, terms;
  /// Whether tensor cores multiply; the factors' type then says how: f16, bf16,
  /// or f32 rounded to tf32.
  bool useTensorCores = false;
  /// The plan with variables as above, and a load in place of the sum.
  StagePlan epilogue;
  graph::Expr sum;
  /// The offset of an element in every result.
  graph::Expr position;
};

/// Takes a plan (of stages of one shape, which read each other at their own
/// index) as a contraction. None where it is not one, where a sum of another
/// type than f32 is meant, where so few rows, columns or terms leave tiles
/// nearly empty, and, under strict arithmetic, where a guard fails for some
/// terms: zero times an infinity would be added there.
std::optional<Contraction> matchContraction(const StagePlan &plan,
                                            const LowerOptions &options);

/// Builds its kernel.
GpuKernel buildContraction(const GpuKernelPlace &place, const StagePlan &plan,
                           const Contraction &contraction);

/// Makes one of variables that all loads run through as through one, and puts
/// what offsets and conditions take from rows apart from what they take from
/// terms, which changes more often.
void simplifyFactor(ContractionFactor &factor);

/// How to read a factor, with accesses of at most `mostLanes` elements.
FactorAccess analyzeAccess(const ContractionFactor &factor, int64_t mostLanes);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_CONTRACTION_H
