//===- StatesTest.cpp - runs over one store of states -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/States.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon::interpret;

static constexpr llvm::StringLiteral kCounter = R"(
  graph.state @count : tensor<1xi64>
  graph.state @rows : tensor<3xf32> = dense<-1.0>
  // Puts x at the count, which it raises, and gives the count before, and the
  // rows after.
  func.func @push(%x: tensor<1xf32>) -> (tensor<1xi64>, tensor<3xf32>) {
    %before = graph.read_state @count : tensor<1xi64>
    %one = graph.constant dense<1> : tensor<1xi64>
    %after = graph.add %before, %one : tensor<1xi64>
    graph.write_state @count, %after : tensor<1xi64>
    %rows = graph.read_state @rows : tensor<3xf32>
    %put = graph.scatter_elements %rows, %before, %x axis = 0 none : (tensor<3xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<3xf32>
    graph.write_state @rows, %put : tensor<3xf32>
    %seen = graph.read_state @rows : tensor<3xf32>
    return %before, %seen : tensor<1xi64>, tensor<3xf32>
  }
  // Gives the count before, whose first use comes after the write.
  func.func @reset() -> tensor<1xi64> {
    %before = graph.read_state @count : tensor<1xi64>
    %zero = graph.constant dense<0> : tensor<1xi64>
    graph.write_state @count, %zero : tensor<1xi64>
    return %before : tensor<1xi64>
  })";

namespace {
/// Entries that access states by ops, and the same after
/// --graph-functionalize-state.
class StatesTest : public ::testing::TestWithParam<bool> {
protected:
  StatesTest() {
    context.loadDialect<func::FuncDialect, tenon::graph::GraphDialect>();
    options.checkIndices = true;
    module = parseSourceString<ModuleOp>(kCounter, &context);
    if (!GetParam())
      return;
    PassManager passes(&context);
    passes.addPass(tenon::graph::createGraphFunctionalizeState());
    if (failed(passes.run(*module)))
      module = nullptr;
  }

  FailureOr<SmallVector<Tensor>> run(StringRef entry, ArrayRef<Tensor> inputs,
                                     States &states) {
    return evaluateEntry(module->lookupSymbol<func::FuncOp>(entry), inputs,
                         states, options);
  }
  FailureOr<SmallVector<Tensor>> push(double x, States &states) {
    return run("push", {Tensor::of(Float32Type::get(&context), {1}, {x})},
               states);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Options options;
};

TEST_P(StatesTest, ARunSeesWhatRunsBeforeItWrote) {
  ASSERT_TRUE(module);
  FailureOr<States> states = getInitialStates(*module, options);
  ASSERT_TRUE(succeeded(states));
  EXPECT_EQ(states->size(), 2u);
  for (int64_t number = 0; number < 3; ++number) {
    auto results = push(10.0 + number, *states);
    ASSERT_TRUE(succeeded(results));
    ASSERT_EQ(results->size(), 2u);
    EXPECT_EQ((*results)[0].data()[0].integer, number);
    EXPECT_EQ((*results)[1].data()[number].number, 10.0 + number);
    EXPECT_EQ((*results)[1].data()[2].number, number == 2 ? 12.0 : -1.0);
  }
  auto before = run("reset", {}, *states);
  ASSERT_TRUE(succeeded(before));
  EXPECT_EQ((*before)[0].data()[0].integer, 3);
  EXPECT_EQ((*states)["count"].data()[0].integer, 0);
  EXPECT_EQ((*states)["rows"].data()[1].number, 11.0);
}

TEST_P(StatesTest, AFailedRunLeavesStates) {
  ASSERT_TRUE(module);
  FailureOr<States> states = getInitialStates(*module, options);
  ASSERT_TRUE(succeeded(states));
  for (int64_t number = 0; number < 3; ++number)
    ASSERT_TRUE(succeeded(push(number, *states)));
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  // The count was written before the index was found to be out of range.
  EXPECT_TRUE(failed(push(3, *states)));
  EXPECT_NE(message.find("expected indices from -3 to 2 for axis 0, but got 3"),
            std::string::npos)
      << message;
  EXPECT_EQ((*states)["count"].data()[0].integer, 3);
}

TEST_P(StatesTest, StoresAreIndependent) {
  ASSERT_TRUE(module);
  FailureOr<States> a = getInitialStates(*module, options);
  ASSERT_TRUE(succeeded(a));
  States b = *a;
  ASSERT_TRUE(succeeded(push(5, *a)));
  EXPECT_EQ((*a)["rows"].data()[0].number, 5.0);
  EXPECT_EQ(b["rows"].data()[0].number, -1.0);
  EXPECT_EQ(b["count"].data()[0].integer, 0);
}

TEST_P(StatesTest, CountsInputsWithoutStates) {
  ASSERT_TRUE(module);
  FailureOr<States> states = getInitialStates(*module, options);
  ASSERT_TRUE(succeeded(states));
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(run("push", {}, *states)));
  EXPECT_EQ(message, "expected 1 inputs, but got 0");
  States none;
  EXPECT_TRUE(failed(push(1, none)));
}

INSTANTIATE_TEST_SUITE_P(Forms, StatesTest, ::testing::Bool(),
                         [](const auto &info) {
                           return info.param ? "Arguments" : "Ops";
                         });
} // namespace
