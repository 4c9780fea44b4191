//===- Winograd.h - convolutions by minimal filtering ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Winograd's minimal filtering, F(2x2, 3x3), F(4x4, 3x3) and F(2x2, 5x5) (Lavin
// and Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR'16): up
// to four times fewer multiplications than a plain convolution, transforms of
// the runtime's own before and after them, and oneDNN's matrix products
// between.
//
// The error of a result is relative to the largest element that its tile meets,
// not to the result's own terms: about ten times that of a plain sum. Where a
// tile is not finite, the runtime computes it as plain sums.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_WINOGRAD_H
#define TENON_BACKEND_WINOGRAD_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// "winograd", for f32 convolutions with windows of 3x3 or 5x5, strides and
/// dilations of 1, channels last, at least 16 channels and filters a group, and
/// weights that exist once the model is loaded; with what may follow a
/// convolution of oneDNN. Its version is oneDNN's.
std::unique_ptr<Backend> createWinogradBackend();

} // namespace tenon::backend

#endif // TENON_BACKEND_WINOGRAD_H
