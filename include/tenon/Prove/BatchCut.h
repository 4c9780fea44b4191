//===- BatchCut.h - proves that a model may be cut into samples -*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_BATCHCUT_H
#define TENON_PROVE_BATCHCUT_H

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Prove/Prove.h"

#include "llvm/ADT/StringSet.h"

namespace tenon::prove {

/// Proves that a block may be cut along `axes`: checks the premises, and proves
/// the theorems of its ops (tenon/ProofKernel/BatchCut.h) that are not among
/// those that are `proved`, to which they are added. Fails with an error at the
/// first argument or op for which this is not shown.
mlir::LogicalResult proveBatchCut(mlir::Block &body,
                                  const graph::BatchAxes &axes,
                                  const ProveOptions &options,
                                  llvm::StringSet<> &proved);

} // namespace tenon::prove

#endif // TENON_PROVE_BATCHCUT_H
