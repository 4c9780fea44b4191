//===- WeightsTest.cpp - which values are weights ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/Weights.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon;

static constexpr const char *text = R"(
  graph.state @s : tensor<4xf32>
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %parameter = graph.parameter @p : tensor<4xf32>
    %constant = graph.constant dense<2.0> : tensor<4xf32>
    %product = graph.mul %parameter, %constant : tensor<4xf32>
    %wide = graph.broadcast %product shape = [n, 4] : (tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<n, 4>>
    %state = graph.read_state @s : tensor<4xf32>
    %both = graph.add %product, %state : tensor<4xf32>
    %run = graph.add %product, %x : tensor<4xf32>
    %later = graph.neg %run : tensor<4xf32>
    return %later : tensor<4xf32>
  })";

TEST(Weights, DependOnParametersAndConstantsAlone) {
  MLIRContext context;
  context.loadDialect<graph::GraphDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  Block &block = (*module->getOps<func::FuncOp>().begin()).getBody().front();
  std::vector<bool> expected = {true,  true,  true,  true,
                                false, false, false, false};
  graph::WeightAnalysis analysis(block);
  size_t at = 0;
  for (Operation &op : block.without_terminator()) {
    EXPECT_EQ(graph::isWeight(op.getResult(0)), expected[at]) << at;
    EXPECT_EQ(analysis.isWeight(op.getResult(0)), expected[at]) << at;
    EXPECT_EQ(analysis.givesWeights(&op), expected[at]) << at;
    ++at;
  }
  EXPECT_EQ(at, expected.size());
  for (Value value : {Value(), Value(block.getArgument(0))}) {
    EXPECT_FALSE(graph::isWeight(value));
    EXPECT_FALSE(analysis.isWeight(value));
  }
}

TEST(Weights, MeetACondition) {
  MLIRContext context;
  context.loadDialect<graph::GraphDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  Block &block = (*module->getOps<func::FuncOp>().begin()).getBody().front();
  auto condition = [](Operation *op) { return !isa<graph::MulOp>(op); };
  graph::WeightAnalysis analysis(block, condition);
  for (Operation &op : block.without_terminator()) {
    bool expected = isa<graph::ParameterOp, graph::ConstantOp>(op);
    EXPECT_EQ(analysis.givesWeights(&op), expected);
    EXPECT_EQ(graph::givesWeights(&op, condition), expected);
  }
}
