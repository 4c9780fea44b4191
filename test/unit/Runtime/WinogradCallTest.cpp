//===- WinogradCallTest.cpp -----------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallReference.h"

#include "gtest/gtest.h"

#include <malloc.h>

using namespace tenon;
using namespace tenon::runtime;

static Case winograd(Sizes in, Sizes weight, int64_t pad, int64_t groups = 1,
                     bool constant = true) {
  Case test = conv(std::move(in), std::move(weight), {1, 1}, {1, 1}, {pad, pad},
                   {pad, pad}, groups, constant);
  test.library = TENON_LIBRARY_WINOGRAD;
  test.tolerance = 1e-4;
  return test;
}

TEST(WinogradCall, Conv) {
  for (int32_t threads : {1, 2}) {
    auto check = [&](Case test) {
      return CallRun(channelsLast(test)).check(threads);
    };
    EXPECT_EQ(check(winograd({1, 16, 8, 8}, {32, 16, 3, 3}, 1)), "");
    EXPECT_EQ(check(winograd({3, 40, 30, 33}, {24, 20, 3, 3}, 1, 2)), "");
    EXPECT_EQ(check(winograd({2, 32, 9, 11}, {17, 32, 5, 5}, 2)), "");
    // Two parts, one of fewer tiles.
    EXPECT_EQ(check(winograd({1, 16, 110, 102}, {16, 16, 3, 3}, 0)), "");
  }
}

TEST(WinogradCall, Posts) {
  for (bool first : {false, true}) {
    Case test = channelsLast(winograd({2, 16, 10, 9}, {32, 16, 3, 3}, 1));
    test.bias = {{{32}}};
    Operand residual{{2, 32, 10, 9}};
    residual.order = {0, 2, 3, 1};
    PostOp add{TENON_POST_OP_ADD, 0, 0, {residual}}, relu{TENON_POST_OP_RELU};
    PostOp scale{TENON_POST_OP_MUL, 0, 0, {Operand{{1, 32, 1, 1}}}};
    test.postOps = first ? std::vector<PostOp>{relu, add, scale}
                         : std::vector<PostOp>{add, relu, {TENON_POST_OP_TANH}};
    EXPECT_EQ(CallRun(test).check(), "");
    // A slope is no plain rectifier.
    test.postOps = {{TENON_POST_OP_RELU, 0.25}};
    EXPECT_EQ(CallRun(test).check(), "");
  }
}

// Convolutions that winograd does not support run as in oneDNN.
TEST(WinogradCall, OthersArePlain) {
  auto check = [](Case test) { return CallRun(std::move(test)).check(); };
  EXPECT_EQ(check(winograd({1, 16, 8, 8}, {32, 16, 3, 3}, 1)), "");
  EXPECT_EQ(
      check(channelsLast(winograd({1, 16, 8, 8}, {32, 16, 3, 3}, 1, 1, false))),
      "");
  EXPECT_EQ(check(channelsLast(winograd({1, 8, 8, 8}, {32, 8, 3, 3}, 1))), "");
  EXPECT_EQ(check(channelsLast(winograd({1, 32, 8, 8}, {16, 16, 3, 3}, 1, 2))),
            "");
  EXPECT_EQ(check(channelsLast(winograd({1, 16, 8, 8}, {32, 16, 3, 5}, 1))),
            "");
  EXPECT_EQ(check(channelsLast(winograd({1, 16, 9, 9}, {32, 16, 7, 7}, 3))),
            "");
  EXPECT_EQ(check(channelsLast(winograd({1, 0, 8, 8}, {32, 0, 3, 3}, 1))), "");
  Case test = channelsLast(winograd({1, 16, 9, 9}, {32, 16, 3, 3}, 1));
  test.dilations = {2, 2};
  test.result = {1, 32, 7, 7};
  EXPECT_EQ(check(test), "");
  // A weight that lies as [spatial..., c, o].
  test = channelsLast(winograd({1, 16, 8, 8}, {32, 16, 3, 3}, 1));
  test.rhs.order = {2, 3, 1, 0};
  EXPECT_EQ(check(test), "");
}

TEST(WinogradCall, RefusesProducts) {
  Case test = matmul({8, 16}, {16, 32}, {8, 32}, true);
  test.library = TENON_LIBRARY_WINOGRAD;
  EXPECT_EQ(CallRun(test).check(),
            "step 'call': library call number 0 is unknown to this runtime");
}

TEST(WinogradCall, HeapStaysConstant) {
  CallRun call(channelsLast(winograd({1, 16, 8, 8}, {32, 16, 3, 3}, 1)));
  ASSERT_EQ(call.check(), "");
  std::vector<float> actual(CallRun::count(call.test.result));
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(call.call(actual));
  size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 1000; ++i)
    if (!call.call(actual))
      FAIL();
  EXPECT_EQ(::mallinfo2().uordblks, before);
}
