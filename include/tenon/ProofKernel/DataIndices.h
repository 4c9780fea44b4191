//===- DataIndices.h - indices that are elements of a tensor ----*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gather reads at indices that are data, and so does a resize whose
// coordinates are computed in floating point. Normal forms have indices of
// variables alone, so what an op reads at an index v is stated as a sum over
// all positions of the axis:
//
//   x[clamp(v)] = sum over q in [0, n) with hit(v, q) of x[q]
//
// where hit(v, q) compares elements: v = q; q = 0 and v < 0; or q = n - 1 and
// v >= n. Where an index below 0 counts from the end, v = q - n is a hit, too,
// and the second case is v < -n. For n >= 1, which such ops require, exactly
// one q is hit. An index that is not clamped, at which a scatter reads where a
// guard says that it is inside, hits q = v alone. The guard of a scatter,
// wrap(v) = q, becomes the same kind of comparison.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_DATAINDICES_H
#define TENON_PROOFKERNEL_DATAINDICES_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::prove {

/// Returns the index forms of `op` without indices that depend on data, and
/// sets `readsData` if there were any. Indices that are not of the kinds above
/// are kept; normal forms refuse them.
llvm::SmallVector<graph::IndexForm>
getFormsWithoutData(graph::IndexFormInterface op, bool &readsData);

/// The same for one form, in which the loads of the op's own operands have
/// numbers from `first` on. Other loads are of what its indices are computed
/// from.
graph::IndexForm getFormWithoutData(mlir::Operation *op,
                                    const graph::IndexForm &form,
                                    unsigned first, bool &readsData);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_DATAINDICES_H
