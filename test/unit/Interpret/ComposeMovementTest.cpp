//===- ComposeMovementTest.cpp - chains of movements, evaluated -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"
#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using interpret::Tensor;

namespace {
/// Appends random movements, and products, to a value.
class ChainDrawer {
public:
  ChainDrawer(OpBuilder &builder, Value value, unsigned seed)
      : builder(builder), value(value), random(seed) {}

  void drawMovement();
  void multiply(Value matrix, Value row);
  Value get() const { return value; }

private:
  unsigned draw(unsigned count) { return random() % count; }
  Location loc() const { return builder.getUnknownLoc(); }
  DimsAttr dims(ArrayRef<SymInt> entries) {
    return DimsAttr::get(builder.getContext(), entries);
  }
  void reshape(ArrayRef<SymInt> shape) {
    value = ReshapeOp::create(builder, loc(), value, dims(shape));
  }
  void drawReshape(Shape shape);
  void drawSlice(Shape shape);
  void drawSplit(Shape shape);

  OpBuilder &builder;
  Value value;
  std::mt19937 random;
};

class ComposeMovementTest : public testing::Test {
protected:
  ComposeMovementTest() {
    context.loadDialect<func::FuncDialect, GraphDialect>();
  }

  func::FuncOp drawFunction(unsigned seed);
  Tensor run(func::FuncOp function, int64_t samples);

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

void ChainDrawer::drawReshape(Shape shape) {
  unsigned axis = draw(shape.size());
  switch (draw(4)) {
  case 0: // an axis of one element
    shape.insert(shape.begin() + axis, SymInt(1));
    break;
  case 1: { // two axes become one
    if (axis + 1 == shape.size())
      return;
    shape[axis] = shape[axis] * shape[axis + 1];
    shape.erase(shape.begin() + axis + 1);
    break;
  }
  case 2: { // one axis becomes two
    SymInt factor = draw(2) ? SymInt(2 + draw(3)) : SymInt::symbol("n");
    SymInt rest = shape[axis].floorDiv(factor);
    if (rest * factor != shape[axis])
      return;
    bool isOuter = draw(2);
    shape[axis] = isOuter ? factor : rest;
    shape.insert(shape.begin() + axis + 1, isOuter ? rest : factor);
    break;
  }
  default: // axes of one element go
    llvm::erase_if(shape, [](const SymInt &size) { return size == SymInt(1); });
    if (shape.empty())
      return;
  }
  reshape(shape);
}

void ChainDrawer::drawSlice(Shape shape) {
  Shape starts(shape.size(), SymInt(0)), steps(shape.size(), SymInt(1));
  unsigned axis = draw(shape.size());
  std::optional<int64_t> size = shape[axis].getConstant();
  if (!size || *size < 2)
    return;
  int64_t start = draw(*size), step = 1 + draw(2);
  int64_t most = (*size - start + step - 1) / step;
  if (draw(3) == 0) {
    // Backwards.
    start = draw(4) ? start : *size - 1;
    step = -step;
    most = start / -step + 1;
  }
  starts[axis] = start;
  steps[axis] = step;
  shape[axis] = draw(2) ? most : 1 + draw(most);
  value = SliceOp::create(builder, loc(), value, dims(starts), dims(shape),
                          dims(steps));
}

void ChainDrawer::drawSplit(Shape shape) {
  unsigned axis = draw(shape.size());
  std::optional<int64_t> size = shape[axis].getConstant();
  if (!size || *size < 2)
    return;
  int64_t first = 1 + draw(*size - 1);
  auto split = SplitOp::create(builder, loc(), value, axis,
                               dims({SymInt(first), SymInt(*size - first)}));
  value = split.getResult(draw(2));
}

void ChainDrawer::drawMovement() {
  Shape shape = getShape(value);
  switch (draw(6)) {
  case 0:
    return drawSlice(shape);
  case 5:
    return drawSplit(shape);
  case 1:
  case 2: {
    auto perm = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    std::shuffle(perm.begin(), perm.end(), random);
    value = TransposeOp::create(builder, loc(), value,
                                getInts(builder.getContext(), perm));
    return;
  }
  default:
    drawReshape(shape);
  }
}

/// Multiplies rows of 12 elements with a matrix, and perhaps adds a row.
void ChainDrawer::multiply(Value matrix, Value row) {
  Shape shape = getShape(value);
  if (shape.size() < 2 || shape.back() != SymInt(12))
    return;
  bool transposed = draw(2);
  value = MatmulOp::create(builder, loc(), value, matrix, false, transposed);
  if (draw(3) == 0)
    return;
  Value rows = BroadcastOp::create(builder, loc(), row, dims(getShape(value)));
  bool isFirst = draw(2);
  value = AddOp::create(builder, loc(), isFirst ? rows : value,
                        isFirst ? value : rows);
}

func::FuncOp ComposeMovementTest::drawFunction(unsigned seed) {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  module = ModuleOp::create(loc);
  Type f32 = builder.getF32Type();
  static const Shape kShapes[] = {{4, SymInt::symbol("n"), 12},
                                  {SymInt::symbol("n"), 6, 2, 6},
                                  {1, 8, 1, 12},
                                  {SymInt::symbol("n") * SymInt(4), 3, 12}};
  SmallVector<Type> arguments{getTensorType(kShapes[seed % 4], f32),
                              getTensorType(Shape{12, 12}, f32),
                              getTensorType(Shape{12}, f32)};
  auto function = func::FuncOp::create(builder, loc, "main",
                                       builder.getFunctionType(arguments, {}));
  module->push_back(function);
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  ChainDrawer drawer(builder, body->getArgument(0), seed);
  std::mt19937 random(seed);
  for (unsigned number = 0; number < 9; ++number) {
    drawer.drawMovement();
    if (random() % 2)
      drawer.multiply(body->getArgument(1), body->getArgument(2));
  }
  func::ReturnOp::create(builder, loc, drawer.get());
  function.setType(builder.getFunctionType(arguments, drawer.get().getType()));
  return function;
}

Tensor ComposeMovementTest::run(func::FuncOp function, int64_t samples) {
  SmallVector<Tensor> inputs;
  for (Type argument : function.getArgumentTypes()) {
    SmallVector<int64_t> sizes;
    for (const SymInt &size : getShape(argument))
      sizes.push_back(*size.evaluate([&](StringRef) { return samples; }));
    inputs.push_back(*Tensor::allocate(Float32Type::get(&context), sizes));
    for (int64_t n = 0; n < inputs.back().getNumElements(); ++n)
      inputs.back().data()[n].number = 3 * n % 1009;
  }
  return (*interpret::evaluate(function, inputs, {})).front();
}

static unsigned countMovements(func::FuncOp function) {
  unsigned count = 0;
  function.walk([&](Operation *op) {
    count += isa<ReshapeOp, SliceOp, TransposeOp>(op);
  });
  return count;
}

TEST_F(ComposeMovementTest, ElementsStayWhereTheyWere) {
  unsigned before = 0, after = 0, sunk = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    func::FuncOp function = drawFunction(seed);
    ASSERT_TRUE(succeeded(verify(*module))) << seed;
    SmallVector<Tensor> expected;
    for (int64_t samples : {1, 3})
      expected.push_back(run(function, samples));
    before += countMovements(function);
    SmallVector<Type> products;
    function.walk([&](MatmulOp op) { products.push_back(op.getType()); });
    PassManager passes(&context);
    passes.addNestedPass<func::FuncOp>(createGraphComposeMovement());
    ASSERT_TRUE(succeeded(passes.run(*module))) << seed;
    after += countMovements(function);
    size_t number = 0;
    function.walk([&](MatmulOp op) {
      sunk += number < products.size() && op.getType() != products[number];
      ++number;
    });
    number = 0;
    for (int64_t samples : {1, 3}) {
      Tensor found = run(function, samples);
      const Tensor &wanted = expected[number++];
      ASSERT_EQ(found.getShape(), wanted.getShape()) << seed;
      for (int64_t n = 0; n < wanted.getNumElements(); ++n)
        ASSERT_EQ(found.data()[n].number, wanted.data()[n].number)
            << "seed " << seed << ", element " << n;
    }
  }
  // Most of what is drawn is not needed, and some products have other rows.
  EXPECT_LT(after, before * 3 / 4);
  EXPECT_GT(sunk, 20u);
}
