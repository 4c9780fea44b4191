//===- StackRanks.cpp - a function over a mesh on one device --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::pipe;
using graph::Shape;
using graph::SymInt;

/// Each op is cloned for each rank.
static constexpr int64_t kMostOps = int64_t(1) << 20;

LogicalResult pipe::checkMeshFunction(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("has a mesh; expected one block");
  for (Operation &op : function.getBody().front()) {
    if (isa<func::ReturnOp>(op))
      continue;
    if (!isa_and_nonnull<graph::GraphDialect>(op.getDialect()))
      return op.emitOpError("does not belong in a function with a mesh; "
                            "expected graph ops");
    if (isa<graph::ReadStateOp, graph::WriteStateOp>(op))
      return op.emitOpError("is not supported in a function with a mesh");
    WalkResult inner = op.walk([&](graph::CollectiveInterface collective) {
      return WalkResult(success(collective == &op));
    });
    if (inner.wasInterrupted())
      return op.emitOpError("has a collective inside, which is not supported");
    for (Value operand : op.getOperands())
      for (const SymInt &size : graph::getShape(operand))
        if (size.isUnknown())
          return op.emitOpError() << "expected sizes that are numbers or have "
                                     "names in a function with a mesh, but got "
                                  << operand.getType();
  }
  return success();
}

namespace {
/// Values of all ranks, and one value that has them along its first axis.
class Stacks {
public:
  Stacks(OpBuilder &builder, Location loc, int64_t count)
      : compose(builder, loc), count(count) {}

  static RankedTensorType getType(Type type, int64_t count) {
    Shape shape = {SymInt(count)};
    llvm::append_range(shape, graph::getShape(type));
    return graph::getTensorType(shape,
                                cast<RankedTensorType>(type).getElementType());
  }

  Value stack(ArrayRef<Value> values) {
    SmallVector<Value> rows;
    for (Value value : values) {
      Shape shape = {SymInt(1)};
      llvm::append_range(shape, graph::getShape(value));
      rows.push_back(compose.reshape(value, shape));
    }
    return rows.size() == 1 ? rows.front()
                            : compose.op<graph::ConcatOp>(rows, 0);
  }

  SmallVector<Value> unstack(Value stacked) {
    SmallVector<Value> values;
    Shape sizes = graph::getShape(stacked);
    Shape shape(std::next(sizes.begin()), sizes.end());
    Shape starts(sizes.size(), SymInt(0)), steps(sizes.size(), SymInt(1));
    sizes[0] = SymInt(1);
    auto dims = [&](const Shape &entries) {
      return graph::DimsAttr::get(compose.builder.getContext(), entries);
    };
    for (int64_t rank = 0; rank < count; ++rank) {
      starts[0] = SymInt(rank);
      Value row = compose.op<graph::SliceOp>(stacked, dims(starts), dims(sizes),
                                             dims(steps));
      values.push_back(compose.reshape(row, shape));
    }
    return values;
  }

  /// With an axis for each of the mesh.
  Value split(Value stacked, ArrayRef<int64_t> mesh) {
    Shape sizes = graph::getShape(stacked);
    Shape shape(mesh.begin(), mesh.end());
    shape.append(std::next(sizes.begin()), sizes.end());
    return compose.reshape(stacked, shape);
  }
  Value merge(Value split, size_t numAxes) {
    Shape sizes = graph::getShape(split);
    Shape shape = {SymInt(count)};
    shape.append(sizes.begin() + numAxes, sizes.end());
    return compose.reshape(split, shape);
  }

private:
  graph::Compose compose;
  int64_t count;
};
} // namespace

/// Computes a collective of all ranks.
static void addCollective(OpBuilder &builder,
                          graph::CollectiveInterface collective, MeshAttr mesh,
                          MutableArrayRef<IRMapping> ranks) {
  Stacks stacks(builder, collective.getLoc(),
                static_cast<int64_t>(ranks.size()));
  SmallVector<Value> operands;
  for (Value operand : collective->getOperands()) {
    SmallVector<Value> values;
    for (IRMapping &rank : ranks)
      values.push_back(rank.lookup(operand));
    operands.push_back(stacks.split(stacks.stack(values), mesh.getSizes()));
  }
  SmallVector<Value> made =
      collective.decomposeOverRanks(builder, operands, mesh.getNames());
  for (auto [result, value] : llvm::zip_equal(collective->getResults(), made))
    for (auto [rank, own] : llvm::zip_equal(
             ranks,
             stacks.unstack(stacks.merge(value, mesh.getNames().size()))))
      rank.map(result, own);
}

LogicalResult pipe::stackRanks(func::FuncOp function) {
  MeshAttr mesh = findMesh(function);
  if (failed(checkMeshFunction(function)))
    return failure();
  int64_t count = mesh.getNumPositions();
  Block *body = &function.getBody().front();
  auto numOps = static_cast<int64_t>(body->getOperations().size());
  if (count > kMostOps / numOps)
    return function.emitError() << "expected at most " << kMostOps
                                << " ops of all ranks, but there are " << count
                                << " ranks of " << numOps << " ops";
  auto *block = new Block();
  function.getBody().push_front(block);
  OpBuilder builder = OpBuilder::atBlockBegin(block);
  SmallVector<IRMapping> ranks(count);
  SmallVector<Type> inputs, outputs;
  for (BlockArgument argument : body->getArguments()) {
    inputs.push_back(Stacks::getType(argument.getType(), count));
    Value stacked = block->addArgument(inputs.back(), argument.getLoc());
    Stacks stacks(builder, argument.getLoc(), count);
    for (auto [rank, own] : llvm::zip_equal(ranks, stacks.unstack(stacked)))
      rank.map(argument, own);
  }
  for (Operation &op : body->without_terminator()) {
    if (auto collective = dyn_cast<graph::CollectiveInterface>(op)) {
      addCollective(builder, collective, mesh, ranks);
      continue;
    }
    // Constants and parameters are the same on all ranks.
    bool isShared = op.getNumOperands() == 0;
    Operation *shared = isShared ? builder.clone(op) : nullptr;
    for (IRMapping &rank : ranks)
      if (isShared)
        rank.map(op.getResults(), shared->getResults());
      else
        builder.clone(op, rank);
  }
  Operation *last = body->getTerminator();
  Stacks stacks(builder, last->getLoc(), count);
  SmallVector<Value> results;
  for (Value value : last->getOperands()) {
    SmallVector<Value> values;
    for (IRMapping &rank : ranks)
      values.push_back(rank.lookup(value));
    results.push_back(stacks.stack(values));
    outputs.push_back(results.back().getType());
  }
  func::ReturnOp::create(builder, last->getLoc(), results);
  body->dropAllDefinedValueUses();
  body->erase();
  function.setFunctionType(builder.getFunctionType(inputs, outputs));
  removeMesh(function);
  return success();
}
