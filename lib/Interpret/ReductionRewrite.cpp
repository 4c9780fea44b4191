//===- ReductionRewrite.cpp - reductions over fewer variables -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionRewrite.h"
#include "IndexMath.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::graph;
using namespace tenon::interpret;

static void collectConjuncts(const Expr &condition,
                             llvm::SmallVectorImpl<Expr> &conjuncts) {
  if (condition.getKind() == ExprKind::True)
    return;
  if (condition.getKind() != ExprKind::And) {
    conjuncts.push_back(condition);
    return;
  }
  collectConjuncts(condition->operands[0], conjuncts);
  collectConjuncts(condition->operands[1], conjuncts);
}

static Expr toExpr(const NumericIndex &sum) {
  Expr result = Expr::index(sum.constant);
  for (const auto &[term, factor] : sum.terms)
    result = Expr::addIndex(result, Expr::mulIndex(Expr::index(factor), term));
  return result;
}

static bool uses(const Expr &expr, unsigned var) {
  llvm::SmallVector<unsigned> vars;
  collectVars(expr, vars);
  return llvm::is_contained(vars, var);
}

static bool hasLoad(const Expr &expr) {
  bool found = false;
  walk(expr, [&](Expr node) { found |= node.getKind() == ExprKind::Load; });
  return found;
}

/// Solves `condition` for `vars[number]`, if the solution does not depend on
/// the variable itself or on faster variables. Only then do the remaining
/// variables visit the same elements in the same order.
static Expr solve(const Expr &condition, llvm::ArrayRef<unsigned> vars,
                  size_t number) {
  if (condition.getKind() != ExprKind::IndexEqual)
    return {};
  NumericIndex difference = linearize(condition->operands[0]);
  difference.add(linearize(condition->operands[1]), -1);
  NumericIndex rest;
  rest.constant = difference.constant;
  int64_t own = 0;
  for (const auto &[term, factor] : difference.terms) {
    if (term.getKind() == ExprKind::Var && term->var == vars[number]) {
      own = factor;
      continue;
    }
    for (unsigned later : vars.drop_front(number))
      if (uses(term, later))
        return {};
    rest.add(term, factor);
  }
  if (own != 1 && own != -1)
    return {};
  NumericIndex solution;
  solution.add(rest, -own);
  return toExpr(solution);
}

namespace {
struct Reduction {
  llvm::SmallVector<unsigned, 4> vars;
  llvm::SmallVector<Expr, 4> extents, guard;
  Expr body;

  void replace(size_t number, const Expr &value) {
    llvm::SmallVector<Expr> replacements(vars[number] + 1);
    replacements[vars[number]] = value;
    vars.erase(vars.begin() + number);
    extents.erase(extents.begin() + number);
    for (Expr &extent : extents)
      extent = substituteVars(extent, replacements);
    for (Expr &condition : guard)
      condition = substituteVars(condition, replacements);
    body = substituteVars(body, replacements);
  }

  /// Removes one variable if possible.
  bool simplify() {
    for (size_t number = 0; number < vars.size(); ++number) {
      const Expr &extent = extents[number];
      if (extent.getKind() == ExprKind::Size &&
          extent->size.getConstant() == 1) {
        replace(number, Expr::index(0));
        return true;
      }
      // Extents are evaluated before the guard, which must hold for a load to
      // exist.
      if (llvm::any_of(extents, [&](const Expr &other) {
            return hasLoad(other) && uses(other, vars[number]);
          }))
        continue;
      for (size_t position = 0; position < guard.size(); ++position) {
        Expr value = solve(guard[position], vars, number);
        if (!value)
          continue;
        // Check the box first, since the other conditions rely on it.
        Expr inBox = Expr::less(value, extent);
        guard.erase(guard.begin() + position);
        guard.insert(guard.begin(),
                     {Expr::lessEqual(Expr::index(0), value), inBox});
        replace(number, value);
        return true;
      }
    }
    return false;
  }
};
} // namespace

Expr tenon::interpret::eliminateEqualities(const Expr &body) {
  return rewrite(body, [](Expr node) -> Expr {
    if (node.getKind() != ExprKind::Reduce)
      return {};
    size_t count = node->vars.size();
    Reduction reduction;
    reduction.vars = node->vars;
    for (size_t number = 0; number < count; ++number)
      reduction.extents.push_back(eliminateEqualities(node->operands[number]));
    collectConjuncts(eliminateEqualities(node->operands[count]),
                     reduction.guard);
    reduction.body = eliminateEqualities(node->operands[count + 1]);
    while (reduction.simplify()) {
    }
    Expr guard = Expr::always();
    for (const Expr &condition : reduction.guard)
      guard = Expr::logicalAnd(guard, condition);
    if (!reduction.vars.empty() || guard.getKind() != ExprKind::True)
      return Expr::reduce(node->reduce, reduction.vars, reduction.extents,
                          guard, reduction.body);
    // A single element is still added to the reduction's initial value, which
    // turns -0 into 0.
    if (node->reduce == ReduceKind::Sum)
      return Expr::apply(ScalarFn::Add,
                         {Expr::constant(0, node->type), reduction.body});
    if (node->reduce == ReduceKind::Prod)
      return Expr::apply(ScalarFn::Mul,
                         {Expr::constant(1, node->type), reduction.body});
    return reduction.body;
  });
}
