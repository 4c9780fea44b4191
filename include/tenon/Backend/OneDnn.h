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

/// The families of ops to match; every matched subgraph can be described.
struct OneDnnFamilies {
  /// Matmuls, convolutions and transposed convolutions with their epilogue:
  /// bias, residual and activations.
  bool products = true;
  /// Maximum and average pools, with their epilogue.
  bool pools = true;
  /// Softmax, layer normalization and local response normalization.
  bool norms = true;
};

/// "onednn", for f32.
std::unique_ptr<Backend> createOneDnnBackend(OneDnnFamilies families = {});

//===----------------------------------------------------------------------===//
// Functions for backends that are built on oneDNN
//===----------------------------------------------------------------------===//

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
