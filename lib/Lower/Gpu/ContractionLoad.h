//===- ContractionLoad.h - loading of factor tiles ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a block load a tile of a factor into shared memory in two
// steps, so that other work hides the latency of the first: they read the
// memory that the factor loads, and later compute and store the factor's
// elements. A thread has some chunks of the tile, whose elements it reads in
// one access if possible.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_CONTRACTIONLOAD_H
#define TENON_LIB_LOWER_GPU_CONTRACTIONLOAD_H

#include "ContractionTile.h"
#include "Lanes.h"

namespace tenon::lower {

class FactorTile {
public:
  /// Creates tiles of `rows` of `allRows` rows, and of `terms` of `allTerms`
  /// terms.
  FactorTile(GpuKernelBuilder &kernel, const ContractionFactor &factor,
             int64_t rows, int64_t terms, graph::SymInt allRows,
             graph::SymInt allTerms, bool useTensorCores);

  const TileLayout &getLayout() const { return layout; }

  /// Emits code that is the same for all steps, for the tile that begins at
  /// `firstRow`. `at` has the sizes, and `batch` is the number of the matrix.
  void prepare(const ExprEmitter &at, mlir::Value batch, mlir::Value firstRow);
  /// Reads the elements of the terms from `firstTerm` on. Terms and rows that
  /// do not exist, and elements whose guard is false, are not read.
  void load(mlir::Value firstTerm);
  /// Stores the elements of the last `load` as a tile at an address in shared
  /// memory.
  void store(mlir::Value address);

  /// Returns true if elements can be copied to shared memory unchanged, without
  /// registers.
  bool canCopy() const;
  /// Starts to copy the elements of the terms from `firstTerm` on, of which
  /// there is at least one. Elements that `load` would not read become zero.
  void copy(mlir::Value firstTerm, mlir::Value address);

private:
  /// The part of a chunk's position that is the same in all threads.
  struct Chunk {
    int64_t row, term;  // relative to the thread's own first ones
    unsigned rowNumber; // among the different rows of the thread
  };
  /// The values that were read for a chunk, and its position.
  struct Pending {
    std::optional<LaneEmitter> lanes;
    mlir::Value exists; // null if always
    llvm::SmallVector<mlir::Value> values;
  };

  void divideTile();
  void findParts();
  mlir::Value zeroBits() const;
  /// Emits the position of a chunk, and whether it exists (null if always).
  std::pair<ExprEmitter, mlir::Value>
  locateChunk(const Chunk &chunk, mlir::Value firstTerm, bool hasTerms);
  mlir::Value plainAddress(ExprEmitter &at);
  Pending loadChunk(const Chunk &chunk, mlir::Value firstTerm);
  void storeBits(mlir::Value bits, mlir::Value address, const Chunk &chunk);
  void storeElements(const Pending &pending, mlir::Value address,
                     const Chunk &chunk);
  unsigned laneVar() const;

  GpuKernelBuilder &kernel;
  const ContractionFactor &factor;
  const int64_t rows, terms;
  const graph::SymInt allRows, allTerms;
  FactorAccess access;
  TileLayout layout;
  /// Whether the factor consists of unmodified elements of a buffer, which are
  /// copied as bits.
  bool isPlain = false, roundsToTf32 = false;
  graph::Expr plainLoad;
  /// The largest subexpressions of the element that read memory, which `load`
  /// emits.
  llvm::SmallVector<graph::Expr> parts;
  llvm::SmallVector<Chunk> chunks;
  llvm::SmallVector<int64_t> rowOffsets;
  llvm::SmallVector<ExprEmitter, 0> rowEmitters;
  llvm::SmallVector<mlir::Value> rowExists; // null if all rows exist
  llvm::SmallVector<Pending, 0> pending;
  /// The thread's position in the tile.
  mlir::Value ownRow, ownTerm, ownBytes;
};

/// Sets the variables `vars` that `index` numbers.
void decompose(GpuKernelBuilder &kernel, ExprEmitter &at, mlir::Value index,
               llvm::ArrayRef<LoopVar> vars);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_CONTRACTIONLOAD_H
