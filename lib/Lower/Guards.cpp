//===- Guards.cpp - bounds from the guard of a reduction ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guards.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

Expr tenon::lower::toExpr(const AffineForm &form) {
  Expr sum = Expr::size(form.constant);
  for (const auto &[var, coefficient] : form.coefficients)
    sum = Expr::addIndex(
        sum, Expr::mulIndex(Expr::var(var), Expr::size(coefficient)));
  return sum;
}

bool tenon::lower::tighten(Bounds &bounds, const Expr &comparison,
                           unsigned var) {
  if (comparison.getKind() != ExprKind::IndexLess &&
      comparison.getKind() != ExprKind::IndexLessEqual)
    return false;
  std::optional<AffineForm> rest = getAffineForm(comparison->operands[0]);
  std::optional<AffineForm> right = getAffineForm(comparison->operands[1]);
  if (!rest || !right)
    return false;
  // The comparison is: scale * var + rest < 0.
  for (const auto &[other, coefficient] : right->coefficients)
    rest->coefficients[other] = rest->coefficient(other) - coefficient;
  rest->constant = rest->constant - right->constant;
  if (comparison.getKind() == ExprKind::IndexLessEqual)
    rest->constant = rest->constant - SymInt(1);
  std::optional<int64_t> scale = rest->coefficient(var).getConstant();
  if (!scale || *scale == 0)
    return false;
  rest->coefficients.erase(var);
  if (*scale > 0) {
    // The bound is: var < ceil(-rest / scale).
    Expr to = Expr::floorDivIndex(
        Expr::subIndex(Expr::index(*scale - 1), toExpr(*rest)),
        Expr::index(*scale));
    bounds.to = bounds.to ? Expr::minIndex(bounds.to, to) : to;
  } else {
    // The bound is: var > floor(rest / -scale).
    Expr from =
        Expr::addIndex(Expr::floorDivIndex(toExpr(*rest), Expr::index(-*scale)),
                       Expr::index(1));
    bounds.from = bounds.from ? Expr::maxIndex(bounds.from, from) : from;
  }
  return true;
}

void tenon::lower::forEachConjunct(const Expr &condition,
                                   llvm::function_ref<void(Expr)> visit) {
  if (condition.getKind() == ExprKind::True)
    return;
  if (condition.getKind() != ExprKind::And)
    return visit(condition);
  forEachConjunct(condition->operands[0], visit);
  forEachConjunct(condition->operands[1], visit);
}
