//===- AttentionCore.h - products of attention's tiles --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the threads of a block multiply tiles of queries, keys and values, and
// which scores and sums each of them has.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_ATTENTIONCORE_H
#define TENON_LIB_LOWER_GPU_ATTENTIONCORE_H

#include "Attention.h"

#include <memory>

namespace tenon::lower {

/// Copies tiles of a matrix in global memory to lines of shared memory. What
/// the matrix does not have is zero.
class TileCopy {
public:
  struct Shape {
    int64_t rows;                // of a tile
    int64_t depth, lineElements; // of the matrix's rows, and of the lines
    int64_t elementBytes, lineBytes;
    graph::SymInt rowStride; // elements from one row to the next
    bool roundsToTf32 = false;
    bool mayBeAsynchronous = false;
  };
  TileCopy(GpuKernelBuilder &kernel, Shape shape);

  /// Emits what does not change from tile to tile. Rows from `rowEnd` on are
  /// zero.
  void prepare(mlir::Value matrix, mlir::Value rowEnd, mlir::Value shared);
  /// Starts to read a tile: into what is returned, or, asynchronously, into
  /// shared memory, which nobody may be using then.
  llvm::SmallVector<mlir::Value> begin(mlir::Value firstRow);
  /// Has it in shared memory; for the other threads, after a barrier.
  void finish(mlir::ValueRange begun);

private:
  struct Chunk {
    int64_t row, line; // beyond the thread's own
  };
  mlir::Value hasChunk(const Chunk &chunk);
  mlir::Value locate(mlir::Value own, const Chunk &chunk);
  mlir::Value isInside(const Chunk &chunk, mlir::Value firstRow);
  mlir::Type bitsType() const;
  mlir::Value roundToTf32(mlir::Value bits);

  GpuKernelBuilder &kernel;
  const Shape shape;
  bool isAsynchronous;
  int64_t lanes; // elements of one access
  int64_t activeThreads;
  llvm::SmallVector<Chunk> chunks;
  mlir::Value matrix, rowEnd, shared, ownRow, ownElement, rowStride;
};

/// Where a block's matrices are in global memory.
struct AttentionMatrices {
  mlir::Value q, k, v; // addresses
  /// The tile's first row, and the ends of rows and of keys that count.
  mlir::Value firstRow, rowEnd, keyEnd;
};

/// Every thread has some scores of some rows, and some sums of the same rows.
/// Lists of them are by row, then by key or column.
class AttentionCore {
public:
  AttentionCore(GpuKernelBuilder &kernel, const AttentionForm &form,
                const AttentionTile &tile)
      : kernel(kernel), form(form), tile(tile) {}
  virtual ~AttentionCore() = default;

  int64_t ownRows = 0, ownKeys = 0, ownColumns = 0;
  /// Columns that lie side by side, and lanes of a warp, a power of two of
  /// neighbours, that have the same rows.
  int64_t columnLanes = 1, rowLanes = 1;
  /// Where a thread's rows, keys and columns are in their tiles.
  virtual mlir::Value row(int64_t number) = 0;
  virtual mlir::Value key(int64_t number) = 0;
  virtual mlir::Value column(int64_t number) = 0;

  /// Reads the queries.
  virtual void prepare(const AttentionMatrices &matrices) = 0;
  /// Starts to read keys; what it returns is for `emitScores`.
  virtual llvm::SmallVector<mlir::Value> beginKeys(mlir::Value firstKey) = 0;
  /// The products of queries and the keys that were begun; starts to read the
  /// values of `firstKey`.
  virtual llvm::SmallVector<mlir::Value> emitScores(mlir::Value firstKey,
                                                    mlir::ValueRange begun) = 0;
  /// Adds the products of weights and values to the sums, and starts to read
  /// the keys of `nextKey`, which it returns in `begun`.
  virtual llvm::SmallVector<mlir::Value>
  addValues(mlir::Value nextKey, llvm::ArrayRef<mlir::Value> weights,
            llvm::ArrayRef<mlir::Value> sums,
            llvm::SmallVector<mlir::Value> &begun) = 0;
  /// Ends what was begun and is not needed.
  virtual void finish(mlir::ValueRange begun) {}

protected:
  GpuKernelBuilder &kernel;
  const AttentionForm &form;
  const AttentionTile &tile;
};

/// By tensor cores.
std::unique_ptr<AttentionCore> createMatrixAttention(GpuKernelBuilder &kernel,
                                                     const AttentionForm &form,
                                                     const AttentionTile &tile);
/// By multiplying and adding f32 numbers.
std::unique_ptr<AttentionCore> createScalarAttention(GpuKernelBuilder &kernel,
                                                     const AttentionForm &form,
                                                     const AttentionTile &tile);

/// Keys of a tile for which a core has shared memory; 0: it does not take these
/// depths.
int64_t getMatrixAttentionKeys(int64_t depth, int64_t valueDepth,
                               int64_t elementBytes);
int64_t getScalarAttentionKeys(int64_t depth, int64_t valueDepth, int64_t rows);
/// Warps among which tensor cores share the columns of the result.
int64_t getMatrixAttentionColumnWarps(int64_t valueDepth);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_ATTENTIONCORE_H
