//===- Attention.h - attention as one GPU kernel --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This is FlashAttention-2 (Dao 2023): a block has a tile of queries and
// iterates over the keys tile by tile. Scores stay in registers. For the
// softmax, the block keeps, per query, the largest score so far and the sum of
// the weights relative to it, and rescales the accumulated values whenever that
// score grows (online softmax).
//
// The queries of all heads that share keys are contiguous in memory, so they
// are rows of one matrix: `groups * queries` rows, for each of `batch *
// kvHeads` matrices.
//
// If there are too few rows to fill a GPU, the keys are also split among
// blocks. A second kernel then merges the partial results.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_ATTENTION_H
#define TENON_LIB_LOWER_GPU_ATTENTION_H

#include "GpuKernelBuilder.h"

namespace tenon::lower {

/// The operands and attributes of graph.attention; see its description.
struct AttentionForm {
  graph::Shape batch;
  graph::SymInt heads, kvHeads, queries, keys;
  /// The number of elements of a query and of a value.
  int64_t depth = 0, valueDepth = 0;
  mlir::Type type;
  double scale = 1;
  bool causal = false;
  std::optional<graph::Shape> mask;
  /// The tensors with the layout [batch..., sequence, heads, depth], in which
  /// rows of other heads lie between the rows of one head.
  struct {
    bool q = false, k = false, v = false, result = false;
  } interleaved;

  /// The number of query heads that share keys.
  graph::SymInt groups() const { return heads.floorDiv(kvHeads); }
  graph::SymInt rows() const { return groups() * queries; }
  graph::SymInt matrices() const;
  /// The number of elements from one row of a matrix to the next.
  graph::SymInt rowStride(bool isInterleaved, int64_t width) const {
    return isInterleaved ? kvHeads * width : graph::SymInt(width);
  }
};

/// How a kernel divides the work among blocks and threads.
struct AttentionTile {
  bool useTensorCores = false;
  int64_t rows = 0, keys = 0, threads = 0;
  /// The number of parts of the keys that separate blocks process.
  int64_t splits = 1;
  /// Whether each weight is represented by the sum of two 16-bit numbers, which
  /// together are as exact as the f32 sums require.
  bool splitsWeights = false;
};

/// Returns the form of an op that has a GPU kernel: of f32, f16 or bf16, with
/// at most 256 elements per query and per value (both constant), and with sums
/// that may be reassociated. Returns nullopt for other ops.
std::optional<AttentionForm> matchAttention(graph::AttentionOp op,
                                            const LowerOptions &options);

AttentionTile chooseAttentionTile(const AttentionForm &form,
                                  const LowerOptions &options);

/// Emits the position, in rows, of row `row` of a matrix with `count` rows.
mlir::Value emitRowPosition(GpuKernelBuilder &kernel, const AttentionForm &form,
                            bool isInterleaved, mlir::Value matrix,
                            mlir::Value count, mlir::Value row);

/// Returns a text that is equal for equal kernels.
std::string describeAttention(const AttentionForm &form,
                              const AttentionTile &tile);

/// Builds the kernel. Its arguments are q, k, v, the mask if there is one, and
/// the result. With splits, the result is replaced by two f32 tensors: [splits,
/// matrices, rows, valueDepth] for the sums, and [splits, matrices, rows, 2]
/// for the largest score and the sum of the weights.
GpuKernel buildAttention(const GpuKernelPlace &place, const AttentionForm &form,
                         const AttentionTile &tile);

/// Builds the kernel that merges splits: from these two tensors to the result.
GpuKernel buildAttentionMerge(const GpuKernelPlace &place,
                              const AttentionForm &form,
                              const AttentionTile &tile);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_ATTENTION_H
