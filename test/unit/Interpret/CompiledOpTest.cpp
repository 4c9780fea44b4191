//===- CompiledOpTest.cpp - ops that are evaluated many times -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Interpret/CompiledOp.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace tenon::interpret;

/// Index forms, several results, constants in a decomposition, and one that
/// decomposes into others that do.
static constexpr const char *source = R"(
func.func @main(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %i: tensor<1x2x4x4xf32>,
                %k: tensor<3x2x3x3xf32>, %s: tensor<4xf32>) {
  %0 = graph.matmul %a, %b : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %1:2 = graph.split %a axis = 1 sizes = [1, 3] : (tensor<3x4xf32>) -> (tensor<3x1xf32>, tensor<3x3xf32>)
  %2 = graph.softmax %a axis = 1 : tensor<3x4xf32>
  %3 = graph.conv %i, %k strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 1 channels_first : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  %4 = graph.rms_norm %a, %s axis = 1 epsilon = 1.0e-05 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %5 = graph.relu %a : tensor<3x4xf32>
  return
}
)";

TEST(CompiledOp, AgreesWithTheInterpreter) {
  MLIRContext context;
  context.loadDialect<tenon::graph::GraphDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(source, &context);
  ASSERT_TRUE(module);
  std::mt19937_64 random(5);
  unsigned numOps = 0;
  for (auto kind :
       {Domain::Kind::F64, Domain::Kind::F32, Domain::Kind::Field}) {
    Options options;
    options.domain = {kind, 11};
    for (Operation &op : (*module->getOps<func::FuncOp>().begin())
                             .front()
                             .without_terminator()) {
      auto compiled = CompiledOp::compile(&op, options.domain);
      ASSERT_TRUE(succeeded(compiled));
      // The first evaluation leaves nothing behind for the second.
      for (unsigned round = 0; round < 2; ++round) {
        SmallVector<Tensor> operands;
        for (Type type : op.getOperandTypes()) {
          auto tensor = cast<RankedTensorType>(type);
          std::vector<double> numbers(tensor.getNumElements());
          for (double &number : numbers)
            number = static_cast<int64_t>(random() % 17) - 8;
          operands.push_back(toDomain(
              Tensor::of(tensor.getElementType(), tensor.getShape(), numbers),
              options.domain));
        }
        auto expected = evaluateOp(&op, operands, {}, options);
        std::string error;
        auto found = compiled->evaluate(operands, error);
        ASSERT_TRUE(succeeded(expected) && succeeded(found)) << error;
        ASSERT_EQ(expected->size(), found->size());
        for (auto [a, b] : llvm::zip(*expected, *found)) {
          ASSERT_EQ(a.getShape(), b.getShape());
          for (int64_t n = 0; n < a.getNumElements(); ++n)
            EXPECT_EQ(a.data()[n].integer, b.data()[n].integer);
        }
      }
      ++numOps;
    }
  }
  EXPECT_EQ(numOps, 18u);
}

TEST(CompiledOp, NeedsConstantSizes) {
  MLIRContext context;
  context.loadDialect<tenon::graph::GraphDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(
      "func.func @main(%a: tensor<?xf32, #graph.dims<n>>) {\n"
      "  %0 = graph.relu %a : tensor<?xf32, #graph.dims<n>>\n"
      "  return\n}\n",
      &context);
  ASSERT_TRUE(module);
  std::string text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    text = diagnostic.str();
    return success();
  });
  Operation &op = (*module->getOps<func::FuncOp>().begin()).front().front();
  EXPECT_TRUE(failed(CompiledOp::compile(&op, {Domain::Kind::F64, 0})));
  EXPECT_NE(text.find("expected a static shape"), std::string::npos) << text;
}
