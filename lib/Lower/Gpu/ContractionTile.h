//===- ContractionTile.h - tiles of a contraction -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block of threads computes, how its factors lie in shared memory, and
// which part each thread has.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_CONTRACTIONTILE_H
#define TENON_LIB_LOWER_GPU_CONTRACTIONTILE_H

#include "Contraction.h"

namespace tenon::lower {

struct ContractionTile {
  /// Of a block.
  int64_t rows, columns;
  /// Terms of one step.
  int64_t terms;
  /// Of a thread, or with tensor cores of a warp.
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
  int64_t bytes; // of the tile

  /// The offset of an element in bytes.
  int64_t offset(int64_t row, int64_t term) const {
    return linesOfTerms ? row * lineBytes + term * elementBytes
                        : term * lineBytes + row * elementBytes;
  }
};

TileLayout layOut(const ContractionFactor &factor, const FactorAccess &access,
                  int64_t rows, int64_t terms, bool useTensorCores);

/// The product of two tiles, as the threads of a block compute it. Every thread
/// has some sums, of which groups of neighbours lie side by side in a row.
class TileProduct {
public:
  TileProduct(GpuKernelBuilder &kernel, const ContractionTile &tile,
              TileLayout a, TileLayout b)
      : kernel(kernel), tile(tile), a(a), b(b) {}
  virtual ~TileProduct() = default;

  /// Emits what does not change from step to step.
  virtual void prepare() = 0;
  virtual int64_t countSums() const = 0;
  /// Adds the terms of the tiles at two addresses.
  virtual llvm::SmallVector<mlir::Value>
  step(mlir::Value addressA, mlir::Value addressB, mlir::ValueRange sums) = 0;
  virtual int64_t groupSize() const = 0;
  /// The groups of a thread, in the order of its sums, in rows of groups.
  virtual int64_t groupRows() const = 0;
  int64_t groupColumns() const {
    return countSums() / groupSize() / groupRows();
  }
  /// Where in the tile a row of groups is, and the first sum of a group.
  virtual mlir::Value row(int64_t groupRow) = 0;
  virtual mlir::Value column(int64_t groupColumn) = 0;

protected:
  mlir::Value at(mlir::Value address, int64_t bytes);

  GpuKernelBuilder &kernel;
  const ContractionTile tile;
  const TileLayout a, b;
};

/// By multiplying and adding f32 numbers, terms in ascending order.
std::unique_ptr<TileProduct> createScalarProduct(GpuKernelBuilder &kernel,
                                                 const ContractionTile &tile,
                                                 TileLayout a, TileLayout b);
/// By tensor cores, of factors of the type.
std::unique_ptr<TileProduct> createMatrixProduct(GpuKernelBuilder &kernel,
                                                 const ContractionTile &tile,
                                                 TileLayout a, TileLayout b,
                                                 mlir::Type type);

/// The bits of an f32 rounded to what tensor cores take of it, halves away from
/// zero.
mlir::Value emitTf32(GpuKernelBuilder &kernel, mlir::Value bits);

/// `address` and so many bytes more.
mlir::Value offsetAddress(GpuKernelBuilder &kernel, mlir::Value address,
                          mlir::Value bytes);
mlir::Value offsetAddress(GpuKernelBuilder &kernel, mlir::Value address,
                          int64_t bytes);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_CONTRACTIONTILE_H
