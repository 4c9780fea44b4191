//===- Winograd.h - Winograd convolution as a backend ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Winograd convolutions F(2x2, 3x3), F(4x4, 3x3) and F(2x2, 5x5) (Lavin and
// Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR'16) need up
// to four times fewer multiplications than a plain convolution. The runtime's
// own transforms run before and after oneDNN's matrix products.
//
// The error of a result is relative to the largest element that its tile reads,
// not to the result's own terms: about ten times that of a plain sum. Tiles
// that are not finite are computed as plain sums by the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_WINOGRAD_H
#define TENON_BACKEND_WINOGRAD_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// "winograd", for f32 convolutions with windows of 3x3 or 5x5, strides and
/// dilations of 1, channels last, at least 16 channels and filters per group,
/// and weights that are known when the model is loaded. It supports the same
/// epilogues as convolutions of oneDNN. Its version is oneDNN's.
std::unique_ptr<Backend> createWinogradBackend();

} // namespace tenon::backend

#endif // TENON_BACKEND_WINOGRAD_H
