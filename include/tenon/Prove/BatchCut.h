//===- BatchCut.h - that a model may be cut along its batch -----*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BatchAxes.h says which axis of each value has the samples. Here that is
// proved, op by op: for all numbers of samples n and all samples from `begin`
// on, `count` of them,
//
//   op(x, w)[begin ... begin + count] = op(x[begin ... begin + count], w)
//
// where operands with samples (x) are cut along their axes and others (w) are
// whole. By induction on the ops of a block, its results for some of the
// samples are what the block computes for these alone, so that the results for
// the batch are the concatenation of those for its parts.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_BATCHCUT_H
#define TENON_PROVE_BATCHCUT_H

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Prove/Prove.h"

namespace tenon::prove {

/// The theorem of one op; null if it has no result with samples. The number of
/// samples must be a symbol.
mlir::OwningOpRef<rule::RuleOp> makeBatchRule(mlir::Operation *op,
                                              const graph::BatchAxes &axes);

/// Proves the theorems of all ops of a block, of equal ones once. Fails with an
/// error at the first op whose theorem is not proved. `proved`: how many
/// theorems there were.
mlir::LogicalResult proveBatchCut(mlir::Block &body,
                                  const graph::BatchAxes &axes,
                                  const ProveOptions &options,
                                  unsigned &proved);

} // namespace tenon::prove

#endif // TENON_PROVE_BATCHCUT_H
