//===- BatchAxesTest.cpp - cuts along the batch, evaluated ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/BatchAxes.h"
#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using interpret::Tensor;

namespace {
class BatchAxesTest : public testing::Test {
protected:
  BatchAxesTest() { context.loadDialect<func::FuncDialect, GraphDialect>(); }

  func::FuncOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return module ? *module->getOps<func::FuncOp>().begin() : func::FuncOp();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::mt19937_64 random{7};
};
} // namespace

/// The rows [first, last) of an axis.
static Tensor slice(const Tensor &tensor, unsigned axis, int64_t first,
                    int64_t last) {
  SmallVector<int64_t> shape(tensor.getShape());
  int64_t before = 1, behind = 1, size = shape[axis];
  for (unsigned other = 0; other < shape.size(); ++other)
    (other < axis ? before : behind) *= other == axis ? 1 : shape[other];
  shape[axis] = last - first;
  Tensor part = *Tensor::allocate(tensor.getElementType(), shape);
  interpret::Cell *to = part.data();
  for (int64_t outer = 0; outer < before; ++outer)
    for (int64_t row = first; row < last; ++row)
      for (int64_t inner = 0; inner < behind; ++inner)
        *to++ = tensor.data()[(outer * size + row) * behind + inner];
  return part;
}

static Tensor getPart(const Tensor &tensor, std::optional<SampleAxis> samples,
                      int64_t first, int64_t last) {
  if (!samples)
    return tensor;
  int64_t rows = *samples->rows.getConstant();
  return slice(tensor, samples->axis, first * rows, last * rows);
}

// Functions of each sample: results for some of the samples are those of the
// function of these alone.
static const char *const kModels[] = {
    // A product, a bias, and a normalization over features.
    R"mlir(func.func @main(%x: tensor<?x4xf32, #graph.dims<n, 4>>, %w: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>> {
  %0 = graph.matmul %x, %w : (tensor<?x4xf32, #graph.dims<n, 4>>, tensor<4x3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  %1 = graph.broadcast %b shape = [n, 3] : (tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  %2 = graph.add %0, %1 : tensor<?x3xf32, #graph.dims<n, 3>>
  %3 = graph.softmax %2 axis = 1 : tensor<?x3xf32, #graph.dims<n, 3>>
  return %3 : tensor<?x3xf32, #graph.dims<n, 3>>
})mlir",
    // Samples with several rows, and heads that are moved before them.
    R"mlir(func.func @main(%x: tensor<?x3x4xf32, #graph.dims<n, 3, 4>>, %w: tensor<4x4xf32>) -> tensor<?x3x4xf32, #graph.dims<n, 3, 4>> {
  %0 = graph.reshape %x shape = [3 * n, 4] : (tensor<?x3x4xf32, #graph.dims<n, 3, 4>>) -> tensor<?x4xf32, #graph.dims<3 * n, 4>>
  %1 = graph.matmul %0, %w : (tensor<?x4xf32, #graph.dims<3 * n, 4>>, tensor<4x4xf32>) -> tensor<?x4xf32, #graph.dims<3 * n, 4>>
  %2 = graph.reshape %1 shape = [n, 3, 2, 2] : (tensor<?x4xf32, #graph.dims<3 * n, 4>>) -> tensor<?x3x2x2xf32, #graph.dims<n, 3, 2, 2>>
  %3 = graph.transpose %2 perm = [2, 0, 1, 3] : (tensor<?x3x2x2xf32, #graph.dims<n, 3, 2, 2>>) -> tensor<2x?x3x2xf32, #graph.dims<2, n, 3, 2>>
  %4 = graph.cumsum %3 axis = 2 : tensor<2x?x3x2xf32, #graph.dims<2, n, 3, 2>>
  %5 = graph.transpose %4 perm = [1, 2, 0, 3] : (tensor<2x?x3x2xf32, #graph.dims<2, n, 3, 2>>) -> tensor<?x3x2x2xf32, #graph.dims<n, 3, 2, 2>>
  %6 = graph.reshape %5 shape = [n, 3, 4] : (tensor<?x3x2x2xf32, #graph.dims<n, 3, 2, 2>>) -> tensor<?x3x4xf32, #graph.dims<n, 3, 4>>
  return %6 : tensor<?x3x4xf32, #graph.dims<n, 3, 4>>
})mlir",
    // Rows of a table, and of one whose rows are equal.
    R"mlir(func.func @main(%i: tensor<?x2xi64, #graph.dims<n, 2>>, %t: tensor<5x3xf32>, %c: tensor<3xf32>) -> tensor<?x2x3xf32, #graph.dims<n, 2, 3>> {
  %0 = graph.gather %t, %i axis = 0 : (tensor<5x3xf32>, tensor<?x2xi64, #graph.dims<n, 2>>) -> tensor<?x2x3xf32, #graph.dims<n, 2, 3>>
  %1 = graph.broadcast %c shape = [n, 3] : (tensor<3xf32>) -> tensor<?x3xf32, #graph.dims<n, 3>>
  %2 = graph.iota shape = [n, 2] axis = 0 of i64 : () -> tensor<?x2xi64, #graph.dims<n, 2>>
  %3 = graph.gather %1, %2 axis = 0 : (tensor<?x3xf32, #graph.dims<n, 3>>, tensor<?x2xi64, #graph.dims<n, 2>>) -> tensor<?x2x3xf32, #graph.dims<n, 2, 3>>
  %4 = graph.add %0, %3 : tensor<?x2x3xf32, #graph.dims<n, 2, 3>>
  return %4 : tensor<?x2x3xf32, #graph.dims<n, 2, 3>>
})mlir",
    // A convolution, pooling, and a concatenation with a slice.
    R"mlir(func.func @main(%x: tensor<?x2x5xf32, #graph.dims<n, 2, 5>>, %w: tensor<3x2x3xf32>) -> tensor<?x4x5xf32, #graph.dims<n, 4, 5>> {
  %0 = graph.conv %x, %w strides = [1] pads = [1, 1] dilations = [1] groups = 1 channels_first : (tensor<?x2x5xf32, #graph.dims<n, 2, 5>>, tensor<3x2x3xf32>) -> tensor<?x3x5xf32, #graph.dims<n, 3, 5>>
  %1 = graph.slice %x starts = [0, 1, 0] sizes = [n, 1, 5] steps = [1, 1, 1] : (tensor<?x2x5xf32, #graph.dims<n, 2, 5>>) -> tensor<?x1x5xf32, #graph.dims<n, 1, 5>>
  %2 = graph.concat %0, %1 axis = 1 : (tensor<?x3x5xf32, #graph.dims<n, 3, 5>>, tensor<?x1x5xf32, #graph.dims<n, 1, 5>>) -> tensor<?x4x5xf32, #graph.dims<n, 4, 5>>
  return %2 : tensor<?x4x5xf32, #graph.dims<n, 4, 5>>
})mlir"};

TEST_F(BatchAxesTest, PartsAreThoseOfTheWhole) {
  constexpr int64_t kSamples = 6;
  for (const char *text : kModels) {
    func::FuncOp model = parse(text);
    ASSERT_TRUE(model) << text;
    Block &body = model.getBody().front();
    FailureOr<BatchAxes> axes = getArgumentBatchAxes(body, model.getLoc());
    ASSERT_TRUE(succeeded(axes));
    ASSERT_TRUE(succeeded(findBatchAxes(body, {}, *axes))) << text;
    SmallVector<Tensor> inputs;
    for (BlockArgument argument : body.getArguments()) {
      auto type = cast<RankedTensorType>(argument.getType());
      SmallVector<int64_t> shape(type.getShape());
      for (int64_t &size : shape)
        size = ShapedType::isDynamic(size) ? kSamples : size;
      inputs.push_back(*Tensor::allocate(type.getElementType(), shape));
      for (int64_t n = 0; n < inputs.back().getNumElements(); ++n)
        if (isa<FloatType>(type.getElementType()))
          inputs.back().data()[n].number =
              static_cast<double>(random() % 1000) / 500 - 1;
        else
          inputs.back().data()[n].integer = random() % 5;
    }
    Value returned = body.getTerminator()->getOperand(0);
    SmallVector<Tensor> whole = *interpret::evaluate(model, inputs, {});
    for (int64_t first = 0; first < kSamples; ++first)
      for (int64_t last = first + 1; last <= kSamples; ++last) {
        SmallVector<Tensor> parts;
        for (auto [argument, input] : llvm::zip(body.getArguments(), inputs))
          parts.push_back(getPart(input, axes->get(argument), first, last));
        SmallVector<Tensor> got = *interpret::evaluate(model, parts, {});
        Tensor expected = getPart(whole[0], axes->get(returned), first, last);
        ASSERT_EQ(got[0].getShape(), expected.getShape()) << text;
        for (int64_t n = 0; n < expected.getNumElements(); ++n)
          ASSERT_EQ(got[0].data()[n].number, expected.data()[n].number)
              << text << "\nsamples " << first << " to " << last;
      }
  }
}
