//===- ElementwiseFormsTest.cpp - what elementwise ops mean ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormText.h"

#include <gtest/gtest.h>

using namespace tenon::graph;

namespace {
/// The form of a unary op, written `before %x after : tensor<type>`.
std::string unary(const std::string &op, const std::string &type = "f32",
                  const std::string &parameters = "") {
  std::string tensor = "tensor<2x" + type + ">";
  return formText("%x: " + tensor,
                  "%0 = graph." + op + " %x " + parameters + " : " + tensor);
}

std::string binary(const std::string &op, const std::string &type = "f32") {
  std::string tensor = "tensor<2x" + type + ">";
  return formText("%x: " + tensor + ", %y: " + tensor,
                  "%0 = graph." + op + " %x, %y : " + tensor);
}

TEST(ElementwiseForms, OneFunction) {
  EXPECT_EQ(unary("neg"), "neg(x0[i0])");
  EXPECT_EQ(unary("exp", "f16"), "exp(x0[i0])");
  EXPECT_EQ(unary("round"), "round(x0[i0])");
  EXPECT_EQ(unary("bit_not", "ui8"), "not(x0[i0])");
  EXPECT_EQ(unary("reciprocal"), "div(1.000000e+00, x0[i0])");
  EXPECT_EQ(binary("sub", "i32"), "sub(x0[i0], x1[i0])");
  EXPECT_EQ(binary("less_equal", "ui8"), "le(x0[i0], x1[i0])");
  EXPECT_EQ(binary("bit_xor", "i64"), "xor(x0[i0], x1[i0])");
}

TEST(ElementwiseForms, EveryAxisIsAVariable) {
  EXPECT_EQ(formText("%x: tensor<?x2x?xf32, #graph.dims<n, 2, 2 * n>>",
                     "%0 = graph.abs %x : tensor<?x2x?xf32, "
                     "#graph.dims<n, 2, 2 * n>>"),
            "abs(x0[i0, i1, i2])");
  EXPECT_EQ(formText("%x: tensor<f32>", "%0 = graph.abs %x : tensor<f32>"),
            "abs(x0[])");
}

TEST(ElementwiseForms, ActivationsComputeSmallFloatsInF32) {
  EXPECT_EQ(unary("sigmoid"),
            "div(1.000000e+00, add(1.000000e+00, exp(neg(x0[i0]))))");
  EXPECT_EQ(unary("sigmoid", "bf16"),
            "cast<bf16>(div(1.000000e+00, add(1.000000e+00, "
            "exp(neg(cast<f32>(x0[i0]))))))");
  // One step needs no more room than its result.
  EXPECT_EQ(unary("relu", "f16"), "max(x0[i0], 0.000000e+00)");
  EXPECT_EQ(unary("relu", "i8"), "max(x0[i0], 0)");
}

TEST(ElementwiseForms, Softplus) {
  EXPECT_EQ(unary("softplus"),
            "add(log(add(1.000000e+00, exp(neg(abs(x0[i0])))))"
            ", max(x0[i0], 0.000000e+00))");
}

TEST(ElementwiseForms, Parameters) {
  EXPECT_EQ(unary("leaky_relu", "f32", "alpha = 0.5"),
            "select(bool(lt(x0[i0], 0.000000e+00)), mul(5.000000e-01, x0[i0]), "
            "x0[i0])");
  EXPECT_EQ(unary("clip", "f32", "low = -1.0, high = 2.0"),
            "min(max(x0[i0], -1.000000e+00), 2.000000e+00)");
  EXPECT_EQ(unary("shrink", "f32", "lambda = 2.0, bias = 1.0"),
            "select(bool(lt(x0[i0], -2.000000e+00)), add(x0[i0], "
            "1.000000e+00), select(bool(lt(2.000000e+00, x0[i0])), sub(x0[i0], "
            "1.000000e+00), 0.000000e+00))");
}

TEST(ElementwiseForms, Predicates) {
  EXPECT_EQ(unary("is_inf"), "isinf(x0[i0])");
  EXPECT_EQ(unary("is_inf", "f32", "only_positive"),
            "and(isinf(x0[i0]), lt(0.000000e+00, x0[i0]))");
  EXPECT_EQ(unary("is_inf", "f32", "only_negative"),
            "and(isinf(x0[i0]), lt(x0[i0], 0.000000e+00))");
}

TEST(ElementwiseForms, Cast) {
  EXPECT_EQ(unary("cast", "f32", "to i8"), "cast<i8>(x0[i0])");
  EXPECT_EQ(unary("cast", "f32", "to f32"), "x0[i0]");
  // NaN is not 0.
  EXPECT_EQ(unary("cast", "f32", "to i1"), "not(eq(x0[i0], 0.000000e+00))");
}

TEST(ElementwiseForms, Where) {
  EXPECT_EQ(formText("%c: tensor<2xi1>, %x: tensor<2xi8>",
                     "%0 = graph.where %c, %x, %x : tensor<2xi1>, "
                     "tensor<2xi8>, tensor<2xi8>"),
            "select(bool(x0[i0]), x1[i0], x2[i0])");
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

TEST(ReduceForms, BoundVariablesFollowThoseOfTheResult) {
  EXPECT_EQ(formText("%x: tensor<?x3x4x5xf32, #graph.dims<n, 3, 4, 5>>",
                     "%0 = graph.reduce_sum %x axes = [0, 2] : "
                     "(tensor<?x3x4x5xf32, #graph.dims<n, 3, 4, 5>>) -> "
                     "tensor<3x5xf32>"),
            "sum{i2 < n, i3 < 4}(x0[i2, i0, i3, i1])");
  EXPECT_EQ(formText("%x: tensor<?x3x4x5xf32, #graph.dims<n, 3, 4, 5>>",
                     "%0 = graph.reduce_prod %x axes = [0, 2] keepdims : "
                     "(tensor<?x3x4x5xf32, #graph.dims<n, 3, 4, 5>>) -> "
                     "tensor<1x3x1x5xf32>"),
            "prod{i4 < n, i5 < 4}(x0[i4, i1, i5, i3])");
}

TEST(ReduceForms, NoAxes) {
  EXPECT_EQ(formText("%x: tensor<3xf16>",
                     "%0 = graph.reduce_max %x axes = [] : (tensor<3xf16>) -> "
                     "tensor<3xf16>"),
            "x0[i0]");
}

TEST(ReduceForms, SumsOfSmallFloatsAccumulateInF32) {
  EXPECT_EQ(formText("%x: tensor<3xf16>",
                     "%0 = graph.reduce_sum %x axes = [0] : (tensor<3xf16>) -> "
                     "tensor<f16>"),
            "cast<f16>(sum{i0 < 3}(cast<f32>(x0[i0])))");
  EXPECT_EQ(formText("%x: tensor<3xbf16>",
                     "%0 = graph.reduce_max %x axes = [0] : (tensor<3xbf16>) "
                     "-> tensor<bf16>"),
            "max{i0 < 3}(x0[i0])");
  EXPECT_EQ(formText("%x: tensor<3xi8>",
                     "%0 = graph.reduce_sum %x axes = [0] : (tensor<3xi8>) -> "
                     "tensor<i8>"),
            "sum{i0 < 3}(x0[i0])");
}

TEST(ReduceForms, Scans) {
  auto scan = [](const std::string &rest) {
    return formText("%x: tensor<3x4xf32>",
                    "%0 = graph." + rest + " : tensor<3x4xf32>");
  };
  EXPECT_EQ(scan("cumsum %x axis = 1"), "sum{i2 < 4 | (i2 <= i1)}(x0[i0, i2])");
  EXPECT_EQ(scan("cumsum %x axis = 1 exclusive"),
            "sum{i2 < 4 | (i2 < i1)}(x0[i0, i2])");
  EXPECT_EQ(scan("cumsum %x axis = 0 reverse"),
            "sum{i2 < 3 | (i0 <= i2)}(x0[i2, i1])");
  EXPECT_EQ(scan("cumprod %x axis = 0 exclusive reverse"),
            "prod{i2 < 3 | (i0 < i2)}(x0[i2, i1])");
}

TEST(ReduceForms, OpenAxesHaveNoForm) {
  EXPECT_EQ(formText("%x: tensor<3x4xf32>",
                     "%0 = graph.reduce_sum %x axes = [a] : (tensor<3x4xf32>) "
                     "-> tensor<?xf32>"),
            "");
}
} // namespace
