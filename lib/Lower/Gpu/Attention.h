//===- Attention.h - attention as one GPU kernel --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FlashAttention-2 (Dao 2023): a block has a tile of queries and goes over the
// keys tile by tile. Scores stay in registers; of the softmax it keeps, per
// query, the largest score so far and the sum of the weights relative to it,
// and scales what it has added up whenever that score grows (online softmax).
//
// The queries of all heads that share keys lie behind each other in memory, so
// they are rows of one matrix: `groups * queries` rows, for each of
// `batch * kvHeads` matrices.
//
// Where there are too few rows to fill a GPU, blocks also share the keys among
// them; a second kernel then joins what they found.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_ATTENTION_H
#define TENON_LIB_LOWER_GPU_ATTENTION_H

#include "GpuKernelBuilder.h"

namespace tenon::lower {

/// What graph.attention says: see its description.
struct AttentionForm {
  graph::Shape batch;
  graph::SymInt heads, kvHeads, queries, keys;
  /// Elements of a query and of a value.
  int64_t depth = 0, valueDepth = 0;
  mlir::Type type;
  double scale = 1;
  bool causal = false;
  std::optional<graph::Shape> mask;
  /// What lies in memory as [batch..., sequence, heads, depth], so that rows of
  /// other heads are between those of one.
  struct {
    bool q = false, k = false, v = false, result = false;
  } interleaved;

  /// Heads that share keys.
  graph::SymInt groups() const { return heads.floorDiv(kvHeads); }
  graph::SymInt rows() const { return groups() * queries; }
  graph::SymInt matrices() const;
  /// Elements from one row of a matrix to the next.
  graph::SymInt rowStride(bool isInterleaved, int64_t width) const {
    return isInterleaved ? kvHeads * width : graph::SymInt(width);
  }
};

/// How a kernel divides the work.
struct AttentionTile {
  bool useTensorCores = false;
  int64_t rows = 0, keys = 0, threads = 0;
  /// Parts of the keys that have blocks of their own.
  int64_t splits = 1;
  /// Whether weights are multiplied as the sum of two numbers of 16 bits, which
  /// together are as exact as the sums of f32 that are meant.
  bool splitsWeights = false;
};

/// Takes an op whose kernel is known: of f32, f16 or bf16, with at most 256
/// elements per query and per value (their numbers known), and with sums that
/// may be regrouped.
std::optional<AttentionForm> matchAttention(graph::AttentionOp op,
                                            const LowerOptions &options);

AttentionTile chooseAttentionTile(const AttentionForm &form,
                                  const LowerOptions &options);

/// Where a row of a matrix of `count` rows lies, in rows.
mlir::Value emitRowPosition(GpuKernelBuilder &kernel, const AttentionForm &form,
                            bool isInterleaved, mlir::Value matrix,
                            mlir::Value count, mlir::Value row);

/// Equal texts are equal kernels.
std::string describeAttention(const AttentionForm &form,
                              const AttentionTile &tile);

/// Builds the kernel. Arguments: q, k, v, the mask if there is one, and the
/// result; with splits, in place of the result, f32 tensors [splits, matrices,
/// rows, valueDepth] of sums and [splits, matrices, rows, 2] of the largest
/// score and the sum of the weights.
GpuKernel buildAttention(const GpuKernelPlace &place, const AttentionForm &form,
                         const AttentionTile &tile);

/// Builds the kernel that joins splits: from these two tensors to the result.
GpuKernel buildAttentionMerge(const GpuKernelPlace &place,
                              const AttentionForm &form,
                              const AttentionTile &tile);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_ATTENTION_H
