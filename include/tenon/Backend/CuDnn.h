//===- CuDnn.h - cuDNN as a backend of GPU programs -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_CUDNN_H
#define TENON_BACKEND_CUDNN_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// "cudnn", for 2-D convolutions of f32, f16 and bf16 with sums in f32:
/// channels last, weights that are known when the model is loaded, equal pads
/// on both sides; any strides, dilations and groups. Supports a bias, followed
/// by the addition of a tensor and relu.
std::unique_ptr<Backend> createCuDnnBackend();

} // namespace tenon::backend

#endif // TENON_BACKEND_CUDNN_H
