//===- BacktrackGraphTest.cpp - graphs known by what they compute ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchBacktrackGraph.h"
#include "TestContext.h"

#include "mlir/Parser/Parser.h"

using namespace tenon;
using namespace tenon::optimize;
using namespace tenon::optimize::test;

namespace {
struct Summary {
  uint64_t hash = 0;
  size_t ops = 0;
};
/// Numbers of kinds are those of one search.
class BacktrackGraph : public testing::Test {
protected:
  Summary outline(llvm::StringRef body) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        ("func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> "
         "tensor<4xf32> {\n" +
         body + "\n}")
            .str(),
        &getContext());
    EXPECT_TRUE(module) << body.str();
    auto graph = backtrack::makeGraph(getFunction(module), kinds);
    backtrack::Outline outline;
    EXPECT_TRUE(backtrack::Outliner().run(*graph, {}, outline));
    return {outline.hash, outline.order.size()};
  }

  cost::CostModel costs = getCosts("t4");
  backtrack::KindTable kinds{costs};
};
} // namespace

static constexpr llvm::StringLiteral model = R"(
  %a = graph.relu %x : tensor<4xf32>
  %b = graph.tanh %y : tensor<4xf32>
  %c = graph.add %a, %b : tensor<4xf32>
  return %c : tensor<4xf32>)";

TEST_F(BacktrackGraph, OrderAndLocationsDoNotMatter) {
  EXPECT_EQ(outline(model).hash, outline(R"(
    %b = graph.tanh %y : tensor<4xf32> loc("here")
    %a = graph.relu %x : tensor<4xf32>
    %c = graph.add %a, %b : tensor<4xf32>
    return %c : tensor<4xf32>)")
                                     .hash);
}

TEST_F(BacktrackGraph, WhatIsNotNeededOrDoneTwiceDoesNotMatter) {
  Summary summary = outline(R"(
    %a = graph.relu %x : tensor<4xf32>
    %b = graph.tanh %y : tensor<4xf32>
    %unused = graph.tanh %b : tensor<4xf32>
    %c = graph.add %a, %b : tensor<4xf32>
    return %c : tensor<4xf32>)");
  EXPECT_EQ(summary.hash, outline(model).hash);
  EXPECT_EQ(summary.ops, 3u);
  EXPECT_EQ(outline(R"(
    %a = graph.relu %x : tensor<4xf32>
    %b = graph.relu %x : tensor<4xf32>
    %c = graph.add %a, %b : tensor<4xf32>
    return %c : tensor<4xf32>)")
                .ops,
            2u);
}

TEST_F(BacktrackGraph, OperandsAndOpsMatter) {
  EXPECT_NE(outline(model).hash, outline(R"(
    %a = graph.relu %x : tensor<4xf32>
    %b = graph.tanh %y : tensor<4xf32>
    %c = graph.add %b, %a : tensor<4xf32>
    return %c : tensor<4xf32>)")
                                     .hash);
  EXPECT_NE(outline(model).hash, outline(R"(
    %a = graph.relu %x : tensor<4xf32>
    %b = graph.sigmoid %y : tensor<4xf32>
    %c = graph.add %a, %b : tensor<4xf32>
    return %c : tensor<4xf32>)")
                                     .hash);
}
