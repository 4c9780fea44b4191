//===- KernelKindTest.cpp - kernels that differ in sizes alone ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModule.h"
#include "tenon/Cost/CostModel.h"

#include "gtest/gtest.h"

using namespace tenon;
using namespace tenon::cost;
using namespace tenon::cost::test;

TEST(KernelKind, SizesOfActivationsGo) {
  EXPECT_EQ(getKernelKind("cpu relu: f32[2,3]; relu(0) f32[2,3]; yield 1"),
            "cpu relu: f32[,]; relu(0) f32[,]; yield 1");
  EXPECT_EQ(getKernelKind("cpu neg: bf16[7]; neg(0) bf16[7]; yield 1"),
            "cpu neg: bf16[]; neg(0) bf16[]; yield 1");
  EXPECT_EQ(getKernelKind("cpu and: i1[4,4], ui8[4]; yield 0"),
            "cpu and: i1[,], ui8[]; yield 0");
}

TEST(KernelKind, OneRowStays) {
  EXPECT_EQ(getKernelKind("cpu matmul: f32[1,8], weight f32[8,4]; matmul(0,1) "
                          "f32[1,4]; yield 2"),
            "cpu matmul: f32[1,], weight f32[8,4]; matmul(0,1) f32[1,]; yield "
            "2");
  EXPECT_EQ(getKernelKind("cpu relu: f32[2,1,8]; relu(0) f32[1,1,8]; yield 1"),
            "cpu relu: f32[,1,]; relu(0) f32[,1,]; yield 1");
  EXPECT_EQ(getKernelKind("cpu relu: f32[1,11,8]; relu(0) f32[1]; yield 1"),
            "cpu relu: f32[,,]; relu(0) f32[]; yield 1");
}

TEST(KernelKind, RanksAndElementTypesStay) {
  EXPECT_NE(getKernelKind("cpu relu: f32[2,3]"),
            getKernelKind("cpu relu: f32[2,3,1]"));
  EXPECT_NE(getKernelKind("cpu relu: f32[2,3]"),
            getKernelKind("cpu relu: f64[2,3]"));
}

TEST(KernelKind, SizesOfWeightsStay) {
  EXPECT_EQ(getKernelKind("onednn matmul: f32[8,16], weight f32[16,32]; "
                          "matmul(0,1) f32[8,32]; yield 2"),
            "onednn matmul: f32[,], weight f32[16,32]; matmul(0,1) f32[,]; "
            "yield 2");
}

TEST(KernelKind, AttributesStayButForSizes) {
  EXPECT_EQ(
      getKernelKind("cpu pool: f32[2,8]; max_pool(0) window=[3,3] "
                    "strides=[2,2] f32[2,4]; reshape(1) shape=[4] f32[4]"),
      "cpu pool: f32[,]; max_pool(0) window=[3,3] strides=[2,2] f32[,]; "
      "reshape(1) shape=[] f32[]");
  EXPECT_EQ(getKernelKind("cpu reduce_sum: f32[8,9]; reduce_sum(0) axes=[1] "
                          "f32[8]"),
            "cpu reduce_sum: f32[,]; reduce_sum(0) axes=[1] f32[]");
  for (const char *name : {"sizes", "shape", "starts", "ends", "limits"})
    EXPECT_EQ(getKernelKind(std::string("slice(0) ") + name + "=[1,2] f32[2]"),
              std::string("slice(0) ") + name + "=[,] f32[]");
}

TEST(KernelKind, TextThatIsCutStays) {
  EXPECT_EQ(getKernelKind(""), "");
  EXPECT_EQ(getKernelKind("cpu relu: f32[2"), "cpu relu: f32[2");
}

/// The key of the call in a function with a weight of 3x3x`channels`.
static std::string kindOf(const std::string &n, const std::string &stride) {
  std::string out = stride == "1" ? n : std::to_string(std::stoi(n) / 2);
  std::string x = "tensor<1x" + n + "x" + n + "x4xf32>",
              y = "tensor<1x" + out + "x" + out + "x8xf32>",
              w = "tensor<8x4x2x2xf32>";
  std::string pads = stride == "1" ? "[0, 0, 1, 1]" : "[0, 0, 0, 0]";
  TestModule module("%x: " + x,
                    "%w = graph.parameter @w : " + w +
                        "\n %0 = kernel.call \"onednn\" "
                        "\"conv\"(%x, %w) {\n ^bb0(%a: " +
                        x + ", %b: " + w +
                        "):\n"
                        "%1 = graph.conv %a, %b strides = [" +
                        stride + ", " + stride + "] pads = " + pads +
                        " dilations = [1, 1] groups = 1 channels_last : (" + x +
                        ", " + w + ") -> " + y + "\n kernel.yield %1 : " + y +
                        "\n} : (" + x + ", " + w + ") -> " + y);
  return getKernelKind(getKernelKey(module.get<kernel::CallOp>(), {}));
}

TEST(KernelKind, OfKeysThatKernelsHave) {
  EXPECT_EQ(kindOf("8", "1"), kindOf("32", "1"));
  EXPECT_EQ(kindOf("8", "2"), kindOf("32", "2"));
  EXPECT_NE(kindOf("8", "1"), kindOf("8", "2"));
}
