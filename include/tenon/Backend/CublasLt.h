//===- CublasLt.h - cuBLASLt as a backend of GPU programs -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_CUBLASLT_H
#define TENON_BACKEND_CUBLASLT_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// "cublaslt", for matmuls of f32, f16 and bf16 with sums in f32, with
/// transposed operands and with batches of one constant stride (see
/// tenon/Artifact/StridedProduct.h). Operands are read and the result is
/// written through transposes if this condition still holds. Supports a bias,
/// the addition of a tensor, and relu or tanh gelu, in this order.
std::unique_ptr<Backend> createCublasLtBackend();

} // namespace tenon::backend

#endif // TENON_BACKEND_CUBLASLT_H
