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

/// What is matched; every piece can be described.
struct OneDnnFamilies {
  /// Matmuls, convolutions and transposed convolutions with the bias, residual
  /// and activations that follow them.
  bool products = true;
  /// Maximum and average pools, with what follows them.
  bool pools = true;
  /// Softmax, layer and local response normalization.
  bool norms = true;
};

/// "onednn", for f32.
std::unique_ptr<Backend> createOneDnnBackend(OneDnnFamilies families = {});

//===----------------------------------------------------------------------===//
// For backends that are built upon it
//===----------------------------------------------------------------------===//

/// Of the library as it would be loaded on this machine; empty: it is not here.
std::string getOneDnnVersion();

/// Appends the pieces with this matmul or convolution as their root, if it is
/// one that oneDNN can run.
void matchOneDnnProduct(mlir::Operation *root,
                        llvm::SmallVectorImpl<Piece> &pieces);

/// The call of oneDNN that a placed piece is.
mlir::FailureOr<LibraryCall> describeOneDnnCall(kernel::CallOp call);

} // namespace tenon::backend

#endif // TENON_BACKEND_ONEDNN_H
