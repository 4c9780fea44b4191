//===- BatchCut.h - what is claimed of a cut along a batch ------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BatchAxes.h says which axis of each value has the samples. Here it is proved
// that a model may be cut along them. Let P(n) be the model for n samples: the
// same ops, in whose types and attributes n stands for the symbol of their
// number. Then for all n, and all samples from `begin` on, `count` of them,
//
//   P(n)(x, w)[begin ... begin + count] =
//     P(count)(x[begin ... begin + count], w)
//
// where arguments and results with samples (x) are cut along their axes, and
// others (w) are whole. This follows by induction on the ops of a block:
//
//  - For each op that has a result with samples, a theorem says the same, with
//    the op in place of P: on the right, n is replaced by `count` everywhere in
//    the op, not in one axis only.
//  - For each op that has a pooled result, a theorem says that it is pooled: of
//    two parts of a and b samples, with n = a + b,
//
//      n * P(n)(x, w) = a * P(a)(x of a, w) + b * P(b)(x of b, w)
//
//    for a mean, and without the factors for a sum. The first a samples are one
//    part, the others the other one; an operand that is pooled is the sum or
//    the mean of what it is for the parts. For more parts, it follows by
//    induction. A cast of floats or of i64 to
//    floats keeps real numbers and needs no theorem. In a theorem of a mean,
//    other symbols of the op are at least 1: with a size of 0 a mean may be
//    0 / 0, for each part.
//  - Types and attributes show what these theorems presume of each other
//    (checkBatchPremises). An argument or a result with samples has the size
//    n * rows along their axis, and n occurs in no other size of it. What is
//    whole is computed by pure ops in which n does not occur, from what is
//    whole. In a pooled value, n occurs in no size, and no op reads it that has
//    a result with samples. Each operand, and each value that the block
//    returns, is one of the three.
//
// So the results for the batch are the concatenation of those for its parts, or
// their sum or mean. A part has at least one sample: `count` is at least 1.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_BATCHCUT_H
#define TENON_PROOFKERNEL_BATCHCUT_H

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

/// How errors begin at an op of which this is not shown.
inline constexpr llvm::StringLiteral kBatchUnknown =
    "is not known to do with each sample the same: ";

/// The theorem of one op; null if it has no result with samples. The number of
/// samples n must be a symbol. If all values with samples have the same number
/// of rows for each of them, the theorem is about any number of rows in place
/// of n * rows; then n stands for the number of samples of the whole, and
/// another symbol for that of the part, so that no relation to the rows is
/// used.
mlir::OwningOpRef<rule::RuleOp> makeBatchRule(mlir::Operation *op,
                                              const graph::BatchAxes &axes);

/// The theorem of the pooled results of an op; null if it has none. The number
/// of samples must be a symbol.
mlir::OwningOpRef<rule::RuleOp> makePoolingRule(mlir::Operation *op,
                                                const graph::BatchAxes &axes);

/// Checks what the theorems of the ops of a block presume (above). Fails with
/// an error at the first argument or op that does not satisfy it.
mlir::LogicalResult checkBatchPremises(mlir::Block &body,
                                       const graph::BatchAxes &axes);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_BATCHCUT_H
