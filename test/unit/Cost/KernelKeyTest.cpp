//===- KernelKeyTest.cpp - which kernels are equal ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModule.h"
#include "tenon/Cost/CostModel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::cost;
using tenon::cost::test::TestModule;

static constexpr const char *kArguments = "%x: tensor<2x3xf32>";
static const std::string kBody = R"(
    %w = graph.parameter @w : tensor<3x4xf32>
    %0 = kernel.call "onednn" "matmul+clip" (%x, %w) {
    ^bb0(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>):
      %1 = graph.matmul %a, %b
          : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      %2 = graph.clip %1 low = 0.0, high = 6.0 : tensor<2x4xf32>
      kernel.yield %2 : tensor<2x4xf32>
    } : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>)";

static std::string key(const std::string &body,
                       StringRef arguments = kArguments,
                       const Sizes &sizes = {}) {
  return getKernelKey(TestModule(arguments, body).get<kernel::CallOp>(), sizes);
}

/// kBody with every `from` replaced.
static std::string with(StringRef from, StringRef to) {
  std::string text = kBody;
  EXPECT_NE(text.find(from), std::string::npos);
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(KernelKey, IsReadable) {
  EXPECT_EQ(key(kBody),
            "onednn matmul+clip: f32[2,3], weight f32[3,4]; "
            "matmul(0,1) f32[2,4]; "
            "clip(2) high=6.000000e+00 low=0.000000e+00 f32[2,4]; yield 3");
}

TEST(KernelKey, NamesDoNotMatter) {
  EXPECT_EQ(key(with("@w", "@another")), key(kBody));
  EXPECT_EQ(key(with("%1", "%renamed")), key(kBody));
  EXPECT_EQ(key(kBody + " loc(\"conv1\")"), key(kBody));
}

TEST(KernelKey, WhatRunsMatters) {
  EXPECT_NE(key(with("\"onednn\"", "\"cpu\"")), key(kBody));
  EXPECT_NE(key(with("\"matmul+clip\"", "\"matmul\"")), key(kBody));
  EXPECT_NE(key(with("high = 6.0", "high = 7.0")), key(kBody));
  EXPECT_NE(key(with("f32", "f16"), "%x: tensor<2x3xf16>"), key(kBody));
  EXPECT_NE(key(with("2x", "5x"), "%x: tensor<5x3xf32>"), key(kBody));
}

TEST(KernelKey, WeightsMatter) {
  std::string computed =
      with("kernel.call \"onednn\" \"matmul+clip\" (%x, %w)",
           "kernel.call \"onednn\" \"matmul+clip\" (%x, %v)");
  std::string prepared = "%u = graph.parameter @u : tensor<3x4xf32>\n"
                         "%v = graph.exp %u : tensor<3x4xf32>\n" +
                         computed;
  EXPECT_EQ(key(prepared), key(kBody));
  EXPECT_NE(key(computed, "%x: tensor<2x3xf32>, %v: tensor<3x4xf32>"),
            key(kBody));
}

TEST(KernelKey, OrderOfResultsMatters) {
  auto body = [](StringRef yielded) {
    return (R"(
      %0:2 = kernel.call "cpu" "exp+neg" (%x) {
      ^bb0(%a: tensor<2x3xf32>):
        %1 = graph.exp %a : tensor<2x3xf32>
        %2 = graph.neg %a : tensor<2x3xf32>
        kernel.yield )" +
            yielded + R"( : tensor<2x3xf32>, tensor<2x3xf32>
      } : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>))")
        .str();
  };
  EXPECT_NE(key(body("%1, %2")), key(body("%2, %1")));
}

TEST(KernelKey, SizesReplaceSymbols) {
  auto body = [](StringRef type, StringRef size) {
    return (R"(
      %0 = kernel.call "cpu" "broadcast" (%x) {
      ^bb0(%a: tensor<8xf32>):
        %1 = graph.broadcast %a shape = [)" +
            size + R"(, 8] : (tensor<8xf32>) -> )" + type + R"(
        kernel.yield %1 : )" +
            type + R"(
      } : (tensor<8xf32>) -> )" +
            type)
        .str();
  };
  std::string symbolic = body("tensor<?x8xf32, #graph.dims<n, 8>>", "n");
  std::string fixed = body("tensor<4x8xf32>", "4");
  StringRef argument = "%x: tensor<8xf32>";
  EXPECT_EQ(key(symbolic, argument, {{"n", 4}}), key(fixed, argument));
  EXPECT_NE(key(symbolic, argument, {{"n", 5}}), key(fixed, argument));
  EXPECT_NE(key(symbolic, argument).find("f32[n,8]"), std::string::npos);
}

TEST(KernelKey, LargeConstantsCountByType) {
  auto body = [](StringRef value) {
    return (R"(
      %0 = kernel.call "cpu" "pow" (%x) {
      ^bb0(%a: tensor<2xf32>):
        %c = graph.constant dense<)" +
            value + R"(> : tensor<2xf32>
        %1 = graph.pow %a, %c : tensor<2xf32>
        kernel.yield %1 : tensor<2xf32>
      } : (tensor<2xf32>) -> tensor<2xf32>)")
        .str();
  };
  StringRef argument = "%x: tensor<2xf32>";
  EXPECT_EQ(key(body("[1.0, 2.0]"), argument),
            key(body("[3.0, 4.0]"), argument));
  EXPECT_NE(key(body("2.0"), argument), key(body("3.0"), argument));
}
