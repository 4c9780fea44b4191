//===- Winograd.cpp - tiles of Winograd convolutions ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/Winograd.h"

#include <cmath>

using namespace tenon::cost;

/// The cost of reading one element of a transformed weight, in multiplications.
static constexpr double streamedRows = 31;

WinogradTiles tenon::cost::chooseWinogradTiles(double window, double images,
                                               double rows, double columns) {
  WinogradTiles best;
  for (double m : {2., 4.}) {
    if (m > 2 && window != 3)
      continue;
    WinogradTiles tiles;
    tiles.points = (m + window - 1) * (m + window - 1);
    tiles.count = images * std::ceil(rows / m) * std::ceil(columns / m);
    tiles.work = tiles.count + streamedRows;
    if (best.points == 0 || tiles.points * tiles.work < best.points * best.work)
      best = tiles;
  }
  return best;
}
