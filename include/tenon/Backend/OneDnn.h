//===- OneDnn.h - oneDNN as a backend -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This file declares the parts of the backend `onednn` that the backend
// `winograd` also uses: Winograd convolutions support the same epilogues, and
// oneDNN computes their matrix products. createOneDnnBackend (BuiltIn.h)
// creates the backend `onednn`.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_ONEDNN_H
#define TENON_BACKEND_ONEDNN_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// Returns the version of oneDNN on this machine, such as "2.6.3": that of the
/// `libdnnl.so.2` that the dynamic linker finds. Returns an empty string if it
/// cannot be loaded or does not state a version.
std::string getOneDnnVersion();

/// Appends the subgraphs with the root `root` that one LibraryCall can run.
/// The runtime itself applies the post-ops that oneDNN does not support or
/// computes slowly. The subgraphs without transposes come first, ordered by
/// increasing length of their epilogue, of at most eight ops. For a matmul,
/// those with transposes of its operands or its result follow in the same
/// order. Appends nothing if oneDNN cannot run `root`, or if `root` is not a
/// matmul, a convolution or a transposed convolution.
void matchOneDnnProduct(mlir::Operation *root,
                        llvm::SmallVectorImpl<Subgraph> &subgraphs);

/// Returns the oneDNN call for the subgraph in the region of `call`. Fails with
/// a diagnostic if oneDNN does not support the subgraph, which can happen only
/// if a placement plan was edited by hand.
mlir::FailureOr<LibraryCall> describeOneDnnCall(kernel::CallOp call);

} // namespace tenon::backend

#endif // TENON_BACKEND_ONEDNN_H
