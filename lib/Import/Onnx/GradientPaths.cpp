//===- GradientPaths.cpp - weights without a gradient ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;

static bool isFloatTensor(Value value) {
  return graph::isFloat(getElementTypeOrSelf(value.getType()));
}

/// Whether both are computed alike, by the few ops of a condition.
static bool isSame(Value a, Value b, unsigned depth = 0) {
  constexpr unsigned mostOps = 4;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  if (a == b || !first || !second || depth == mostOps)
    return a == b;
  return OperationEquivalence::isEquivalentTo(
      first, second,
      [&](Value x, Value y) { return success(isSame(x, y, depth + 1)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

namespace {
/// A condition, for the elements where it has this value.
struct Assumption {
  Assumption(Value condition, bool value) : condition(condition), value(value) {
    while (auto negation = this->condition.getDefiningOp<graph::NotOp>()) {
      this->condition = negation->getOperand(0);
      this->value = !this->value;
    }
  }
  bool contradicts(const Assumption &other) const {
    return value != other.value && isSame(condition, other.condition);
  }

  Value condition;
  bool value;
};

/// The values from which a gradient may come: a path of ops with floating-point
/// operands and results leads from them to a result of the function.
class Reached {
public:
  explicit Reached(func::FuncOp function);
  bool contains(Value value) const { return values.contains(value); }

private:
  /// Whether a use leads to a result for elements that fulfil `assumed`.
  bool isRead(Value value, SmallVector<Assumption> assumed) const;

  llvm::DenseSet<Value> values;
};
} // namespace

Reached::Reached(func::FuncOp function) {
  for (Operation &op : llvm::reverse(function.getBody().front())) {
    if (!isa<func::ReturnOp>(op) &&
        llvm::none_of(op.getResults(),
                      [&](Value result) { return contains(result); }))
      continue;
    auto where = dyn_cast<graph::WhereOp>(op);
    for (Value operand : op.getOperands()) {
      if (!isFloatTensor(operand) || contains(operand))
        continue;
      // Masks are made so: where(m == 0, 0, where(m != 0, -100, m)).
      bool isThen = where && operand == where.getThen();
      if (!where || where.getThen() == where.getOtherwise() ||
          isRead(where.getResult(), {{where.getCondition(), isThen}}))
        values.insert(operand);
    }
  }
}

bool Reached::isRead(Value value, SmallVector<Assumption> assumed) const {
  constexpr size_t mostAssumed = 4;
  if (assumed.size() > mostAssumed)
    return contains(value);
  for (OpOperand &use : value.getUses()) {
    Operation *op = use.getOwner();
    auto where = dyn_cast<graph::WhereOp>(op);
    if (!where) {
      if (isa<func::ReturnOp>(op) ||
          llvm::any_of(op->getResults(),
                       [&](Value result) { return contains(result); }))
        return true;
      continue;
    }
    Assumption next(where.getCondition(), value == where.getThen());
    if (llvm::any_of(
            assumed,
            [&](const Assumption &other) { return next.contradicts(other); }) &&
        where.getThen() != where.getOtherwise())
      continue;
    SmallVector<Assumption> both = assumed;
    both.push_back(next);
    if (isRead(where.getResult(), both))
      return true;
  }
  return false;
}

void tenon::onnx::markWithoutGradient(func::FuncOp function) {
  Reached reached(function);
  for (auto parameter : function.getOps<graph::ParameterOp>())
    if (isExportersName(parameter.getName()) && !parameter.getBuffer() &&
        isFloatTensor(parameter) && !reached.contains(parameter))
      parameter.setBuffer("a constant of the exporter");
}
