//===- AttentionCore.h - products of the tiles of attention ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This header defines how the threads of a block multiply tiles of queries,
// keys and values, and which scores and sums each thread has.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_ATTENTIONCORE_H
#define TENON_LIB_LOWER_GPU_ATTENTIONCORE_H

#include "Attention.h"

#include <memory>

namespace tenon::lower {

/// Copies tiles of a matrix in global memory to lines of shared memory.
/// Elements outside the matrix become zero.
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

  /// Emits code that is the same for all tiles. Rows from `rowEnd` on are zero.
  void prepare(mlir::Value matrix, mlir::Value rowEnd, mlir::Value shared);
  /// Starts to read a tile: into the returned values or, asynchronously, into
  /// shared memory, which no thread may be using then.
  llvm::SmallVector<mlir::Value> begin(mlir::Value firstRow);
  /// Completes the copy to shared memory. Other threads see it after a barrier.
  void finish(mlir::ValueRange begun);

private:
  struct Chunk {
    int64_t row, line; // relative to the thread's own
  };
  mlir::Value hasChunk(const Chunk &chunk);
  mlir::Value locate(mlir::Value own, const Chunk &chunk);
  mlir::Value isInside(const Chunk &chunk, mlir::Value firstRow);
  mlir::Type bitsType() const;
  mlir::Value roundToTf32(mlir::Value bits);

  GpuKernelBuilder &kernel;
  const Shape shape;
  bool isAsynchronous;
  int64_t lanes; // number of elements of one access
  int64_t activeThreads;
  llvm::SmallVector<Chunk> chunks;
  mlir::Value matrix, rowEnd, shared, ownRow, ownElement, rowStride;
};

/// The addresses of a block's matrices in global memory.
struct AttentionMatrices {
  mlir::Value q, k, v; // addresses
  /// The tile's first row, and the ends of the valid rows and keys.
  mlir::Value firstRow, rowEnd, keyEnd;
};

/// Every thread has some scores of some rows, and some sums of the same rows.
/// Lists of scores or sums are ordered by row, then by key or column.
class AttentionCore {
public:
  AttentionCore(GpuKernelBuilder &kernel, const AttentionForm &form,
                const AttentionTile &tile)
      : kernel(kernel), form(form), tile(tile) {}
  virtual ~AttentionCore() = default;

  int64_t ownRows = 0, ownKeys = 0, ownColumns = 0;
  /// The number of adjacent columns, and the number of neighbouring lanes of a
  /// warp (a power of two) that have the same rows.
  int64_t columnLanes = 1, rowLanes = 1;
  /// The positions of a thread's rows, keys and columns within their tiles.
  virtual mlir::Value row(int64_t number) = 0;
  virtual mlir::Value key(int64_t number) = 0;
  virtual mlir::Value column(int64_t number) = 0;

  /// Reads the queries.
  virtual void prepare(const AttentionMatrices &matrices) = 0;
  /// Starts to read keys. The returned values are passed to `emitScores`.
  virtual llvm::SmallVector<mlir::Value> beginKeys(mlir::Value firstKey) = 0;
  /// Emits the products of the queries and the keys of `begun`, and starts to
  /// read the values of `firstKey`.
  virtual llvm::SmallVector<mlir::Value> emitScores(mlir::Value firstKey,
                                                    mlir::ValueRange begun) = 0;
  /// Adds the products of weights and values to the sums, and starts to read
  /// the keys of `nextKey`, which are returned in `begun`.
  virtual llvm::SmallVector<mlir::Value>
  addValues(mlir::Value nextKey, llvm::ArrayRef<mlir::Value> weights,
            llvm::ArrayRef<mlir::Value> sums,
            llvm::SmallVector<mlir::Value> &begun) = 0;
  /// Completes reads that were started but are not needed.
  virtual void finish(mlir::ValueRange begun) {}

protected:
  GpuKernelBuilder &kernel;
  const AttentionForm &form;
  const AttentionTile &tile;
};

/// Creates a core that uses tensor cores.
std::unique_ptr<AttentionCore> createMatrixAttention(GpuKernelBuilder &kernel,
                                                     const AttentionForm &form,
                                                     const AttentionTile &tile);
/// Creates a core that uses f32 arithmetic.
std::unique_ptr<AttentionCore> createScalarAttention(GpuKernelBuilder &kernel,
                                                     const AttentionForm &form,
                                                     const AttentionTile &tile);

/// Returns the number of keys of a tile that fits in the shared memory of a
/// core, or 0 if the core does not support these depths.
int64_t getMatrixAttentionKeys(int64_t depth, int64_t valueDepth,
                               int64_t elementBytes);
int64_t getScalarAttentionKeys(int64_t depth, int64_t valueDepth, int64_t rows);
/// Returns the number of warps among which the tensor-core kernel divides the
/// columns of the result.
int64_t getMatrixAttentionColumnWarps(int64_t valueDepth);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_ATTENTIONCORE_H
