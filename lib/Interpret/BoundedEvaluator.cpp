//===- BoundedEvaluator.cpp - index forms with error bounds -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The naive evaluator's recursion, on numbers with error bounds. If an index or
// a condition depends on an excluded element, it taints the result.
//
//===----------------------------------------------------------------------===//

#include "ErrorBounds.h"
#include "FormEvaluators.h"
#include "IndexMath.h"

#include "tenon/Dialect/Graph/IR/IndexArithmetic.h"

#include <utility>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

namespace {
class Bounded {
public:
  Bounded(ArrayRef<Tensor> operands, std::string &error)
      : operands(operands), error(error) {}

  LogicalResult run(const ConcreteForm &form, Tensor &result) {
    vars.assign(form.shape.size(), 0);
    for (int64_t number = 0; number < result.getNumElements(); ++number) {
      int64_t rest = number;
      for (int64_t axis = form.shape.size() - 1; axis >= 0; --axis) {
        vars[axis] = rest % form.shape[axis];
        rest /= form.shape[axis];
      }
      BoundedValue value = element(form.body);
      result.data()[number] = value.cell;
      result.errors()[number] = value.error;
      result.excluded()[number] = value.excluded;
      if (failed)
        return failure();
    }
    return success();
  }

private:
  int64_t index(const Expr &expr) {
    auto operand = [&](unsigned number) {
      return index(expr->operands[number]);
    };
    switch (expr.getKind()) {
    case ExprKind::Size:
      return *expr->size.getConstant();
    case ExprKind::Var:
      return vars[expr->var];
    case ExprKind::IndexAdd:
      return operand(0) + operand(1);
    case ExprKind::IndexMul:
      return operand(0) * operand(1);
    case ExprKind::IndexFloorDiv:
      return floorDiv(operand(0), operand(1));
    case ExprKind::IndexMod:
      return floorMod(operand(0), operand(1));
    case ExprKind::IndexMin:
      return std::min(operand(0), operand(1));
    case ExprKind::IndexMax:
      return std::max(operand(0), operand(1));
    case ExprKind::IndexSelect:
      return boolean(expr->operands[0]) ? operand(1) : operand(2);
    case ExprKind::FromElement:
      return decide(element(expr->operands[0]));
    default:
      llvm_unreachable("not an index expression");
    }
  }

  int64_t decide(const BoundedValue &value) {
    tainted |= value.excluded;
    return value.cell.integer;
  }

  bool boolean(const Expr &expr) {
    auto operand = [&](unsigned number) {
      return index(expr->operands[number]);
    };
    switch (expr.getKind()) {
    case ExprKind::True:
      return true;
    case ExprKind::IndexLess:
      return operand(0) < operand(1);
    case ExprKind::IndexLessEqual:
      return operand(0) <= operand(1);
    case ExprKind::IndexEqual:
      return operand(0) == operand(1);
    case ExprKind::And:
      return boolean(expr->operands[0]) && boolean(expr->operands[1]);
    case ExprKind::Or:
      return boolean(expr->operands[0]) || boolean(expr->operands[1]);
    case ExprKind::Not:
      return !boolean(expr->operands[0]);
    case ExprKind::FromBoolElement:
      return decide(element(expr->operands[0])) != 0;
    default:
      llvm_unreachable("not a condition");
    }
  }

  /// Calls `compute`. If `compute` makes decisions by excluded elements, its
  /// value is excluded, too. Earlier decisions of the caller are not affected.
  template <typename Fn> BoundedValue guarded(Fn compute) {
    bool outer = tainted;
    tainted = false;
    BoundedValue value = compute();
    value.excluded |= tainted;
    tainted = outer;
    return value;
  }

  /// Evaluates an element. Arithmetic on indices has no error, since compiled
  /// code rounds it the same way.
  BoundedValue element(const Expr &expr) {
    BoundedValue value = computeElement(expr);
    if (value.error > 0 && isIndexArithmetic(expr))
      value.error = 0;
    return value;
  }

  BoundedValue computeElement(const Expr &expr) {
    switch (expr.getKind()) {
    case ExprKind::Load:
      return guarded([&] { return load(expr); });
    case ExprKind::Constant:
      return boundConstant(kindOf(expr->type), expr->number, expr->integer);
    case ExprKind::Apply: {
      BoundedValue a = element(expr->operands[0]), b = a;
      if (arity(expr->fn) == 2)
        b = element(expr->operands[1]);
      return boundApply(expr->fn, kindOf(expr->operands[0]->type), a, b);
    }
    case ExprKind::Cast:
      return boundCast(kindOf(expr->operands[0]->type), kindOf(expr->type),
                       element(expr->operands[0]));
    case ExprKind::FromIndex:
      return guarded([&] {
        BoundedValue value;
        value.cell.integer = index(expr->operands[0]);
        return boundCast(Kind::I64, kindOf(expr->type), value);
      });
    case ExprKind::Select:
      return select(expr);
    case ExprKind::Reduce:
      return guarded([&] {
        BoundedReduction total(expr->reduce, kindOf(expr->type));
        for (unsigned var : expr->vars)
          if (var >= vars.size())
            vars.resize(var + 1);
        reduce(expr, 0, total);
        return total.finish();
      });
    default:
      llvm_unreachable("not an element expression");
    }
  }

  BoundedValue select(const Expr &expr) {
    bool outer = std::exchange(tainted, false);
    bool condition = boolean(expr->operands[0]);
    bool isUndecided = std::exchange(tainted, outer);
    BoundedValue chosen = element(expr->operands[condition ? 1 : 2]);
    if (!isUndecided || failed)
      return chosen;
    BoundedValue other = element(expr->operands[condition ? 2 : 1]);
    // The other element need not exist.
    if (failed) {
      failed = false;
      error.clear();
      other.excluded = true;
    }
    return boundChoice(kindOf(expr->type), chosen, other);
  }

  BoundedValue load(const Expr &expr) {
    const Tensor &tensor = operands[expr->operand];
    SmallVector<int64_t, 6> indices;
    int64_t offset = 0;
    bool inside = true;
    for (auto [operand, size] : llvm::zip(expr->operands, tensor.getShape())) {
      indices.push_back(index(operand));
      inside &= indices.back() >= 0 && indices.back() < size;
      offset = offset * size + indices.back();
    }
    BoundedValue value;
    if (!inside) {
      if (!failed)
        error = describeOutside(expr->operand, indices, tensor.getShape());
      failed = true;
      return value;
    }
    value.cell = tensor.data()[offset];
    if (tensor.errors()) {
      value.error = tensor.errors()[offset];
      value.excluded = tensor.excluded()[offset];
    }
    return value;
  }

  void reduce(const Expr &expr, unsigned number, BoundedReduction &total) {
    unsigned count = expr->vars.size();
    if (number == count) {
      if (boolean(expr->operands[count]))
        total.add(element(expr->operands[count + 1]));
      return;
    }
    int64_t extent = index(expr->operands[number]);
    for (int64_t value = 0; value < extent && !failed; ++value) {
      vars[expr->vars[number]] = value;
      reduce(expr, number + 1, total);
    }
  }

  ArrayRef<Tensor> operands;
  std::string &error;
  bool failed = false;
  bool tainted = false;
  SmallVector<int64_t, 8> vars;
};
} // namespace

LogicalResult tenon::interpret::evaluateBounded(const ConcreteForm &form,
                                                ArrayRef<Tensor> operands,
                                                Tensor &result,
                                                std::string &error) {
  result.trackErrors();
  return Bounded(operands, error).run(form, result);
}
