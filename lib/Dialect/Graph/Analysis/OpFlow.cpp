//===- OpFlow.cpp - axis flow of ops and of values ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAlgebra.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

using Kind = AxisAccess::Kind;

static unsigned getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

/// Each operand is needed whole.
static AxisFlow getOpaqueFlow(Operation *op, unsigned result) {
  AxisFlow flow;
  AxisAccess whole;
  whole.kind = Kind::Whole;
  flow.axes.resize(getRank(op->getResult(result)));
  for (ResultAxisFlow &axis : flow.axes) {
    axis.operands.assign(op->getNumOperands(), whole);
    axis.usesPosition = true;
  }
  return flow;
}

namespace {
/// The flow from inputs to values, backwards through their ops.
class ValueFlow {
public:
  explicit ValueFlow(llvm::ArrayRef<Value> inputs) : inputs(inputs) {}

  /// Nothing if an op on the way has no flow.
  std::optional<ResultAxisFlow> get(Value value, unsigned axis);

private:
  /// Joins what the access `outer` to `value` needs of the inputs.
  bool add(Value value, const AxisAccess &outer, ResultAxisFlow &into);
  const AxisFlow *getFlow(Value value);
  /// Which inputs a value depends on.
  const std::vector<bool> &getSources(Value value);

  llvm::ArrayRef<Value> inputs;
  llvm::DenseMap<Value, std::optional<AxisFlow>> flows;
  llvm::DenseMap<Value, std::vector<bool>> sources;
  std::map<std::pair<void *, unsigned>, ResultAxisFlow> known;
};
} // namespace

const AxisFlow *ValueFlow::getFlow(Value value) {
  auto it = flows.find(value);
  if (it == flows.end()) {
    auto result = cast<OpResult>(value);
    std::optional<AxisFlow> flow =
        getAxisFlow(result.getOwner(), result.getResultNumber());
    it = flows.try_emplace(value, std::move(flow)).first;
  }
  return it->second ? &*it->second : nullptr;
}

const std::vector<bool> &ValueFlow::getSources(Value value) {
  auto it = sources.find(value);
  if (it != sources.end())
    return it->second;
  std::vector<bool> found(inputs.size());
  const Value *input = llvm::find(inputs, value);
  if (input != inputs.end()) {
    found[input - inputs.begin()] = true;
  } else if (Operation *op = value.getDefiningOp()) {
    for (Value operand : op->getOperands()) {
      const std::vector<bool> &other = getSources(operand);
      for (size_t number = 0; number < found.size(); ++number)
        found[number] = found[number] || other[number];
    }
  }
  return sources[value] = std::move(found);
}

bool ValueFlow::add(Value value, const AxisAccess &outer,
                    ResultAxisFlow &into) {
  if (outer.kind == Kind::Unread)
    return true;
  auto join = [&](size_t input, const AxisAccess &access) {
    into.operands[input] = joinAccesses(into.operands[input], access);
  };
  if (outer.kind != Kind::Sliced) {
    const std::vector<bool> &needed = getSources(value);
    for (size_t input = 0; input < inputs.size(); ++input)
      if (needed[input])
        join(input, outer);
    return true;
  }
  std::optional<ResultAxisFlow> inner = get(value, outer.axis);
  if (!inner)
    return false;
  into.usesPosition |= inner->usesPosition;
  for (auto [input, access] : llvm::enumerate(inner->operands))
    join(input, composeAccesses(outer, access));
  return true;
}

std::optional<ResultAxisFlow> ValueFlow::get(Value value, unsigned axis) {
  ResultAxisFlow result;
  result.operands.resize(inputs.size());
  const Value *input = llvm::find(inputs, value);
  if (input != inputs.end()) {
    AxisAccess &access = result.operands[input - inputs.begin()];
    access.kind = Kind::Sliced;
    access.axis = axis;
    return result;
  }
  auto key = std::pair(value.getAsOpaquePointer(), axis);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  const AxisFlow *flow = op ? getFlow(value) : nullptr;
  if (!flow)
    return std::nullopt;
  // A copy: `flows` may grow below.
  ResultAxisFlow own = flow->axes[axis];
  result.usesPosition = own.usesPosition;
  for (auto [operand, access] : llvm::zip(op->getOperands(), own.operands))
    if (!add(operand, access, result))
      return std::nullopt;
  known[key] = result;
  return result;
}

std::optional<AxisFlow> graph::getAxisFlow(llvm::ArrayRef<Value> inputs,
                                           Value value) {
  ValueFlow values(inputs);
  AxisFlow flow;
  for (unsigned axis = 0; axis < getRank(value); ++axis) {
    std::optional<ResultAxisFlow> one = values.get(value, axis);
    if (!one)
      return std::nullopt;
    flow.axes.push_back(std::move(*one));
  }
  return flow;
}

/// Of a composite, by its decomposition, which is built in a block of its own
/// and removed.
static std::optional<AxisFlow> getCompositeFlow(DecomposableInterface op,
                                                unsigned result) {
  Block block;
  IRMapping mapping;
  SmallVector<Value> arguments;
  for (Value operand : op->getOperands()) {
    arguments.push_back(block.addArgument(operand.getType(), op->getLoc()));
  }
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&block);
  auto copy = cast<DecomposableInterface>(builder.clone(*op.getOperation()));
  copy->setOperands(arguments);
  SmallVector<Value> values = copy.decompose(builder);
  // Some meanings need a size that has no name.
  if (values.size() != op->getNumResults())
    return std::nullopt;
  return getAxisFlow(arguments, values[result]);
}

std::optional<AxisFlow> graph::getAxisFlow(Operation *op, unsigned result) {
  if (auto primitive = dyn_cast<IndexFormInterface>(op)) {
    SmallVector<Shape> shapes;
    for (Value operand : op->getOperands())
      shapes.push_back(getShape(operand));
    return getAxisFlow(primitive.getIndexForms()[result], shapes);
  }
  if (auto composite = dyn_cast<DecomposableInterface>(op))
    return getCompositeFlow(composite, result);
  if (isa<ReferenceInterface>(op))
    return getOpaqueFlow(op, result);
  // Constants and parameters are read by no index of an operand.
  if (op->getNumOperands() == 0 && op->getNumResults() > result &&
      isa<GraphDialect>(op->getDialect()) &&
      isa<RankedTensorType>(op->getResult(result).getType())) {
    AxisFlow flow;
    flow.axes.resize(getRank(op->getResult(result)));
    for (ResultAxisFlow &axis : flow.axes)
      axis.usesPosition = true;
    return flow;
  }
  return std::nullopt;
}
