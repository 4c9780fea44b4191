//===- SizeConditionsTest.cpp - what inference leaves open ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "FormText.h"

#include <gtest/gtest.h>

using namespace tenon::graph;

/// One line per condition of a function of these arguments: its value and text.
static std::string conditionText(llvm::StringRef arguments,
                                 llvm::StringRef body) {
  mlir::MLIRContext context;
  context.loadDialect<GraphDialect, mlir::func::FuncDialect>();
  std::string source =
      ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}\n").str();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module)
    return "error";
  std::string text;
  for (const SizeCondition &condition : collectSizeConditions(*module))
    text += condition.value.str() + " >= 0: " + condition.text + "\n";
  return text;
}

TEST(SizeConditions, EqualSizesLeaveNothingOpen) {
  EXPECT_EQ(
      conditionText("%a: tensor<?x?xf32, #graph.dims<m, k>>, "
                    "%b: tensor<?x4xf32, #graph.dims<k, 4>>",
                    "%0 = graph.matmul %a, %b : (tensor<?x?xf32, "
                    "#graph.dims<m, k>>, tensor<?x4xf32, #graph.dims<k, 4>>) "
                    "-> tensor<?x4xf32, #graph.dims<m, 4>>"),
      "");
}

TEST(SizeConditions, SizesThatMayDifferHaveToBeEqual) {
  EXPECT_EQ(conditionText("%a: tensor<2x?xf32, #graph.dims<2, k>>, "
                          "%b: tensor<?x4xf32, #graph.dims<l, 4>>",
                          "%0 = graph.matmul %a, %b : (tensor<2x?xf32, "
                          "#graph.dims<2, k>>, tensor<?x4xf32, "
                          "#graph.dims<l, 4>>) -> tensor<2x4xf32>"),
            "min(-k + l, k - l) >= 0: graph.matmul: expected size k, but got "
            "l\n");
}

TEST(SizeConditions, StatedResultsHaveToBeWhatIsInferred) {
  EXPECT_EQ(conditionText("%a: tensor<?xf32, #graph.dims<n>>",
                          "%0 = graph.concat %a, %a axis = 0 : (tensor<?xf32, "
                          "#graph.dims<n>>, tensor<?xf32, #graph.dims<n>>) -> "
                          "tensor<6xf32>"),
            "min(-2 * n + 6, 2 * n - 6) >= 0: graph.concat: expected size 2 * "
            "n, but got 6\n");
}

TEST(SizeConditions, SlicesLieInside) {
  EXPECT_EQ(conditionText("%a: tensor<512x2xf32>",
                          "%0 = graph.slice %a starts = [0, 0] sizes = [s, 2] "
                          "steps = [1, 1] : (tensor<512x2xf32>) -> "
                          "tensor<?x2xf32, #graph.dims<s, 2>>"),
            "-s + 512 >= 0: graph.slice: axis 0: expected positions "
            "from 0 to 511, but got s - 1\n");
}

TEST(SizeConditions, KernelsFitPaddedInputs) {
  EXPECT_EQ(
      conditionText(
          "%x: tensor<1x1x?xf32, #graph.dims<1, 1, w>>, %w: tensor<1x1x5xf32>",
          "%0 = graph.conv %x, %w strides = [1] pads = [1, 1] dilations = [1] "
          "groups = 1 channels_first : (tensor<1x1x?xf32, #graph.dims<1, 1, "
          "w>>, tensor<1x1x5xf32>) -> tensor<1x1x?xf32, #graph.dims<1, 1, w - "
          "2>>"),
      "w - 3 >= 0: graph.conv: kernel on spatial axis 0: expected at most w + "
      "2 elements, the padded input, but got 5\n");
}

TEST(SizeConditions, ReshapesKeepTheNumberOfElements) {
  EXPECT_EQ(conditionText("%a: tensor<?xf32, #graph.dims<n>>",
                          "%0 = graph.reshape %a shape = [m, 2] : "
                          "(tensor<?xf32, #graph.dims<n>>) -> tensor<?x2xf32, "
                          "#graph.dims<m, 2>>"),
            "min(-2 * m + n, 2 * m - n) >= 0: graph.reshape: expected size n, "
            "but got 2 * m\n");
}

TEST(SizeConditions, NothingIsGatheredFromNothing) {
  EXPECT_EQ(conditionText("%x: tensor<?xf32, #graph.dims<n>>, "
                          "%i: tensor<3xi64>",
                          "%0 = graph.gather %x, %i axis = 0 : (tensor<?xf32, "
                          "#graph.dims<n>>, tensor<3xi64>) -> tensor<3xf32>"),
            "n - 1 >= 0: graph.gather: axis 0 of x: expected elements to "
            "gather, but got size n\n");
}

TEST(SizeConditions, KernelsHaveElements) {
  EXPECT_EQ(
      conditionText(
          "%x: tensor<1x1x9xf32>, %w: tensor<1x1x?xf32, #graph.dims<1, 1, k>>",
          "%0 = graph.conv_transpose %x, %w strides = [1] pads = [0, 0] "
          "dilations = [1] output_padding = [0] groups = 1 : "
          "(tensor<1x1x9xf32>, tensor<1x1x?xf32, #graph.dims<1, 1, k>>) -> "
          "tensor<1x1x?xf32, #graph.dims<1, 1, k + 8>>"),
      "k - 1 >= 0: graph.conv_transpose: expected a kernel size of at least 1 "
      "on spatial axis 0, but got k\n");
  EXPECT_EQ(
      conditionText(
          "%x: tensor<1x1x9xf32>, %w: tensor<1x1x?xf32, #graph.dims<1, 1, k>>",
          "%0 = graph.conv %x, %w strides = [1] pads = [0, 0] dilations = [1] "
          "groups = 1 channels_first : (tensor<1x1x9xf32>, tensor<1x1x?xf32, "
          "#graph.dims<1, 1, k>>) -> tensor<1x1x?xf32, #graph.dims<1, 1, -k + "
          "10>>"),
      "k - 1 >= 0: graph.conv: expected a kernel size of at least 1 on spatial "
      "axis 0, but got k\n"
      "-k + 9 >= 0: graph.conv: kernel on spatial axis 0: expected at most 9 "
      "elements, the padded input, but got k\n");
}

TEST(SizeConditions, StepsGoSomewhere) {
  EXPECT_EQ(conditionText("%a: tensor<9xf32>",
                          "%0 = graph.slice %a starts = [4] sizes = [1] steps "
                          "= [s - 2] : (tensor<9xf32>) -> tensor<1xf32>"),
            "max(-s + 1, s - 3) >= 0: graph.slice: axis 0: expected a step "
            "other than 0, but got s - 2\n");
}

TEST(SizeConditions, PoolsAreNotAllPadding) {
  EXPECT_EQ(conditionText(
                "%x: tensor<1x1x9xf32>",
                "%0 = graph.max_pool %x kernel = [3] strides = [1] pads = [p, "
                "0] dilations = [1] channels_first : (tensor<1x1x9xf32>) -> "
                "tensor<1x1x?xf32, #graph.dims<1, 1, p + 7>>"),
            "-p + 2 >= 0: graph.max_pool: pads on spatial axis 0: expected "
            "less than 3, the kernel, but got p\n");
}

TEST(SizeConditions, GroupsDivideChannels) {
  EXPECT_EQ(
      conditionText("%x: tensor<1x?x9xf32, #graph.dims<1, c, 9>>, %s: "
                    "tensor<?xf32, #graph.dims<c>>",
                    "%0 = graph.group_norm %x, %s, %s groups = 2 epsilon = "
                    "1.0e-5 : (tensor<1x?x9xf32, #graph.dims<1, c, 9>>, "
                    "tensor<?xf32, #graph.dims<c>>, tensor<?xf32, "
                    "#graph.dims<c>>) -> tensor<1x?x9xf32, #graph.dims<1, c, "
                    "9>>"),
      "2 * ((c) floordiv (2)) - c >= 0: graph.group_norm: groups: expected a "
      "divisor of the c channels, but got 2\n");
}

TEST(SizeConditions, OfNothingThereIsNoLargest) {
  EXPECT_EQ(conditionText("%x: tensor<2x?xf32, #graph.dims<2, n>>",
                          "%0 = graph.argmax %x axis = 1 : (tensor<2x?xf32, "
                          "#graph.dims<2, n>>) -> tensor<2xi64>"),
            "n - 1 >= 0: graph.argmax: axis 1: expected at least 1 element, "
            "but got n\n");
}
