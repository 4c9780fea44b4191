//===- OneDnn.h - oneDNN as a backend -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_ONEDNN_H
#define TENON_BACKEND_ONEDNN_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

// The backend `winograd` uses the epilogues and matmuls of oneDNN, and
// therefore these functions of the backend `onednn`, which createOneDnnBackend
// (BuiltIn.h) makes.

/// Returns the version of oneDNN on this machine, such as "2.6.3": that of the
/// `libdnnl.so.2` that the dynamic linker finds. Returns an empty string if it
/// cannot be loaded or does not state a version.
std::string getOneDnnVersion();

/// Appends the subgraphs with the root `root` that oneDNN can run in one call,
/// in the order of growing epilogues: first without and then with the
/// transposes around them. Appends nothing if `root` is not a product: a
/// matmul, a convolution or a transposed convolution.
void matchOneDnnProduct(mlir::Operation *root,
                        llvm::SmallVectorImpl<Subgraph> &subgraphs);

/// Returns the oneDNN call for the subgraph in the region of `call`. Fails,
/// with a diagnostic, if the backend `onednn` does not match it: plans can be
/// edited.
mlir::FailureOr<LibraryCall> describeOneDnnCall(kernel::CallOp call);

} // namespace tenon::backend

#endif // TENON_BACKEND_ONEDNN_H
