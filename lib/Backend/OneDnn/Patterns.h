//===- Patterns.h - what oneDNN takes -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_ONEDNN_PATTERNS_H
#define TENON_LIB_BACKEND_ONEDNN_PATTERNS_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// Appends the pieces with `root` (a matmul, a convolution) that oneDNN can run
/// as one call: with ever more of the chain of bias, residual and activations
/// that follows it, and with the transposes around it or without.
void matchChain(mlir::Operation *root, llvm::SmallVectorImpl<Piece> &pieces);

/// As matchChain, for a pool.
void matchPool(mlir::Operation *root, llvm::SmallVectorImpl<Piece> &pieces);

/// Whether it is a pool that oneDNN computes as the graph does, and not by its
/// reference code.
bool isPoolTaken(mlir::Operation *op);

/// The most ops of a chain behind a root.
constexpr unsigned kMostPosts = 8;

/// Takes the op along that alone reads the end of a piece, if the call can do
/// it to its result; then `chain` is what that op computes.
bool takePost(Piece &piece, mlir::Value &chain);

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_ONEDNN_PATTERNS_H
