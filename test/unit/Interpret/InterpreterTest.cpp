//===- InterpreterTest.cpp - graphs, regions and error bounds -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/Interpreter.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon::interpret;

namespace {
class Interpreter : public ::testing::Test {
protected:
  Interpreter() {
    context.loadDialect<func::FuncDialect, tenon::graph::GraphDialect>();
  }

  func::FuncOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return module ? module->lookupSymbol<func::FuncOp>("main") : func::FuncOp();
  }

  Tensor make(Type type, ArrayRef<int64_t> shape, ArrayRef<double> values) {
    return Tensor::of(type, shape, values);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Type f32 = Float32Type::get(&context);
  Type f16 = Float16Type::get(&context);
};

TEST_F(Interpreter, BlocksTakeSymbolsFromOutside) {
  func::FuncOp function = parse(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<?x2xf32, #graph.dims<m, 2>> {
      %0 = graph.broadcast %x shape = [m, 2] : (tensor<2xf32>) -> tensor<?x2xf32, #graph.dims<m, 2>>
      return %0 : tensor<?x2xf32, #graph.dims<m, 2>>
    })");
  ASSERT_TRUE(function);
  Symbols symbols;
  symbols["m"] = 3;
  auto results = evaluateBlock(function.getBody().front(),
                               {make(f32, {2}, {1, 2})}, symbols, {});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ((*results)[0].getShape(), ArrayRef<int64_t>({3, 2}));
  EXPECT_EQ((*results)[0].data()[5].number, 2.0);
}

TEST_F(Interpreter, InputsBindSymbols) {
  func::FuncOp function = parse(R"(
    func.func @main(%x: tensor<?x?xf32, #graph.dims<n, 2 * m + 1>>, %y: tensor<?xf32, #graph.dims<n>>) {
      return
    })");
  ASSERT_TRUE(function);
  Tensor x = make(f32, {2, 7}, std::vector<double>(14));
  Symbols symbols;
  std::string error;
  ASSERT_TRUE(succeeded(bindSymbols(function.getArgumentTypes(),
                                    {x, make(f32, {2}, {0, 0})}, {"x", "y"},
                                    symbols, error)));
  EXPECT_EQ(symbols.lookup("n"), 2);
  EXPECT_EQ(symbols.lookup("m"), 3);
  symbols.clear();
  EXPECT_TRUE(
      failed(bindSymbols(function.getArgumentTypes(), {x, make(f32, {1}, {0})},
                         {"x", "y"}, symbols, error)));
  EXPECT_EQ(error, "size 'n' is 2 by axis 0 of x, but 1 by axis 0 of y");
}

TEST_F(Interpreter, SaysWhenTheFieldWasLeft) {
  auto usesOpaque = [&](StringRef op) {
    func::FuncOp function = parse(("func.func @main(%x: tensor<2xf32>) -> "
                                   "tensor<2xf32> { %0 = graph." +
                                   op +
                                   " : tensor<2xf32> return %0 : "
                                   "tensor<2xf32> }")
                                      .str());
    Options options;
    options.domain = {Domain::Kind::Field, 3};
    Statistics statistics;
    EXPECT_TRUE(succeeded(
        evaluate(function, {toDomain(make(f32, {2}, {1, 2}), options.domain)},
                 options, &statistics)));
    return statistics.usedOpaqueFunctions;
  };
  EXPECT_FALSE(usesOpaque("mul %x, %x"));
  EXPECT_TRUE(usesOpaque("exp %x"));
}

//===----------------------------------------------------------------------===//
// Error bounds
//===----------------------------------------------------------------------===//

class ErrorBounds : public Interpreter {
protected:
  SmallVector<Tensor> bounded(StringRef text, ArrayRef<Tensor> inputs) {
    Options options;
    options.trackErrors = true;
    auto results = evaluate(parse(text), inputs, options);
    EXPECT_TRUE(succeeded(results));
    return succeeded(results) ? *results : SmallVector<Tensor>();
  }
  SmallVector<Tensor> rounded(ArrayRef<Tensor> inputs) {
    Options options;
    options.domain = {Domain::Kind::F32, 0};
    return *evaluate(module->lookupSymbol<func::FuncOp>("main"), inputs,
                     options);
  }
};

/// What rounds every operation lies within the bound, and the bound is not
/// wide.
TEST_F(ErrorBounds, HoldForRoundedEvaluation) {
  Tensor x = make(f16, {2, 3}, {0.5, -1.25, 2, 0.125, 1.5, -0.75});
  auto results = bounded(R"(
    func.func @main(%x: tensor<2x3xf16>) -> (tensor<2x3xf16>, tensor<2xf16>) {
      %0 = graph.softmax %x axis = 1 : tensor<2x3xf16>
      %1 = graph.exp %0 : tensor<2x3xf16>
      %2 = graph.mul %1, %x : tensor<2x3xf16>
      %3 = graph.reduce_sum %2 axes = [1] : (tensor<2x3xf16>) -> tensor<2xf16>
      return %2, %3 : tensor<2x3xf16>, tensor<2xf16>
    })",
                         {x});
  ASSERT_EQ(results.size(), 2u);
  auto computed = rounded({x});
  for (auto [expected, actual] : llvm::zip(results, computed))
    for (int64_t number = 0; number < expected.getNumElements(); ++number) {
      double value = expected.data()[number].number;
      double bound = expected.errors()[number];
      EXPECT_FALSE(expected.excluded()[number]);
      EXPECT_LE(std::fabs(value - actual.data()[number].number), bound);
      EXPECT_GT(bound, 0);
      EXPECT_LT(bound, 0.2 * (std::fabs(value) + 1));
    }
}

/// The bound of a sum follows its terms, not its value.
TEST_F(ErrorBounds, OfSumsAreRelativeToTheTerms) {
  auto results = bounded(R"(
    func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
      %0 = graph.reduce_sum %x axes = [0] : (tensor<3xf32>) -> tensor<f32>
      return %0 : tensor<f32>
    })",
                         {make(f32, {3}, {1e8, 1, -1e8})});
  EXPECT_EQ(results[0].data()[0].number, 1.0);
  EXPECT_GT(results[0].errors()[0], 8); // f32 may lose the 1, and more
}

TEST_F(ErrorBounds, ExcludeNearTies) {
  // 0.1 * 10 is computed, and may lie on either side of 1.
  auto results = bounded(
      R"(
    func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>, tensor<i64>, tensor<3xi32>) {
      %0 = graph.mul %x, %y : tensor<3xf32>
      %1 = graph.floor %0 : tensor<3xf32>
      %one = graph.constant dense<1.0> : tensor<3xf32>
      %2 = graph.less %0, %one : tensor<3xf32>
      %3 = graph.argmax %0 axis = 0 : (tensor<3xf32>) -> tensor<i64>
      %4 = graph.cast %0 to i32 : tensor<3xf32>
      return %1, %2, %3, %4 : tensor<3xf32>, tensor<3xi1>, tensor<i64>, tensor<3xi32>
    })",
      {make(f32, {3}, {0.1f, 0.55f, 0.3f}), make(f32, {3}, {10, 1.1f, 1.1f})});
  ASSERT_EQ(results.size(), 4u);
  for (unsigned number : {0, 1, 3}) {
    EXPECT_TRUE(results[number].excluded()[0]) << number;
    EXPECT_FALSE(results[number].excluded()[1]) << number;
  }
  EXPECT_FALSE(results[2].excluded()[0]);
  EXPECT_EQ(results[2].data()[0].integer, 0);
}

/// A position is certain where no other number of its line is close; the
/// numbers themselves are sorted stably.
TEST_F(ErrorBounds, OfTopKFollowTheLine) {
  auto results = bounded(
      R"(
    func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi64>) {
      %0 = graph.mul %x, %y : tensor<2x3xf32>
      %1, %2 = graph.top_k %0 axis = 1 k = 2 : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi64>)
      return %1, %2 : tensor<2x2xf32>, tensor<2x2xi64>
    })",
      {make(f32, {2, 3}, {0.1f, 0.9f, 0.3f, 0.1f, 0.2f, 5}),
       make(f32, {2, 3}, {3, 1.1f, 1, 2, 1, 1.1f})});
  ASSERT_EQ(results.size(), 2u);
  for (unsigned number : {0, 1, 2, 3})
    EXPECT_FALSE(results[0].excluded()[number]) << number;
  EXPECT_GT(results[0].errors()[0], 0);
  // 0.99, then 0.3 twice; 5.5, then 0.2 twice.
  for (unsigned number : {0, 2})
    EXPECT_FALSE(results[1].excluded()[number]) << number;
  for (unsigned number : {1, 3})
    EXPECT_TRUE(results[1].excluded()[number]) << number;
}

TEST_F(ErrorBounds, OfArgmaxPoolFollowTheWindow) {
  auto results = bounded(
      R"(
    func.func @main(%x: tensor<1x1x6xf32>, %y: tensor<1x1x6xf32>) -> tensor<1x1x3xi64> {
      %0 = graph.mul %x, %y : tensor<1x1x6xf32>
      %1 = graph.argmax_pool %0 kernel = [3] strides = [2] pads = [1, 0] dilations = [1] channels_first : (tensor<1x1x6xf32>) -> tensor<1x1x3xi64>
      return %1 : tensor<1x1x3xi64>
    })",
      {make(f32, {1, 1, 6}, {0.1f, 0.2f, 0.7f, 0.1f, 0.3f, 0.1f}),
       make(f32, {1, 1, 6}, {1.1f, 3, 1.1f, 1, 1, 3})});
  ASSERT_EQ(results.size(), 1u);
  // {-, 0.11, 0.6}, {0.6, 0.77, 0.1}, {0.1, 0.3, 0.3}.
  const uint8_t *excluded = results[0].excluded();
  EXPECT_FALSE(excluded[0]);
  EXPECT_FALSE(excluded[1]);
  EXPECT_TRUE(excluded[2]);
}

/// Where it hardly matters which side is taken, there is a bound.
TEST_F(ErrorBounds, HoldForContinuousChoices) {
  auto results = bounded(
      R"(
    func.func @main(%x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
      %0 = graph.mul %x, %y : tensor<1xf32>
      %c = graph.constant dense<1.0> : tensor<1xf32>
      %1 = graph.sub %0, %c : tensor<1xf32>
      %2 = graph.elu %1 alpha = 1.0 : tensor<1xf32>
      %3 = graph.leaky_relu %1 alpha = 0.5 : tensor<1xf32>
      %4 = graph.thresholded_relu %0 alpha = 1.0 : tensor<1xf32>
      return %2, %3, %4 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
    })",
      {make(f32, {1}, {0.1f}), make(f32, {1}, {10})});
  ASSERT_EQ(results.size(), 3u);
  for (unsigned number : {0, 1}) {
    EXPECT_FALSE(results[number].excluded()[0]) << number;
    EXPECT_LT(results[number].errors()[0], 1e-5) << number;
  }
  // This one jumps from 0 to 1.
  EXPECT_TRUE(results[2].excluded()[0]);
}

TEST_F(ErrorBounds, AreZeroForWhatIsExact) {
  auto results = bounded(
      R"(
    func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<f32>) {
      %0 = graph.sin %x : tensor<3xf32>
      %1 = graph.exp %y : tensor<3xf32>
      %2 = graph.mul %x, %1 : tensor<3xf32>
      %3 = graph.reduce_sum %y axes = [0] : (tensor<3xf32>) -> tensor<f32>
      return %0, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<f32>
    })",
      {make(f32, {3}, {0, 0, 1}), make(f32, {3}, {0.5, 1.25, -3})});
  ASSERT_EQ(results.size(), 3u);
  for (unsigned number : {0, 1}) {
    EXPECT_EQ(results[number].errors()[0], 0) << number;
    EXPECT_GT(results[number].errors()[2], 0) << number;
  }
  EXPECT_EQ(results[2].errors()[0], 0);
}

/// The remainder by infinity is the dividend, with its error.
TEST_F(ErrorBounds, HoldForRemaindersByInfinity) {
  double infinity = std::numeric_limits<double>::infinity();
  auto results = bounded(R"(
    func.func @main(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
      %0 = graph.sin %x : tensor<1xf32>
      %1 = graph.fmod %0, %y : tensor<1xf32>
      return %1 : tensor<1xf32>
    })",
                         {make(f32, {1}, {1}), make(f32, {1}, {infinity})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FALSE(results[0].excluded()[0]);
  EXPECT_GT(results[0].errors()[0], 0);
}

/// The maximum of two zeros may be either of them, and their inverses differ.
TEST_F(ErrorBounds, LeaveTheSignOfZeroOpen) {
  auto results = bounded(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = graph.round %x : tensor<2xf32>
      %1 = graph.relu %0 : tensor<2xf32>
      %2 = graph.reciprocal %1 : tensor<2xf32>
      return %2 : tensor<2xf32>
    })",
                         {make(f32, {2}, {-0.25, 2})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0].excluded()[0]);
  EXPECT_FALSE(results[0].excluded()[1]);
}

/// Coordinates decide, so compiled code computes them bit for bit.
TEST_F(ErrorBounds, KnowCoordinates) {
  auto results = bounded(R"(
    func.func @main(%x: tensor<1x5xf32>) -> tensor<1x8xf32> {
      %0 = graph.resize %x shape = [1, 8] scales = [1.0, 1.6] nearest half_pixel round_prefer_floor cubic_coeff = -0.75 : (tensor<1x5xf32>) -> tensor<1x8xf32>
      return %0 : tensor<1x8xf32>
    })",
                         {make(f32, {1, 5}, {1, 2, 3, 4, 5})});
  ASSERT_EQ(results.size(), 1u);
  for (unsigned number = 0; number < 8; ++number) {
    EXPECT_FALSE(results[0].excluded()[number]) << number;
    EXPECT_EQ(results[0].errors()[number], 0) << number;
  }
}

/// atan is finite at infinity, and as inexact there as elsewhere.
TEST_F(ErrorBounds, HoldAtInfinity) {
  double infinity = std::numeric_limits<double>::infinity();
  auto results = bounded(R"(
    func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %0 = graph.atan %x : tensor<1xf32>
      return %0 : tensor<1xf32>
    })",
                         {make(f32, {1}, {infinity})});
  EXPECT_FALSE(results[0].excluded()[0]);
  EXPECT_GT(results[0].errors()[0], 1e-8);
}

TEST_F(ErrorBounds, ExcludeWhatMayOverflow) {
  auto results = bounded(R"(
    func.func @main(%x: tensor<3xf16>) -> tensor<3xf16> {
      %0 = graph.mul %x, %x : tensor<3xf16>
      return %0 : tensor<3xf16>
    })",
                         {make(f16, {3}, {100, 255.875, 1000})});
  EXPECT_FALSE(results[0].excluded()[0]);
  EXPECT_TRUE(results[0].excluded()[1]);
  // Certainly beyond 65504.
  EXPECT_FALSE(results[0].excluded()[2]);
  EXPECT_TRUE(std::isinf(results[0].data()[2].number));
}
} // namespace
