//===- StateArgumentsTest.cpp - states beside index checks ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon::graph;

/// A row at a position that is a state, and the next position.
static constexpr llvm::StringLiteral kStep = R"(
  graph.state @rows : tensor<8x2xf32>
  graph.state @position : tensor<1xi64>
  func.func @step(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
    %p = graph.read_state @position : tensor<1xi64>
    %at = graph.reshape %p shape = [1, 1] : (tensor<1xi64>) -> tensor<1x1xi64>
    %rows = graph.read_state @rows : tensor<8x2xf32>
    %new = graph.scatter_nd %rows, %at, %x none : (tensor<8x2xf32>, tensor<1x1xi64>, tensor<1x2xf32>) -> tensor<8x2xf32>
    graph.write_state @rows, %new : tensor<8x2xf32>
    %one = graph.constant dense<1> : tensor<1xi64>
    %next = graph.add %p, %one : tensor<1xi64>
    graph.write_state @position, %next : tensor<1xi64>
    return %x : tensor<1x2xf32>
  })";

namespace {
class StateArguments : public ::testing::Test {
protected:
  StateArguments() {
    context.loadDialect<func::FuncDialect, GraphDialect>();
    module = parseSourceString<ModuleOp>(kStep, &context);
    function = module->lookupSymbol<func::FuncOp>("step");
  }

  bool functionalize() {
    PassManager passes(&context);
    passes.addPass(createGraphFunctionalizeState());
    return succeeded(passes.run(*module));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};

TEST_F(StateArguments, ChecksFollowStates) {
  ASSERT_TRUE(functionalize());
  EXPECT_EQ(countOwnArguments(function), 1u);
  EXPECT_EQ(countOwnResults(function), 1u);
  EXPECT_EQ(countUncheckedResults(function), 3u);
  EXPECT_EQ(getArgumentState(function, 1).getValue(), "rows");
  EXPECT_EQ(getResultState(function, 2).getValue(), "position");
  EXPECT_FALSE(getArgumentState(function, 0));
  EXPECT_FALSE(getResultState(function, 0));

  OwningOpRef<ModuleOp> holder = ModuleOp::create(function.getLoc());
  auto checks = extractIndexChecks(function, *holder,
                                   [](func::FuncOp) { return success(); });
  ASSERT_TRUE(succeeded(checks));
  ASSERT_TRUE(*checks);
  addIndexChecks(function, *checks);
  ASSERT_TRUE(succeeded(verify(*module)));
  ASSERT_EQ(function.getNumResults(), 4u);
  EXPECT_EQ(countOwnResults(function), 1u);
  EXPECT_EQ(countUncheckedResults(function), 3u);
  EXPECT_FALSE(getIndexCheck(function, 2));
  std::optional<IndexCheck> check = getIndexCheck(function, 3);
  ASSERT_TRUE(check);
  // The position before the run.
  EXPECT_EQ(check->use.indices, function.getArgument(2));
  EXPECT_EQ(check->use.ranges[0].end, SymInt(8));

  dropIndexChecks(function);
  EXPECT_TRUE(succeeded(verify(*module)));
  EXPECT_EQ(function.getNumResults(), 3u);
  EXPECT_EQ(getResultState(function, 1).getValue(), "rows");
}

TEST_F(StateArguments, ChecksAreOfFunctionsWithoutEffects) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> holder = ModuleOp::create(function.getLoc());
  EXPECT_TRUE(failed(extractIndexChecks(
      function, *holder, [](func::FuncOp) { return success(); })));
  EXPECT_EQ(message, "'graph.read_state' op accesses a state: run "
                     "--graph-functionalize-state first");
}
} // namespace
