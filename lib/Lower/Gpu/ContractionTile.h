//===- ContractionTile.h - tiles of a contraction -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This header defines the tile that a block of threads computes, the layout of
// its factors in shared memory, and the part that each thread computes.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_CONTRACTIONTILE_H
#define TENON_LIB_LOWER_GPU_CONTRACTIONTILE_H

#include "Contraction.h"

namespace tenon::lower {

struct ContractionTile {
  /// The size of a block's tile.
  int64_t rows, columns;
  /// The number of terms of one step.
  int64_t terms;
  /// The part of a thread, or of a warp if tensor cores are used.
  int64_t ownRows, ownColumns;
  int64_t threads;
};

ContractionTile chooseTile(const Contraction &contraction);

/// A tile of a factor in shared memory: lines of terms, one for each row, or
/// lines of rows, one for each term.
struct TileLayout {
  bool linesOfTerms;
  int64_t lineBytes;
  int64_t elementBytes;
  int64_t bytes; // size of the tile

  /// Returns the offset of an element in bytes.
  int64_t offset(int64_t row, int64_t term) const {
    return linesOfTerms ? row * lineBytes + term * elementBytes
                        : term * lineBytes + row * elementBytes;
  }
};

TileLayout layOut(const ContractionFactor &factor, const FactorAccess &access,
                  int64_t rows, int64_t terms, bool useTensorCores);

/// The product of two tiles, as the threads of a block compute it. Every thread
/// has some sums. Groups of its sums are adjacent in a row.
class TileProduct {
public:
  TileProduct(GpuKernelBuilder &kernel, const ContractionTile &tile,
              TileLayout a, TileLayout b)
      : kernel(kernel), tile(tile), a(a), b(b) {}
  virtual ~TileProduct() = default;

  /// Emits code that is the same for all steps.
  virtual void prepare() = 0;
  virtual int64_t countSums() const = 0;
  /// Adds the products of the terms of the tiles at two addresses.
  virtual llvm::SmallVector<mlir::Value>
  step(mlir::Value addressA, mlir::Value addressB, mlir::ValueRange sums) = 0;
  virtual int64_t groupSize() const = 0;
  /// The number of rows of a thread's groups. Its sums are ordered by group.
  virtual int64_t groupRows() const = 0;
  int64_t groupColumns() const {
    return countSums() / groupSize() / groupRows();
  }
  /// Emits the position in the tile of a row of groups, and of the first sum of
  /// a group.
  virtual mlir::Value row(int64_t groupRow) = 0;
  virtual mlir::Value column(int64_t groupColumn) = 0;

protected:
  mlir::Value at(mlir::Value address, int64_t bytes);

  GpuKernelBuilder &kernel;
  const ContractionTile tile;
  const TileLayout a, b;
};

/// Creates a product that uses f32 arithmetic and adds terms in ascending
/// order.
std::unique_ptr<TileProduct> createScalarProduct(GpuKernelBuilder &kernel,
                                                 const ContractionTile &tile,
                                                 TileLayout a, TileLayout b);
/// Creates a product that uses tensor cores, for factors of type `type`.
std::unique_ptr<TileProduct> createMatrixProduct(GpuKernelBuilder &kernel,
                                                 const ContractionTile &tile,
                                                 TileLayout a, TileLayout b,
                                                 mlir::Type type);

/// Rounds the bits of an f32 to tf32, with ties away from zero.
mlir::Value emitTf32(GpuKernelBuilder &kernel, mlir::Value bits);

/// Emits `address` plus `bytes`.
mlir::Value offsetAddress(GpuKernelBuilder &kernel, mlir::Value address,
                          mlir::Value bytes);
mlir::Value offsetAddress(GpuKernelBuilder &kernel, mlir::Value address,
                          int64_t bytes);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_CONTRACTIONTILE_H
