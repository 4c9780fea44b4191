//===- AxisFlowTextTest.cpp - the axis flow of ops ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/AxisFlow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// The axis flow of the last op in `body`.
static std::string flowOf(StringRef arguments, StringRef body) {
  MLIRContext context;
  context.loadDialect<GraphDialect, func::FuncDialect>();
  std::string source =
      ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}\n").str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return "does not parse";
  std::string text;
  module->walk([&](Operation *op) {
    if (isa<GraphDialect>(op->getDialect()))
      text = getAxisFlow(op)->str();
  });
  return text;
}

TEST(AxisFlowText, Elementwise) {
  EXPECT_EQ(
      flowOf("%x: tensor<?x3xf32, #graph.dims<n, 3>>",
             "%0 = graph.add %x, %x : tensor<?x3xf32, #graph.dims<n, 3>>"),
      "axis 0: x0 axis 0, x1 axis 0\naxis 1: x0 axis 1, x1 axis 1\n");
}

TEST(AxisFlowText, MatmulSharesAndReduces) {
  EXPECT_EQ(
      flowOf("%x: tensor<?x?xf32, #graph.dims<m, k>>, "
             "%y: tensor<?x?xf32, #graph.dims<k, n>>",
             "%0 = graph.matmul %x, %y : (tensor<?x?xf32, #graph.dims<m, k>>, "
             "tensor<?x?xf32, #graph.dims<k, n>>) -> tensor<?x?xf32, "
             "#graph.dims<m, n>>"),
      "axis 0: x0 axis 0, x1 shared\naxis 1: x0 shared, x1 axis 1\n"
      "sum over x0 axis 1, x1 axis 0\n");
}

TEST(AxisFlowText, ConvolutionHasHalos) {
  EXPECT_EQ(
      flowOf("%x: tensor<2x3x9x9xf32>, %w: tensor<4x3x3x3xf32>",
             "%0 = graph.conv %x, %w strides = [2, 1] pads = [1, 0, 1, 0] "
             "dilations = [1, 2] groups = 1 channels_first : "
             "(tensor<2x3x9x9xf32>, tensor<4x3x3x3xf32>) -> "
             "tensor<2x4x5x5xf32>"),
      "axis 0: x0 axis 0, x1 shared\n"
      "axis 1: x0 shared, x1 axis 0\n"
      "axis 2: x0 axis 2 at 2 * i - 1 .. 2 * i + 1, x1 shared; by "
      "position\n"
      "axis 3: x0 axis 3 at i .. i + 4, x1 shared; by position\n"
      "sum over x0 axis 1, x1 axis 1\n");
}

TEST(AxisFlowText, ReshapesSplitAndMerge) {
  EXPECT_EQ(flowOf("%x: tensor<6x4xf32>",
                   "%0 = graph.reshape %x shape = [24] : (tensor<6x4xf32>) -> "
                   "tensor<24xf32>"),
            "axis 0: x0 axis 0 at (i) floordiv 4; by position\n");
  EXPECT_EQ(flowOf("%x: tensor<24x5xf32>",
                   "%0 = graph.reshape %x shape = [6, 4, 5] : "
                   "(tensor<24x5xf32>) -> tensor<6x4x5xf32>"),
            "axis 0: x0 axis 0 at 4 * i .. 4 * i + 3; by position\n"
            "axis 1: x0 axis 0 at i .. i + 20; by position\n"
            "axis 2: x0 axis 1\n");
}

TEST(AxisFlowText, CompositesFollowTheirDecomposition) {
  EXPECT_EQ(flowOf("%x: tensor<6x4xf32>",
                   "%0 = graph.softmax %x axis = 1 : tensor<6x4xf32>"),
            "axis 0: x0 axis 0\naxis 1: x0 whole\n");
}
