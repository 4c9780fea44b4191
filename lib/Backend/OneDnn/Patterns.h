//===- Patterns.h - subgraphs that oneDNN supports ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_ONEDNN_PATTERNS_H
#define TENON_LIB_BACKEND_ONEDNN_PATTERNS_H

#include "tenon/Backend/Backend.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

namespace tenon::backend {

/// Appends the subgraphs with `root` (a matmul or a convolution) that oneDNN
/// can run as one call: with ever longer prefixes of the epilogue (bias,
/// residual and activations), with and without the transposes around it.
void matchChain(mlir::Operation *root,
                llvm::SmallVectorImpl<Subgraph> &subgraphs);

/// Appends the subgraph of a gradient of a convolution's weight.
void matchBackwardWeight(mlir::Operation *root,
                         llvm::SmallVectorImpl<Subgraph> &subgraphs);

/// Returns whether oneDNN can run this matmul, convolution or transposed
/// convolution; false for other ops.
bool isProductTaken(mlir::Operation *op);

/// Returns whether a transpose of an operand of a matmul, or of its result, is
/// free: oneDNN reads and writes any order of axes whose innermost axis is a
/// matrix axis, such as transposes between heads and positions.
bool isFreeTranspose(graph::TransposeOp op, bool onResult);

/// Returns whether oneDNN can run this gradient of a convolution's weight.
bool isBackwardWeightTaken(mlir::Operation *op);

/// Like matchChain, for a pool.
void matchPool(mlir::Operation *root,
               llvm::SmallVectorImpl<Subgraph> &subgraphs);

/// Returns whether oneDNN computes this pool as the graph does, and not in its
/// reference code.
bool isPoolTaken(mlir::Operation *op);

/// The largest number of ops in an epilogue.
constexpr unsigned kMostPostOps = 8;

/// Adds the only reader of the end of a subgraph, if the call supports it as a
/// post-op; `chain` then becomes the result of that op.
bool takePostOp(Subgraph &subgraph, mlir::Value &chain);

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_ONEDNN_PATTERNS_H
