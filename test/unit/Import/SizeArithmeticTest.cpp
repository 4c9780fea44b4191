//===- SizeArithmeticTest.cpp - exact quotients of sizes ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Import/Onnx/SizeArithmetic.h"

#include "gtest/gtest.h"

using namespace tenon::graph;
using namespace tenon::onnx;

namespace {
SymInt of(const char *text) { return *SymInt::parse(text); }

TEST(SizeArithmetic, DividesExactly) {
  EXPECT_EQ(divideExactly(of("6 * n * m"), of("2 * m"))->str(), "3 * n");
  EXPECT_EQ(divideExactly(of("4 * n + 8"), of("4"))->str(), of("n + 2").str());
  EXPECT_FALSE(divideExactly(of("6 * n + 1"), of("2")));
  EXPECT_FALSE(divideExactly(of("n"), of("m")));
  EXPECT_FALSE(divideExactly(of("n"), of("n + 1")));
}

TEST(SizeArithmetic, IsAtMost) {
  EXPECT_TRUE(isAtLeast(of("n") - of("n floordiv 2"), 0));
  EXPECT_TRUE(isAtLeast(of("m + 1") - of("min(n, m)"), 0));
  EXPECT_TRUE(isAtLeast(of("n + m") - of("n"), 0));
  EXPECT_FALSE(isAtLeast(of("m") - of("n"), 0));
  EXPECT_FALSE(isAtLeast(of("n - 5") - of("(n - 5) floordiv 2"), 0));
}

TEST(SizeArithmetic, RemainingSize) {
  // The place of -1 stands as 1.
  EXPECT_EQ(*remainingSize({of("n"), of("12")}, {of("n"), of("4"), of("1")}),
            SymInt(3));
  EXPECT_EQ(*remainingSize({of("n + 1"), of("m")}, {of("n + 1"), of("1")}),
            of("m"));
  EXPECT_FALSE(remainingSize({of("n")}, {of("0"), of("1")}));
  EXPECT_FALSE(remainingSize({of("n")}, {of("7"), of("1")}));
}
} // namespace
