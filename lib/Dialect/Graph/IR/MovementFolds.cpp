//===- MovementFolds.cpp - folding of movement ops on constants -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovementFolds.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon::graph;

/// Results up to this number of elements are folded.
static constexpr int64_t maxElements = 4096;

namespace {
/// Evaluates the subset of index forms that movement ops need, at one index.
class Evaluator {
public:
  explicit Evaluator(ArrayRef<Attribute> operands) {
    for (Attribute operand : operands)
      values.push_back(cast<DenseElementsAttr>(operand));
  }

  Attribute element(const Expr &expr) {
    switch (expr.getKind()) {
    case ExprKind::Load: {
      DenseElementsAttr tensor = values[expr->operand];
      int64_t position = 0;
      for (auto [axis, operand] : llvm::enumerate(expr->operands)) {
        std::optional<int64_t> at = index(operand);
        int64_t size = tensor.getType().getDimSize(axis);
        if (!at || *at < 0 || *at >= size)
          return {};
        position = position * size + *at;
      }
      return *(tensor.value_begin<Attribute>() + position);
    }
    case ExprKind::Constant:
      if (isa<FloatType>(expr->type))
        return FloatAttr::get(expr->type, expr->number);
      return IntegerAttr::get(expr->type, expr->integer);
    case ExprKind::Select: {
      std::optional<bool> holds = condition(expr->operands[0]);
      if (!holds)
        return {};
      return element(expr->operands[*holds ? 1 : 2]);
    }
    default:
      return {};
    }
  }

  SmallVector<int64_t> vars;

private:
  std::optional<int64_t> index(const Expr &expr) {
    if (expr.getKind() == ExprKind::Size)
      return expr->size.getConstant();
    if (expr.getKind() == ExprKind::Var)
      return vars[expr->var];
    if (expr.getKind() == ExprKind::FromElement) {
      auto value = dyn_cast_or_null<IntegerAttr>(element(expr->operands[0]));
      if (!value)
        return std::nullopt;
      return isUnsigned(value.getType()) ? value.getValue().getZExtValue()
                                         : value.getValue().getSExtValue();
    }
    if (expr.getKind() == ExprKind::IndexSelect) {
      std::optional<bool> holds = condition(expr->operands[0]);
      return holds ? index(expr->operands[*holds ? 1 : 2]) : std::nullopt;
    }
    if (expr->operands.size() != 2)
      return std::nullopt;
    std::optional<int64_t> a = index(expr->operands[0]);
    std::optional<int64_t> b = index(expr->operands[1]);
    if (!a || !b)
      return std::nullopt;
    switch (expr.getKind()) {
    case ExprKind::IndexAdd:
      return *a + *b;
    case ExprKind::IndexMul:
      return *a * *b;
    case ExprKind::IndexFloorDiv:
    case ExprKind::IndexMod: {
      if (*b == 0)
        return std::nullopt;
      int64_t quotient = llvm::divideFloorSigned(*a, *b);
      return expr.getKind() == ExprKind::IndexMod ? *a - quotient * *b
                                                  : quotient;
    }
    case ExprKind::IndexMin:
      return std::min(*a, *b);
    case ExprKind::IndexMax:
      return std::max(*a, *b);
    default:
      return std::nullopt;
    }
  }

  std::optional<bool> condition(const Expr &expr) {
    switch (expr.getKind()) {
    case ExprKind::True:
      return true;
    case ExprKind::And: {
      std::optional<bool> a = condition(expr->operands[0]);
      return a && *a ? condition(expr->operands[1]) : a;
    }
    case ExprKind::Or: {
      std::optional<bool> a = condition(expr->operands[0]);
      return a && !*a ? condition(expr->operands[1]) : a;
    }
    case ExprKind::Not: {
      std::optional<bool> a = condition(expr->operands[0]);
      return a ? std::optional<bool>(!*a) : std::nullopt;
    }
    case ExprKind::IndexLess:
    case ExprKind::IndexLessEqual:
    case ExprKind::IndexEqual: {
      std::optional<int64_t> a = index(expr->operands[0]);
      std::optional<int64_t> b = index(expr->operands[1]);
      if (!a || !b)
        return std::nullopt;
      return expr.getKind() == ExprKind::IndexLess        ? *a < *b
             : expr.getKind() == ExprKind::IndexLessEqual ? *a <= *b
                                                          : *a == *b;
    }
    default:
      return std::nullopt;
    }
  }

  SmallVector<DenseElementsAttr> values;
};
} // namespace

/// Whether every load of the form is of one operand and the form has no
/// constants: then the result of a splat is a splat.
static bool onlyMoves(const IndexForm &form, unsigned operand) {
  bool moves = true;
  walk(form.body, [&](const Expr &expr) {
    if (expr.getKind() == ExprKind::Constant ||
        (expr.getKind() == ExprKind::Load && expr->operand != operand))
      moves = false;
  });
  return moves;
}

/// The number of elements, if it is at most maxElements.
static std::optional<int64_t> getSmallCount(RankedTensorType type) {
  int64_t count = 1;
  for (int64_t size : type.getShape()) {
    if (size > maxElements || count * size > maxElements)
      return std::nullopt;
    count *= size;
  }
  return count;
}

Attribute tenon::graph::foldMovement(Operation *op,
                                     ArrayRef<Attribute> operands) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape() ||
      !llvm::all_of(operands, llvm::IsaAndPresentPred<DenseElementsAttr>))
    return {};
  IndexForm form = cast<IndexFormInterface>(op).getIndexForms().front();
  if (auto first = cast<DenseElementsAttr>(operands[0]);
      first.isSplat() && !llvm::is_contained(type.getShape(), 0) &&
      onlyMoves(form, 0))
    return first.resizeSplat(type);
  std::optional<int64_t> count = getSmallCount(type);
  if (!count)
    return {};

  Evaluator evaluator(operands);
  evaluator.vars.assign(type.getRank(), 0);
  SmallVector<Attribute> elements;
  for (int64_t number = 0, end = *count; number < end; ++number) {
    int64_t rest = number;
    for (int64_t axis = type.getRank(); axis-- > 0;) {
      evaluator.vars[axis] = rest % type.getDimSize(axis);
      rest /= type.getDimSize(axis);
    }
    Attribute element = evaluator.element(form.body);
    if (!element)
      return {};
    elements.push_back(element);
  }
  return DenseElementsAttr::get(type, elements);
}
