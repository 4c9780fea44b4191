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

/// Returns the version of the library that this machine would load; empty if it
/// is not installed.
std::string getOneDnnVersion();

/// Appends the subgraphs with this matmul or convolution as their root, if
/// oneDNN can run it.
void matchOneDnnProduct(mlir::Operation *root,
                        llvm::SmallVectorImpl<Subgraph> &subgraphs);

/// Returns the oneDNN call for a placed subgraph.
mlir::FailureOr<LibraryCall> describeOneDnnCall(kernel::CallOp call);

} // namespace tenon::backend

#endif // TENON_BACKEND_ONEDNN_H
