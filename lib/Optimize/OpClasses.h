//===- OpClasses.h - which ops libraries fuse ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_OPCLASSES_H
#define TENON_LIB_OPTIMIZE_OPCLASSES_H

#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::optimize {

// A model of what the libraries of backends run in one kernel. It does not ask
// the backends of this machine, so that the optimized graph is the same
// everywhere.

/// The ops whose kernels take a chain of elementwise ops after them.
inline bool isLibraryRoot(mlir::Operation *op) {
  return mlir::isa<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp>(op);
}

/// The ops that only move elements. Generated code computes them where their
/// results are read.
inline bool isMovement(mlir::Operation *op) {
  return mlir::isa<graph::SliceOp, graph::SplitOp, graph::TransposeOp,
                   graph::BroadcastOp, graph::ConcatOp, graph::PadOp,
                   graph::ReverseOp>(op);
}

} // namespace tenon::optimize

#endif // TENON_LIB_OPTIMIZE_OPCLASSES_H
