//===- FormRecursion.cpp - recursive evaluation of index forms ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The specification of index forms: short, and without any cache of elements.
// LoopEvaluator.cpp must give the same bits.
//
//===----------------------------------------------------------------------===//

#include "FormRecursion.h"
#include "IndexMath.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

int64_t FormRecursion::index(const Expr &expr) {
  auto operand = [&](unsigned number) { return index(expr->operands[number]); };
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
    return element(expr->operands[0]).integer;
  default:
    llvm_unreachable("not an index expression");
  }
}

bool FormRecursion::boolean(const Expr &expr) {
  auto operand = [&](unsigned number) { return index(expr->operands[number]); };
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
    return element(expr->operands[0]).integer != 0;
  default:
    llvm_unreachable("not a condition");
  }
}

void FormRecursion::countStep() {
  if (stepsLeft && (*stepsLeft == 0 || --*stepsLeft == 0))
    failed = true;
}

Cell FormRecursion::element(const Expr &expr) {
  countStep();
  if (failed)
    return Cell{};
  switch (expr.getKind()) {
  case ExprKind::Load: {
    SmallVector<int64_t, 6> indices;
    for (const Expr &operand : expr->operands)
      indices.push_back(index(operand));
    return load(expr, indices);
  }
  case ExprKind::Constant:
    return arithmetic.constant(kindOf(expr->type), expr->number, expr->integer);
  case ExprKind::Apply: {
    Cell a = element(expr->operands[0]), b = a;
    if (arity(expr->fn) == 2)
      b = element(expr->operands[1]);
    return arithmetic.apply(expr->fn, kindOf(expr->operands[0]->type), a, b);
  }
  case ExprKind::Cast:
    return arithmetic.cast(kindOf(expr->operands[0]->type), kindOf(expr->type),
                           element(expr->operands[0]));
  case ExprKind::FromIndex:
    return arithmetic.fromIndex(kindOf(expr->type), index(expr->operands[0]));
  case ExprKind::Select:
    return boolean(expr->operands[0]) ? element(expr->operands[1])
                                      : element(expr->operands[2]);
  case ExprKind::Reduce: {
    Cell sum = arithmetic.neutral(expr->reduce, kindOf(expr->type));
    for (unsigned var : expr->vars)
      if (var >= vars.size())
        vars.resize(var + 1);
    reduce(expr, 0, sum);
    return sum;
  }
  default:
    llvm_unreachable("not an element expression");
  }
}

void FormRecursion::reduce(const Expr &expr, unsigned number, Cell &sum) {
  unsigned count = expr->vars.size();
  if (number == count) {
    countStep();
    if (boolean(expr->operands[count]))
      sum = arithmetic.combine(expr->reduce, kindOf(expr->type), sum,
                               element(expr->operands[count + 1]));
    return;
  }
  int64_t extent = index(expr->operands[number]);
  for (int64_t value = 0; value < extent && !failed; ++value) {
    vars[expr->vars[number]] = value;
    reduce(expr, number + 1, sum);
  }
}
