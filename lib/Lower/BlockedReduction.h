//===- BlockedReduction.h - reductions with results in registers ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In matmuls, convolutions and poolings, several results read the same
// elements. A block of results, which is some columns wide and some pixels
// (elements of the next dimension) high, stays in registers during the loops
// over terms, so that elements that its results share are loaded once.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_BLOCKEDREDUCTION_H
#define TENON_LIB_LOWER_BLOCKEDREDUCTION_H

#include "Guards.h"
#include "VectorTerm.h"

namespace tenon::lower {

/// A part [from, to) of the last dimension. Without an end, up to the last.
struct Columns {
  int64_t from = 0;
  std::optional<int64_t> to;
};

class BlockedReduction {
public:
  /// `vectorBits` is the vector width of the target, or 0 if sums may not be
  /// reassociated.
  BlockedReduction(const LoopPlan &plan, unsigned kernelLoop,
                   unsigned vectorBits, Columns columns = {});

  /// Returns true if the kernel loop can be computed in blocks. Requires linear
  /// loads.
  bool isPossible() const { return possible; }
  /// Returns true if the blocks are several pixels high.
  bool hasPixels() const { return pixel.has_value(); }

  /// Emits the kernel loop for one row, like emitKernelLoop.
  void emit(const ExprEmitter &row, mlir::Value pointer, mlir::Value base);

private:
  using Results = llvm::SmallVector<mlir::Value>;
  struct Block;

  bool analyze(unsigned vectorBits, Columns columns);
  bool analyzeGuard(const graph::Expr &condition);
  void chooseOrder();
  void emitColumns(const ExprEmitter &outer, unsigned axis);
  void emitPixels(const ExprEmitter &outer, const Block &block);
  void emitGuarded(const ExprEmitter &outer, const Block &block,
                   mlir::Value from, mlir::Value to);
  void emitTail(const ExprEmitter &outer, int64_t first);
  void emitBlock(const ExprEmitter &outer, const Block &block, bool guarded);
  Results emitTerms(const ExprEmitter &at, const Block &block, bool guarded,
                    llvm::ArrayRef<unsigned> order, Results results,
                    llvm::DenseMap<unsigned, int64_t> &constants);
  Results emitTerm(const ExprEmitter &at, const Block &block, Results results,
                   llvm::DenseMap<unsigned, int64_t> &constants);
  mlir::Value offset(ExprEmitter &at);
  graph::Expr extent(unsigned var) const;

  const LoopPlan &plan;
  const KernelLoop &kernelLoop;
  unsigned lane = 0;
  std::optional<unsigned> pixel;
  int64_t lanes = 0;
  /// The columns that are computed: [from, to).
  int64_t from = 0, to = 0;
  /// The size of blocks of several pixels, and the width of blocks of one
  /// pixel.
  int64_t vectors = 1, pixels = 1, wide = 1;
  std::optional<VectorTerm> term;
  llvm::SmallVector<graph::Expr> guards;
  /// The guards, evaluated at the terms for which they are hardest to satisfy:
  /// the guards that restrict the pixels with all terms, and the others.
  llvm::SmallVector<graph::Expr> pixelGuards, rowGuards;
  /// Reduction variables from the outermost, and how many of the innermost have
  /// constant values: in blocks without guards, and in blocks with guards.
  llvm::SmallVector<unsigned> freeOrder, guardedOrder;
  size_t freeConstants = 0, guardedConstants = 0, guardedVars = 0;
  bool possible = false;
  mlir::Value pointer, base;
};

/// Returns the plan with one row dimension less if blocks then become several
/// pixels high and enough rows remain. Otherwise returns the plan unchanged.
LoopPlan withPixels(LoopPlan plan, unsigned vectorBits);

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_BLOCKEDREDUCTION_H
