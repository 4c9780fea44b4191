//===- ContractionLoad.h - tiles of factors from memory -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a block bring a tile of a factor to shared memory in two
// steps, so that other work hides the time of the first: they read what the
// factor loads, and later compute and store its elements. A thread has some
// chunks of the tile, neighbours of which it reads at once where it can.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_CONTRACTIONLOAD_H
#define TENON_LIB_LOWER_GPU_CONTRACTIONLOAD_H

#include "ContractionTile.h"
#include "Lanes.h"

namespace tenon::lower {

class FactorTile {
public:
  /// Tiles of `rows` rows out of `allRows`, and of `terms` out of `allTerms`.
  FactorTile(GpuKernelBuilder &kernel, const ContractionFactor &factor,
             int64_t rows, int64_t terms, graph::SymInt allRows,
             graph::SymInt allTerms, bool useTensorCores);

  const TileLayout &getLayout() const { return layout; }

  /// Emits what is the same for all steps, for the tile that begins at a row;
  /// `at` knows sizes, `batch` is the number of the matrix.
  void prepare(const ExprEmitter &at, mlir::Value batch, mlir::Value firstRow);
  /// Reads, for the terms from `firstTerm` on; terms that do not exist, rows
  /// that do not, and elements whose guard is false, are not read.
  void load(mlir::Value firstTerm);
  /// Stores what was read last to the tile at an address of shared memory.
  void store(mlir::Value address);

  /// Whether elements can go to shared memory as they are, past registers.
  bool canCopy() const;
  /// Starts to copy them, for the terms from `firstTerm` on, of which there is
  /// at least one. What `load` does not read becomes zero.
  void copy(mlir::Value firstTerm, mlir::Value address);

private:
  /// The part of a chunk's place that is the same in all threads.
  struct Chunk {
    int64_t row, term;  // beyond the thread's own first ones
    unsigned rowNumber; // among the different rows of the thread
  };
  /// What was read for a chunk: where it is, and its values.
  struct Pending {
    std::optional<LaneEmitter> lanes;
    mlir::Value exists; // null: always
    llvm::SmallVector<mlir::Value> values;
  };

  void divideTile();
  void findParts();
  mlir::Value zeroBits() const;
  /// Where a chunk is, and whether (null: it is).
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
  /// Whether the factor is a buffer's elements, which are copied as bits.
  bool isPlain = false, roundsToTf32 = false;
  graph::Expr plainLoad;
  /// The largest parts of the element that read memory, which `load` emits.
  llvm::SmallVector<graph::Expr> parts;
  llvm::SmallVector<Chunk> chunks;
  llvm::SmallVector<int64_t> rowOffsets;
  llvm::SmallVector<ExprEmitter, 0> rowEmitters;
  llvm::SmallVector<mlir::Value> rowExists; // null: all rows do
  llvm::SmallVector<Pending, 0> pending;
  /// The thread's place in the tile.
  mlir::Value ownRow, ownTerm, ownBytes;
};

/// Sets the variables that an index numbers.
void decompose(GpuKernelBuilder &kernel, ExprEmitter &at, mlir::Value index,
               llvm::ArrayRef<LoopVar> vars);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_CONTRACTIONLOAD_H
