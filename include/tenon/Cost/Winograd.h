//===- Winograd.h - tiles of Winograd convolutions --------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_WINOGRAD_H
#define TENON_COST_WINOGRAD_H

namespace tenon::cost {

/// F(m x m, r x r) of Lavin and Gray, "Fast Algorithms for Convolutional Neural
/// Networks", CVPR'16: tiles of m x m results, for windows of r x r.
struct WinogradTiles {
  /// Elements of a transformed window, for r * r of the window.
  double points = 0;
  double count = 0;
  /// For each channel, filter and point: multiplications, and what takes as
  /// long, which is to read the element of the weight.
  double work = 0;
};

/// The tiles, of 2x2 or 4x4 results, with the least work for images of `rows`
/// times `columns` results. Windows other than 3x3 have tiles of 2x2 only.
WinogradTiles chooseWinogradTiles(double window, double images, double rows,
                                  double columns);

} // namespace tenon::cost

#endif // TENON_COST_WINOGRAD_H
