//===- WinogradTest.cpp - tiles of Winograd convolutions ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/Winograd.h"

#include "gtest/gtest.h"

using namespace tenon::cost;

// Large tiles have a larger weight, which few small images do not pay for.
TEST(Winograd, Tiles) {
  WinogradTiles small = chooseWinogradTiles(3, 1, 7, 7);
  EXPECT_EQ(small.points, 16);
  EXPECT_EQ(small.count, 16);
  EXPECT_EQ(chooseWinogradTiles(3, 32, 7, 7).points, 36);
  WinogradTiles large = chooseWinogradTiles(3, 1, 56, 56);
  EXPECT_EQ(large.points, 36);
  EXPECT_EQ(large.count, 14 * 14);
  // F(4x4, 5x5) does not exist.
  EXPECT_EQ(chooseWinogradTiles(5, 1, 56, 56).points, 36);
  EXPECT_EQ(chooseWinogradTiles(5, 1, 56, 56).count, 28 * 28);
  // No images, or no results.
  EXPECT_EQ(chooseWinogradTiles(3, 0, 56, 56).count, 0);
}
