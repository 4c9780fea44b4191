//===- ContractionTile.cpp - tiles of a contraction -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionTile.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
struct TileChoice {
  ContractionTile tile;
  /// The fraction of peak performance that the tile reaches with enough work.
  double efficiency;
};

// A thread's part is at most 8 x 8, so that sums, factors and addresses fit in
// 128 registers, and two large blocks in a multiprocessor.
constexpr TileChoice kScalarTiles[] = {
    {{128, 128, 8, 8, 8, 256}, 1.0}, {{128, 64, 16, 8, 4, 256}, 0.8},
    {{64, 128, 16, 4, 8, 256}, 0.8}, {{64, 64, 16, 8, 4, 128}, 0.7},
    {{128, 32, 16, 8, 4, 128}, 0.6}, {{32, 128, 16, 4, 8, 128}, 0.6},
    {{32, 64, 16, 4, 4, 128}, 0.45}, {{64, 32, 16, 4, 4, 128}, 0.45},
    {{32, 32, 16, 4, 4, 64}, 0.35},
};

// The part of a warp. A step takes 64 bytes of terms.
constexpr TileChoice kMatrixTiles[] = {
    {{128, 128, 0, 64, 32, 256}, 1.0}, {{128, 64, 0, 64, 32, 128}, 0.85},
    {{64, 128, 0, 32, 64, 128}, 0.85}, {{64, 64, 0, 32, 32, 128}, 0.65},
    {{128, 32, 0, 32, 32, 128}, 0.5},  {{32, 128, 0, 32, 32, 128}, 0.5},
    {{64, 32, 0, 32, 16, 128}, 0.4},   {{32, 64, 0, 16, 32, 128}, 0.4},
    {{32, 32, 0, 16, 16, 128}, 0.25},
};

// The same tiles, for factors that are read one element at a time. With more
// threads, each thread keeps fewer elements in registers.
constexpr TileChoice kNarrowMatrixTiles[] = {
    {{128, 128, 0, 32, 32, 512}, 1.0}, {{128, 64, 0, 32, 32, 256}, 0.8},
    {{64, 128, 0, 32, 32, 256}, 0.8},  {{64, 64, 0, 16, 32, 256}, 0.6},
    {{128, 32, 0, 16, 32, 256}, 0.45}, {{32, 128, 0, 32, 16, 256}, 0.45},
    {{64, 32, 0, 16, 16, 256}, 0.35},  {{32, 64, 0, 16, 16, 256}, 0.35},
    {{32, 32, 0, 16, 16, 128}, 0.25},
};

/// The number of blocks that smaller current data-center GPUs run efficiently
/// at the same time.
constexpr double kBlocksAtOnce = 108;
constexpr int64_t kMatrixTermBytes = 64;
} // namespace

ContractionTile tenon::lower::chooseTile(const Contraction &contraction) {
  double rows = estimateSize(countOf(contraction.rows));
  double columns = estimateSize(countOf(contraction.columns));
  double batch = estimateSize(countOf(contraction.batch));
  auto isNarrow = [](const ContractionFactor &factor) {
    int64_t mostLanes = kWidestAccess / byteWidth(factor.type);
    return analyzeAccess(factor, mostLanes).lanes == 1;
  };
  ArrayRef<TileChoice> choices = kScalarTiles;
  if (contraction.useTensorCores)
    choices = isNarrow(contraction.a) || isNarrow(contraction.b)
                  ? ArrayRef<TileChoice>(kNarrowMatrixTiles)
                  : ArrayRef<TileChoice>(kMatrixTiles);
  // With dynamic sizes, indices have 64 bits, so that 128 registers do not
  // suffice for a thread of a block with more threads.
  constexpr int64_t kMostThreads = 256;
  bool isStatic = countOf(contraction.rows).getConstant() &&
                  countOf(contraction.columns).getConstant() &&
                  countOf(contraction.batch).getConstant();
  const TileChoice *best = nullptr;
  double bestTime = 0;
  for (const TileChoice &choice : choices) {
    if (!isStatic && choice.tile.threads > kMostThreads)
      continue;
    double blocks = std::ceil(rows / choice.tile.rows) *
                    std::ceil(columns / choice.tile.columns) * batch;
    // With many blocks, the load is balanced. With few blocks, some processors
    // are idle.
    double waves =
        std::max(std::ceil(blocks / kBlocksAtOnce), blocks / kBlocksAtOnce);
    double time =
        waves * choice.tile.rows * choice.tile.columns / choice.efficiency;
    if (!best || time < bestTime) {
      best = &choice;
      bestTime = time;
    }
  }
  ContractionTile tile = best->tile;
  if (contraction.useTensorCores)
    tile.terms = kMatrixTermBytes / byteWidth(contraction.a.type);
  return tile;
}

TileLayout tenon::lower::layOut(const ContractionFactor &factor,
                                const FactorAccess &access, int64_t rows,
                                int64_t terms, bool useTensorCores) {
  TileLayout layout;
  layout.elementBytes = byteWidth(factor.type);
  // Tensor cores support both layouts; other threads read neighbouring rows in
  // one access.
  layout.linesOfTerms = useTensorCores && access.alongTerms;
  int64_t line = layout.linesOfTerms ? terms : rows;
  int64_t lines = layout.linesOfTerms ? rows : terms;
  // Accesses to neighbouring lines use different banks: lines of 8 rows of 16
  // bytes, and of 4 terms of 8 numbers of 32 bits.
  int64_t pad =
      useTensorCores && !layout.linesOfTerms && layout.elementBytes == 4
          ? 2 * kWidestAccess
          : kWidestAccess;
  layout.lineBytes = line * layout.elementBytes + pad;
  layout.bytes = lines * layout.lineBytes;
  return layout;
}

Value TileProduct::at(Value address, int64_t bytes) {
  return offsetAddress(kernel, address, bytes);
}

Value tenon::lower::offsetAddress(GpuKernelBuilder &kernel, Value address,
                                  Value bytes) {
  OpBuilder &b = kernel.builder;
  Value number =
      arith::IndexCastOp::create(b, kernel.loc, b.getI64Type(), bytes);
  return LLVM::GEPOp::create(b, kernel.loc, address.getType(), b.getI8Type(),
                             address, ArrayRef<LLVM::GEPArg>{number},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value tenon::lower::offsetAddress(GpuKernelBuilder &kernel, Value address,
                                  int64_t bytes) {
  if (bytes == 0)
    return address;
  OpBuilder &b = kernel.builder;
  return LLVM::GEPOp::create(
      b, kernel.loc, address.getType(), b.getI8Type(), address,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)},
      LLVM::GEPNoWrapFlags::inbounds);
}

Value tenon::lower::emitTf32(GpuKernelBuilder &kernel, Value bits) {
  OpBuilder &b = kernel.builder;
  Location loc = kernel.loc;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     b.getI32IntegerAttr(int32_t(value)));
  };
  Value rounded = arith::AndIOp::create(
      b, loc, arith::AddIOp::create(b, loc, bits, constant(0x1000)),
      constant(0xffffe000));
  // Rounding could turn a NaN into an infinity or a zero.
  Value magnitude = arith::AndIOp::create(b, loc, bits, constant(0x7fffffff));
  Value isNan = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                      magnitude, constant(0x7f800000));
  return arith::SelectOp::create(b, loc, isNan, constant(0x7fffe000), rounded);
}
