//===- KernelClassTest.cpp - kernels whose costs follow the same rates ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/KernelClass.h"
#include "TestModule.h"
#include "tenon/Cost/CostModel.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::cost;
using tenon::cost::test::TestModule;

/// The class of a kernel of one or more ops over %a and %b.
static std::string getClass(llvm::StringRef backend, llvm::StringRef a,
                            llvm::StringRef b, llvm::StringRef ops,
                            llvm::StringRef result, bool isWeight = true) {
  std::string second = isWeight ? ("%y = graph.parameter @w : " + b).str() : "";
  std::string arguments = ("%x: " + a + (isWeight ? "" : ", %y: " + b)).str();
  std::string body = (second + "\n%0 = kernel.call \"" + backend +
                      "\" \"ops\" (%x, %y) {\n^bb0(%a: " + a + ", %b: " + b +
                      "):\n" + ops + "\nkernel.yield %r : " + result +
                      "\n} : (" + a + ", " + b + ") -> " + result)
                         .str();
  return getKernelClass(TestModule(arguments, body).get<kernel::CallOp>());
}

static std::string getProduct(llvm::StringRef backend, int64_t rows,
                              bool isWeight, bool transposes = false) {
  std::string a = "tensor<" + std::to_string(rows) + "x8xf32>";
  std::string b = transposes ? "tensor<4x8xf32>" : "tensor<8x4xf32>";
  std::string r = "tensor<" + std::to_string(rows) + "x4xf32>";
  std::string ops = "%r = graph.matmul %a, %b" +
                    std::string(transposes ? " transpose_b" : "") + " : (" + a +
                    ", " + b + ") -> " + r;
  return getClass(backend, a, b, ops, r, isWeight);
}

TEST(KernelClass, Products) {
  EXPECT_EQ(getProduct("onednn", 16, true), "onednn matmul");
  EXPECT_EQ(getProduct("cpu", 16, true), "cpu matmul, narrow");
  EXPECT_EQ(getProduct("onednn", 1, true), "onednn matvec");
  EXPECT_EQ(getProduct("openblas", 16, false),
            "openblas matmul of activations");
  EXPECT_EQ(getProduct("onednn", 16, false, true),
            "onednn matmul of activations");
  EXPECT_EQ(getProduct("cpu", 16, false, true),
            "cpu matmul of transposed activations");
}

static std::string getConv(int64_t channels, int64_t results, int64_t kernel,
                           int64_t groups, llvm::StringRef backend = "onednn") {
  auto text = [](int64_t number) { return std::to_string(number); };
  std::string a = "tensor<1x" + text(channels) + "x9x9xf32>";
  std::string b = "tensor<" + text(results) + "x" + text(channels / groups) +
                  "x" + text(kernel) + "x" + text(kernel) + "xf32>";
  std::string size = text(10 - kernel);
  std::string r =
      "tensor<1x" + text(results) + "x" + size + "x" + size + "xf32>";
  std::string ops =
      "%c = graph.conv %a, %b strides = [1, 1] pads = [0, 0, 0, 0] dilations = "
      "[1, 1] groups = " +
      text(groups) + " channels_first : (" + a + ", " + b + ") -> " + r +
      "\n%r = graph.relu %c : " + r;
  return getClass(backend, a, b, ops, r);
}

TEST(KernelClass, Convolutions) {
  EXPECT_EQ(getConv(16, 8, 1, 1), "onednn conv 1x1");
  EXPECT_EQ(getConv(16, 8, 3, 1), "onednn conv");
  EXPECT_EQ(getConv(3, 8, 3, 1), "onednn conv of few channels");
  EXPECT_EQ(getConv(16, 16, 3, 16), "onednn depthwise conv");
  EXPECT_EQ(getConv(16, 16, 3, 4), "onednn group conv");
  EXPECT_EQ(getConv(16, 32, 1, 1, "cpu"), "cpu conv 1x1");
  EXPECT_EQ(getConv(16, 12, 1, 1, "cpu"), "cpu conv 1x1, narrow");
}

/// What is computed on the way into a product.
TEST(KernelClass, Computed) {
  std::string type = "tensor<4x16xf32>", weight = "tensor<16x16xf32>";
  std::string matmul =
      "%r = graph.matmul %m, %b : (" + type + ", " + weight + ") -> " + type;
  EXPECT_EQ(getClass("cpu", type, weight,
                     "%m = graph.relu %a : " + type + "\n" + matmul, type),
            "cpu matmul of computed");
  EXPECT_EQ(getClass("cpu", "tensor<16x4xf32>", weight,
                     "%m = graph.transpose %a perm = [1, 0] : "
                     "(tensor<16x4xf32>) -> " +
                         type + "\n" + matmul,
                     type),
            "cpu matmul of transposed");
}

/// Rates are those of f32.
TEST(KernelClass, Types) {
  auto get = [](llvm::StringRef type) {
    return getClass("cpu", type, type,
                    ("%r = graph.add %a, %b : " + type).str(), type,
                    /*isWeight=*/false);
  };
  EXPECT_EQ(get("tensor<4xf32>"), "cpu elementwise");
  for (llvm::StringRef type :
       {"tensor<4xf64>", "tensor<4xf16>", "tensor<4xi32>", "tensor<4xi64>"})
    EXPECT_EQ(get(type), "") << type.str();
  EXPECT_EQ(getClass("cpu", "tensor<4xf16>", "tensor<4xf16>",
                     "%s = graph.add %a, %b : tensor<4xf16>\n"
                     "%r = graph.cast %s to f32 : tensor<4xf16>",
                     "tensor<4xf32>", /*isWeight=*/false),
            "");
}

/// A chain of products has no class.
TEST(KernelClass, Chains) {
  EXPECT_EQ(getClass("cpu", "tensor<4x4xf32>", "tensor<4x4xf32>",
                     "%m = graph.matmul %a, %b : (tensor<4x4xf32>, "
                     "tensor<4x4xf32>) -> tensor<4x4xf32>\n"
                     "%r = graph.matmul %m, %b : (tensor<4x4xf32>, "
                     "tensor<4x4xf32>) -> tensor<4x4xf32>",
                     "tensor<4x4xf32>"),
            "");
}

static std::string getOther(llvm::StringRef ops, llvm::StringRef result) {
  return getClass("cpu", "tensor<4x8xf32>", "tensor<4x8xf32>", ops, result,
                  /*isWeight=*/false);
}

TEST(KernelClass, WhatDecidesMost) {
  EXPECT_EQ(
      getOther("%r = graph.add %a, %b : tensor<4x8xf32>", "tensor<4x8xf32>"),
      "cpu elementwise");
  EXPECT_EQ(getOther("%s = graph.add %a, %b : tensor<4x8xf32>\n"
                     "%r = graph.exp %s : tensor<4x8xf32>",
                     "tensor<4x8xf32>"),
            "cpu functions");
  EXPECT_EQ(
      getOther("%r = graph.transpose %a perm = [1, 0] : (tensor<4x8xf32>) -> "
               "tensor<8x4xf32>",
               "tensor<8x4xf32>"),
      "cpu transpose");
  EXPECT_EQ(getOther("%s = graph.exp %a : tensor<4x8xf32>\n"
                     "%r = graph.concat %s, %b axis = 0 : (tensor<4x8xf32>, "
                     "tensor<4x8xf32>) -> tensor<8x8xf32>",
                     "tensor<8x8xf32>"),
            "cpu copy");
  EXPECT_EQ(getOther("%r = graph.reduce_sum %a axes = [1] : (tensor<4x8xf32>) "
                     "-> tensor<4xf32>",
                     "tensor<4xf32>"),
            "cpu reduce rows");
  EXPECT_EQ(getOther("%r = graph.reduce_sum %a axes = [0] : (tensor<4x8xf32>) "
                     "-> tensor<8xf32>",
                     "tensor<8xf32>"),
            "cpu reduce columns");
  EXPECT_EQ(
      getOther("%t = graph.transpose %a perm = [1, 0] : (tensor<4x8xf32>) -> "
               "tensor<8x4xf32>\n"
               "%r = graph.reduce_sum %t axes = [1] : (tensor<8x4xf32>) -> "
               "tensor<8xf32>",
               "tensor<8xf32>"),
      "cpu reduce rows of transposed");
}

static double predict(const DeviceProfile &profile, bool isComputed) {
  std::string type = "tensor<64x64xf32>";
  std::string types = "(" + type + ", " + type + ") -> " + type;
  std::string ops = isComputed ? "%m = graph.relu %a : " + type +
                                     "\n%r = graph.matmul %m, %b : " + types
                               : "%m = graph.matmul %a, %b : " + types +
                                     "\n%r = graph.relu %m : " + type;
  TestModule module("%x: " + type, "%y = graph.parameter @w : " + type +
                                       "\n%0 = kernel.call \"cpu\" \"ops\" "
                                       "(%x, %y) {\n^bb0(%a: " +
                                       type + ", %b: " + type + "):\n" + ops +
                                       "\nkernel.yield %r : " + type +
                                       "\n} : " + types);
  return CostModel(profile).estimate(module.get<kernel::CallOp>()).seconds;
}

/// The class decides; what has no class is not predicted at the peak of blocked
/// loops if others have rates.
TEST(KernelClass, Rates) {
  DeviceProfile profile = llvm::cantFail(getProfile("cpu"));
  double roofline = predict(profile, false);
  EXPECT_NEAR(predict(profile, true), roofline, roofline * 0.1);
  ClassRates &rates = profile.classes["cpu matmul"];
  rates.start = 3e-3;
  rates.matrixFlop = 1e-9;
  EXPECT_NEAR(predict(profile, false), 3e-3 + 2 * 64 * 64 * 64 * 1e-9, 1e-9);
  // The mean of a log-normal distribution.
  rates.deviation = 0.5;
  EXPECT_NEAR(predict(profile, false),
              (3e-3 + 2 * 64 * 64 * 64 * 1e-9) * std::exp(0.125), 1e-9);
  EXPECT_GT(predict(profile, true), 10 * roofline);
  profile.classes["cpu matmul of computed"].start = 1e-3;
  EXPECT_DOUBLE_EQ(predict(profile, true), 1e-3);
}
